// Package folder writes a set of files to a folder, all or none.
//
// New files wait in a hidden folder on the same file system and are then renamed to their places,
// one by one. If a rename fails, those before it are undone. It is no store and knows nothing of
// what the files hold: who may replace which file is for the caller to decide.
//
// The scheme is that of write-and-rename for one file, extended by a guard: a file that stands in
// the folder as long as old and new files are mixed, so that a reader can tell after a killed
// process.
package folder
