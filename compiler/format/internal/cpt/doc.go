// Package cpt is what formats share whose conditional probability tables (CPTs) are lists of numbers for the joint states of the
// parents, first parent slowest, and of the child, which is the fastest.
//
// [Table] makes the CPD of what a reader collected, once all variables are known; [Values] gives a writer the numbers of any
// CPD in that order. It knows no syntax.
package cpt
