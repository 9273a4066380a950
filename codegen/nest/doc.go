// Package nest emits blocks as loop nests with constant bounds: the back-end for tables too large
// to unroll.
//
// Each contraction becomes loops over constant ranges around a small unrolled tile, with its
// accumulators in local variables, so that they stay in registers. Operands are read through
// windows, pointers to arrays of constant size, so that nothing is bounds-checked within a loop.
// What does not depend on a loop is multiplied outside of it. Other steps become a few lines each.
//
// Loops that evidence narrows (ir.Ranges) have variable bounds, clamped to the axis so that the
// compiler of Go still knows them. The tile and its size do not change, nor do small contractions.
//
// It does not fold zeros or ones, nor share values between contractions: unroll does, for small
// blocks.
//
// The tile takes the innermost axes of the result, as many elements as there are registers for
// sums, and the innermost reduced axes, up to 64 products in all: register blocking as in dense
// matrix kernels (Goto and van de Geijn 2008, Anatomy of high-performance matrix multiplication).
package nest
