// Package vector is the back-end that computes four numbers at a time. It emits a block of sums of
// products as amd64 assembly for processors with AVX2, and beside it Go code for all others.
//
// Package ir/vector plans the operations. The assembly is straight-line code in which values stay
// in the sixteen registers as long as they can: if one is needed, the value that is read last gives
// way (Belady 1966). Constants and contiguous loads are operands in memory. A message that the next
// steps read in whole vectors is not stored.
//
// The Go code is package unroll's with the sums in the order of the assembly, so that a package
// gives the same bits on every processor. Neither fuses a product with a sum.
//
// Back-end Scalar computes one number at a time in the same way: it prints the operations of
// package unroll, for small programs that need no more than sums, products and maxima, or of
// numbers of either sign sums, differences, products, quotients and square roots.
//
// The package does not choose layouts: the pass program-lay does. It emits no loops, and back-end
// vector no steps but contractions, reciprocals and the normalisation of answers.
package vector
