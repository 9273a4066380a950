// Package process runs other programs: the go command, and servers that answer line by line.
//
// It does not interpret their output. A program ends with its context, and with it, on Unix, the
// processes that it started.
package process
