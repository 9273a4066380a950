// Package timing times calls: it finds how many calls make a sample long enough to measure, and
// keeps the samples.
//
// The caller decides which calls are timed and in which order. To compare two things, take their
// samples by turns, so that other load on the machine affects both. Samples are not averaged: the
// minimum is the figure that repeats, and the median shows how much other load there was.
//
// The clock is the CPU time of the thread on Linux, because wall-clock time includes other
// programs, and wall-clock time elsewhere. The package imports only the standard library, because
// its clock and its sampler are copied into the programs that run generated packages: see [Source].
package timing
