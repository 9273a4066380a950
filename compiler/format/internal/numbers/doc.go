// Package numbers is what the formats share that are little but numbers between blanks: those of the UAI competitions, Ergo
// and the factor graphs of libDAI.
//
// It cuts text into words with positions, reads counts, scopes and tables, and holds what a file claims against what the rest
// of it can hold, so that nothing is allocated that the file does not pay for. It says whether tables that ought to be CPDs are
// some. The layout of a file is for its format.
package numbers
