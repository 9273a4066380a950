// Package unroll is the back-end for straight-line code. It executes a block symbolically, which
// folds zeros, ones and constants, shares equal expressions between all steps, and drops results
// that nothing reads. Then it prints the remaining expressions.
//
// It is for blocks of up to some ten thousand operations. Beyond that the processor waits for
// instructions, and loops or a tape are faster. It emits no loops, and only the branches that
// normalising, rescaling and drawing need.
//
// The shape of the code follows measurements (Go 1.26, amd64): expressions in depth-first order,
// with single uses nested and shared values in locals; parameters from a table, since float
// literals make register allocation quadratic; functions of at most 1024 operations, cut where few
// values are live.
//
//	v0 := float64(s[0]*p[4]) + float64(s[1]*p[5])  // {Lung,Smoke} → {Lung}
//	s[12] = v0 * s[7]
package unroll
