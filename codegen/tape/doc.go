// Package tape is the back-end that emits no arithmetic at all: a block becomes code for the
// runtime's tape machine, an array of integers beside the generated Go, and its method one call.
//
// It is for what other back-ends would turn into too much text: it compiles at once at any size,
// and runs at a price of about a nanosecond a product and a few tens for each step. It is not for
// small blocks, where that price is many times the work.
//
// Package ir/assemble makes the code. This package emits the call, and says what it costs.
package tape
