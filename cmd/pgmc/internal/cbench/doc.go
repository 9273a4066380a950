// Package cbench writes the C program that a generated package is measured against: the same
// computation of ln P(evidence) or of all posteriors, compiled by an optimising C compiler for the
// current machine.
//
// There are two forms. [Straight] executes the program symbolically, from the first block to the
// last, and writes the folded and shared circuit as nested expressions: the limit for straight-line
// code, also for real variables. [Nests] writes each contraction as loops with constant bounds
// over static tables: the limit for loops. The rules of the generated code do not bind C: it may
// fuse products with sums, vectorise, and use every instruction of the machine.
//
// The programs are a yardstick, not a back-end. They answer one query, take observations only and
// check nothing, and some programs have no C reference. Compare their answers with ours before
// their times.
//
// A program reads sets of evidence from standard input, prints a line for each, with ln P and the
// posteriors, and then takes a sample of its time for each line that it reads; the loop over
// evidence is in C. See [Program] for its input.
package cbench
