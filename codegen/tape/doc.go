// Package tape is the back-end that emits no arithmetic at all: a block becomes code for the runtime's tape machine, an array of
// integers beside the generated Go, and its method one call.
//
// It is for what other back-ends would turn into too much text: it compiles at once at any size, and runs at a
// price of about a nanosecond a product and a few tens for each step. It is not for small blocks, where that price
// is many times the work.
//
// The code of an instruction is the runtime's affair (runtime/assemble.go); this package says only which spans lie
// where. The design is that of Libra's and ProbabilisticCircuits.jl's flat arrays, with strided table operations for
// instructions in place of single sums and products.
package tape
