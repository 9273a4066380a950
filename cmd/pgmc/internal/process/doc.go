// Package process runs other programs: compilers, and programs that answer line by line.
//
// It knows nothing of what they do. Whatever they start ends with them, and they end with the
// context that they were given.
package process
