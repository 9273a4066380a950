// Package gssl learns Markov networks of conjunctions that it draws from the data (Van Haaren and Davis' GSSL): it generates many, drops those
// that hold in few rows, and lets weight learning by pseudo-likelihood (package pseudo) with an L1 penalty choose among the rest.
//
// A conjunction says that some variables, at most Options.MaxLength and at least two, have the states that they have together in one row: row,
// number and variables are drawn, whatever rows weigh. The same one drawn again is one. Each state of a variable but the first has a feature besides.
//
// There is no search, so that interactions of several variables that do nothing two by two are found as easily as others, if they
// are drawn. Data: rows of discrete variables; variables that the drawn row misses are not drawn. Guarantee: the same seed gives the same network. Cost: what
// weight learning takes for the features that are left.
//
// Source: Van Haaren and Davis 2012, Markov network structure learning: a randomized feature generation approach.
package gssl
