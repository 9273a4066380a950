// Package asm writes the sums of products of lanes as straight-line assembly for amd64 with
// AVX-512, with eight rows in a register.
//
// WriteMap writes a map, such as a step of a Kalman filter, instruction by instruction, with
// quotients and roots; its results equal those of single runs.
//
// It is for batches and many filters only, and for programs of up to some ten thousand operations.
// Beyond that the processor waits for instructions. The operations and their order are the lane
// code's, so that the results are the same bits, and other processors run the lane code instead.
// The package writes no Go, and leaves rescaling and normalising between the sums to the runtime.
//
// Nodes are written depth first from those that are read after the sums, so that most values are
// used soon after they are computed. 32 registers hold them. If all are taken, the value with the
// furthest next use goes to memory (Belady 1966). Constants are read by broadcast from the data
// memory of the package, eight bytes each, where the lane code reads sixty-four.
package asm
