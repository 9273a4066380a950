// Package pgmrt is the runtime of the packages that pgmc generates: contraction kernels, scaling,
// evidence, choice of states, proportional fitting, a seeded generator, errors, the tape machine,
// and kernels that answer eight rows at once.
//
// A generated package either imports it or holds copies of the declarations that it needs; both
// behave the same. It is not a library of inference: nothing in it knows a model. It does not
// parse, print, read files or reflect, nothing allocates on the path of a query, no package
// variable ever changes, and no data of a user makes it panic; offsets and tape code come from the
// generator and are trusted.
//
// The exception is embed.go, which no generated package needs or copies. Package ir/assemble makes
// the tape code.
//
// Two parts follow others: the random number generator ([Rand]) and the compile-time handshake
// ([EnforceVersion]); their files name the sources. The contraction kernel is a strided loop nest
// in the manner of libraries for dense linear algebra: outer axes by an odometer, a tile of two
// axes by specialised loops, or a tile of several short ones by a list of its positions.
//
// The kernels for lanes are assembly on amd64, AVX-512 or AVX as the processor has it. With the
// build tag purego and elsewhere, their twins in Go run, to the same bits. Command
// runtime/internal/kernels writes the assembly.
package pgmrt

//go:generate go run ./internal/kernels
