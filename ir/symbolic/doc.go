// Package symbolic executes the steps of a program on symbols: the numbers of its spans are nodes
// of a circuit. Back-ends that emit expressions, batches in lanes, the drawing of a circuit, and
// the C reference of benchmarks all use it.
//
// It emits no code and has no memory. A Client supplies the numbers that the executed steps do not
// compute, and executes the steps that are not sums of products.
//
// An Expansion is one contraction. It multiplies operands at the last axis along which they move,
// so that sums distribute over what does not depend on them. With the sharing of package circuit,
// this gives the operation counts of bucket elimination (Dechter 1999) within one contraction.
package symbolic
