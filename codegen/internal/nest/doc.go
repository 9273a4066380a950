// Package nest emits blocks as loop nests with constant bounds. It is the back-end for tables too
// large to unroll.
//
// Each contraction becomes loops over constant ranges around a small unrolled tile. The
// accumulators of the tile are local variables, so that they stay in registers. Operands are read
// through windows, which are pointers to arrays of constant size, so that no index is checked
// within a loop. Factors that do not depend on a loop are multiplied outside of it. Other steps
// become a few lines each.
//
// Loops that evidence narrows (ir.Ranges) have variable bounds, clamped to the axis so that the Go
// compiler still knows them. The tile and its size do not change, nor do small contractions.
//
// Contractions of some hundred products also have a function in amd64 assembly for processors with
// AVX2, if an axis of the result has neighbours in memory. Its lanes are four elements of the
// result along that axis, and its loops have constant strides. The Go code beside it adds in the
// same order, so that both give the same bits. The axes of the tile are never narrowed.
// Contractions of one shape share a function.
//
// The package does not fold zeros or ones, and does not share values between contractions. Package
// unroll does, for small blocks.
//
// The tile takes the innermost axes of the result, with as many elements as there are registers for
// sums, and the innermost reduced axes, up to 64 products in all. This is register blocking as in
// dense matrix kernels (Goto and van de Geijn 2008, Anatomy of high-performance matrix
// multiplication).
package nest
