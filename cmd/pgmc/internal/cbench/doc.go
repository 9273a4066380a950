// Package cbench writes the C program that a generated package is measured against: the same
// computation of ln P(evidence), compiled by an optimising C compiler for the very machine.
//
// There are two forms. [Straight] executes the program on symbols, from the first block to the
// last, and writes what is left after folding and sharing as nested expressions: the limit for
// straight-line code. [Nests] writes each contraction as loops with constant bounds over static
// tables: the limit for loops. Neither has a rule of the generated code to keep: C may fuse
// products with sums, vectorise, and use every instruction of the machine.
//
// It is a yardstick, not a back-end: it answers one query, takes observations only, checks nothing,
// and what it refuses goes without a C reference. Its answers must be compared with ours before its
// times mean anything.
//
// A program reads sets of evidence from standard input, prints ln P of each, and then takes a
// sample of its time for each line that it reads; the loop over evidence is in C. See [Program] for
// its input.
package cbench
