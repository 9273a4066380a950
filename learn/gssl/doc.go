// Package gssl learns Markov networks of conjunctions that are drawn from the data (GSSL of Van
// Haaren and Davis). It generates many conjunctions, drops those that hold in few rows, and fits
// weights by pseudo-likelihood (package pseudo) with an L1 penalty, which selects among the rest.
//
// A conjunction has at least two and at most Options.MaxLength variables, with their states in one
// row. The row, the number of variables and the variables are drawn at random, regardless of the
// weights of rows. Duplicates are dropped. In addition, each state of each variable except its
// first has a feature.
//
// There is no search, so interactions of several variables without pairwise effects are found as
// easily as others, if they are drawn. Data: rows of discrete variables; variables that are missing
// in the drawn row are not drawn. Guarantee: the same seed gives the same network. Cost: the cost
// of weight learning for the remaining features.
//
// Source: Van Haaren and Davis 2012, Markov network structure learning: a randomized feature
// generation approach.
package gssl
