// Package numbers holds the common parts of the formats that consist mainly of numbers: those of
// the UAI competitions, Ergo and the factor graphs of libDAI.
//
// It splits text into words with positions, and reads counts, scopes and tables. It compares each
// count in a file with the length of the rest of the file, so that memory stays in proportion to
// the file. It checks whether tables are CPDs.
//
// The layout of a file belongs to its format.
package numbers
