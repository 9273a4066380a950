// Package bench measures compiled packages against the interpreter and C.
//
// Run emits packages for each model, builds them in a folder of their own with a program that runs
// them, compares all answers with those of the interpreter, and then samples the times of all in
// turn: of queries, batches and builds. The C programs come from package cbench, and the clock and
// the sampler from package timing. Nothing is averaged: the minimum is the figure that repeats.
package bench
