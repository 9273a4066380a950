// Package lanes compiles an entry of a program into code that answers eight rows at once. The code
// is sums of products over slots, which each hold one number of every row. The lane kernels of the
// runtime (runtime/lanes.go) run it.
//
// The entry is executed symbolically (ir/symbolic) from its first block to its last. The result is
// n-ary sums of products in the order of elimination, grouped into runs with equal numbers of
// terms, and between them a few steps that rescale or normalise each lane.
//
// The package emits no Go, chooses no states and does not know the API. It refuses entries that
// choose states, and contractions beyond a size; these run row by row.
//
// One dispatch serves eight rows, and a sum stays in a register until it is stored. This makes
// lanes four to five times as fast as a tape for one row.
package lanes
