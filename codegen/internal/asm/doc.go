// Package asm writes the sums of products of lanes as straight-line assembly: for amd64 with
// AVX-512, eight rows to a register.
//
// It is for batches alone, and for programs up to some ten thousand operations, beyond which the
// processor waits for instructions. The same operations in the same order as the lane code make the
// same bits, so that other processors run that instead. It writes neither Go nor what lies between
// the sums, rescaling and normalising, which stay with the runtime.
//
// Nodes are written depth first from what is read later, so that most values are used soon after
// they are made; 32 registers hold them, and the one whose next use is furthest goes to memory
// (Belady 1966). Constants are read by broadcast from the data memory of the package, eight bytes
// each, where the lane code reads sixty-four.
package asm
