// Package tape is the back-end that emits no arithmetic: a block becomes code for the runtime's
// tape machine, which is an array of integers beside the generated Go, and its method is one call.
//
// It is for blocks for which other back-ends would emit too much text. It compiles at once at any
// size, and costs half a nanosecond to one for each product and a few tens of nanoseconds for each
// step.
// It is not for small blocks, for which that cost is many times the work.
//
// Package ir/assemble makes the code. This package emits the call and predicts its cost.
package tape
