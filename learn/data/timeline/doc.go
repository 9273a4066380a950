// Package timeline puts the rows of sequences in the order of a column of times, so that each row
// is a slice and each slice has a row.
//
// [Order] reads all rows of a [rowfile.Reader], finds the step from one slice to the next, and
// makes the reader return the rows of one sequence after the other, in the order of time. A slice
// without a row becomes a row without values. With [Options].Every, slices have that length, and
// one row stands for all rows in a slice: with the mean of real variables, and the last value of
// others. [Guard] makes a reader check the order while it reads, for rows that are not put in
// order.
//
//	time   x           time   x
//	01:00  b           00:00  a
//	00:00  a    ->     01:00  b
//	03:00  c           02:00
//	                   03:00  c
//
// The package knows no models. Package times reads the texts.
package timeline
