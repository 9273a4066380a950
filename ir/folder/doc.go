// Package folder writes a set of files to a folder, all or none.
//
// New files wait in a hidden folder on the same file system and are then renamed to their places,
// one by one. If a rename fails, those before it are undone. The package does not interpret the
// files: the caller decides which files may be replaced.
//
// The scheme is write-and-rename for one file, extended by a guard: a file that is in the folder as
// long as old and new files are mixed, so that a reader can detect a mixture that a killed process
// left.
package folder
