// Package symbolic executes the steps of a program symbolically: the numbers of its spans are nodes
// of a circuit. Back-ends that emit expressions, batches in lanes, the drawing of a circuit, and
// the C reference of benchmarks use it.
//
// It emits no code and has no memory. A Client supplies the numbers that the executed steps do not
// compute, and executes the steps that are not sums of products.
//
// An Expansion is one contraction. It multiplies an operand in the innermost loop on which the
// operand depends, so that factors are taken out of sums that do not depend on them. With the
// sharing of package circuit, this gives the operation counts of bucket elimination (Dechter 1999)
// within one contraction.
package symbolic
