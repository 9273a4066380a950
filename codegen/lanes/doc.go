// Package lanes turns an entry of a program into code that answers eight rows at once: sums of
// products over slots, each of which holds a number of every row, for the runtime's lane kernels
// (runtime/lanes.go).
//
// An entry is executed on symbols from its first block to its last, as package unroll does with a
// block; what is left are n-ary sums of products in the order of elimination, grouped into runs of
// equally many terms, and a few steps between them that rescale or normalise every lane by itself.
// It emits no Go, chooses no states and knows nothing of the API; entries that pick states, and
// contractions beyond a size, are refused and stay row by row.
//
// That one dispatch serves eight rows, and that a sum stays in a register until it is stored, is
// what makes this four to five times as fast as a tape for one row.
package lanes
