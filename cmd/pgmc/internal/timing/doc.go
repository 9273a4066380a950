// Package timing times calls: it finds how many make a sample long enough to measure, and keeps the
// samples of each.
//
// It decides neither what is timed nor in which order: who compares two things takes their samples
// in turn, so that what else the machine does hits both. Nothing is averaged; the minimum is the
// figure that repeats, and the median says how far the machine was from it.
//
// Time is that of the processor on the thread, where the platform tells it (Linux), since the clock
// on the wall also counts what other programs do. The package depends on the standard library
// alone, because its clock and its sampler are copied into the programs that run generated
// packages: see [Source].
package timing
