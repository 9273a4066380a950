// Package bench measures compiled packages against the interpreter and C.
//
// Run emits packages for each model, builds them in a temporary folder together with a program that
// runs them, compares all answers with those of the interpreter, and then samples the times of all
// in turn: of queries, batches and builds. The C programs come from package cbench, the clock and
// the sampler from package timing. It reports minima, because they repeat, and medians; it averages
// nothing. It does not measure approximate methods.
//
// RunData measures the rows of a file: reading them into columns, ln P by the package, and writing.
//
// RunStreams does the same for filters of built-in models of sequences. Their peers are programs of
// this package, in C and in Go with logarithms. The tests have peers that use other libraries,
// gonum, Eigen and GHMM, as benchmarks.
package bench
