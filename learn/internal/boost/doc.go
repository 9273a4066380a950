// Package boost fits distributions of one discrete variable given all others by boosted trees.
//
// The logarithm of the odds of a state is a constant and a sum of small regression trees, grown one after the other. A tree asks at each
// node whether another variable has one of its states; nodes of one depth are split together, each by what brings most by the second-order
// expansion of the log-likelihood, and the number at a leaf is the step of Newton's method, shrunk. Of two states one has trees, of more
// each. With validation rows, the trees after the best of them are dropped, and growing ends some trees after it.
//
// The result needs no kind of distribution of its own: each way to a leaf is a conjunction, so that the sum is a list of weighted features, as of a
// logistic regression; equal conjunctions of different trees are one.
//
// Data: rows of discrete variables; those that miss the target are left out, and another value that is missing is none of the states. Cost:
// for each tree and level, the rows that have each state of each other variable, for two states of one of them.
//
// Sources: Friedman, Hastie and Tibshirani 2000, Additive logistic regression: a statistical view of boosting; Friedman 2001, Greedy function
// approximation: a gradient boosting machine, for shrinking; Chen and Guestrin 2016, XGBoost: a scalable tree boosting system, for the gain of a
// split.
package boost
