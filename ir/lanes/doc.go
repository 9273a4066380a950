// Package lanes compiles an entry of a program into code that answers eight rows at once: sums of
// products over slots, each of which holds one number of every row. The lane kernels of the runtime
// (runtime/lanes.go) run it.
//
// An entry is executed on symbols (ir/symbolic) from its first block to its last. What is left is
// n-ary sums of products in the order of elimination, grouped into runs with equal numbers of
// terms, and a few steps between them that rescale or normalise each lane by itself.
//
// The package emits no Go, chooses no states and knows nothing of the API. It refuses entries that
// choose states and contractions beyond a size; these run row by row.
//
// One dispatch serves eight rows, and a sum stays in a register until it is stored. This makes
// lanes four to five times as fast as a tape for one row.
package lanes
