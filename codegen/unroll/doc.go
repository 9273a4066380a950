// Package unroll is the back-end for straight-line code: it executes a block on symbols, which
// folds zeros, ones and constants, shares equal expressions between all steps, and drops what
// nobody reads; then it prints what is left.
//
// It is for blocks of up to some ten thousand operations; beyond that the processor waits for
// instructions, and loops or a tape win. It has no loops and only the branches that normalising and
// rescaling need.
//
// The shape of the code follows measurements (Go 1.26, amd64): expressions in depth-first order,
// single uses nested, shared values in locals; parameters from a table, since float literals make
// register allocation quadratic; functions of at most 1024 operations, cut where few values cross.
//
//	v0 := float64(s[0]*p[4]) + float64(s[1]*p[5])  // {Lung,Smoke} → {Lung}
//	s[12] = v0 * s[7]
package unroll
