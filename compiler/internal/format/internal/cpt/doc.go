// Package cpt converts between CPDs and conditional probability tables (CPTs) as several formats
// write them: lists of numbers for the joint states of the parents, first parent slowest, and of
// the child, which is fastest.
//
// [Table] becomes a CPD once the reader knows all variables. [Values] returns the numbers of any
// CPD in that order, for writers. The package knows no syntax.
package cpt
