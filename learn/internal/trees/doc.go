// Package trees counts pairs of variables under changing weights of rows and builds Chow-Liu trees
// from the counts: what mixtures of trees, cutset networks and latent trees share. It is not a
// learner; package chowliu is.
//
// Counting all pairs takes time in the square of the number of variables. An [Index] leaves out the
// most frequent state of each variable and lists the other states by row, so that the time is in
// the square of the number of listed states: five per row on average for the 294 page groups of
// msweb. The counts of the most frequent states are the remainders. Meila and Jordan 2000, Learning
// with mixtures of trees, section 5, do the same for zeros.
//
// A row that misses a value is left out of the counts of that variable.
package trees
