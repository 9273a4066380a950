// Package trees counts pairs of variables under changing weights of rows, and makes Chow-Liu trees of the counts: what mixtures of
// trees, cutset networks and latent trees have in common. It is no learner; package chowliu is.
//
// Counting all pairs takes time in the square of the variables. An [Index] takes for each variable its most frequent state as what
// goes without saying and lists the others by row, so that the time is in the square of what stands out in a row: five on average of
// 294 page groups in msweb. A pair of frequent states is what remains. Meila and Jordan 2000, Learning with mixtures of trees, section
// 5, take the same step for zeros.
//
// A row that misses a value is left out of the counts of that variable.
package trees
