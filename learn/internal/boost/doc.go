// Package boost fits distributions of one discrete variable given all others by boosted trees.
//
// The log-odds of a state are a constant plus a sum of small regression trees, grown one after the
// other. A node of a tree tests whether another variable has one of its states. All nodes of one
// depth are split together, each by the test of the highest gain under the second-order expansion
// of the log-likelihood. The number at a leaf is a Newton step times the shrinkage. A target of two
// states has trees for one of them, a target of more states for each. If there are validation rows,
// growing ends some rounds after the best one, and the trees after the best round are dropped.
//
// The result needs no kind of distribution of its own: each path to a leaf is a conjunction, so the
// sum is a list of weighted features, as in a logistic regression. Equal conjunctions of different
// trees are merged.
//
// Data: rows of discrete variables. Rows that miss the target are left out; a missing value of
// another variable equals none of its states. Cost: for each tree and level, the number of rows
// that have each state of each other variable (for variables of two states, one of them).
//
// Sources: Friedman, Hastie and Tibshirani 2000, Additive logistic regression: a statistical view
// of boosting; Friedman 2001, Greedy function approximation: a gradient boosting machine, for
// shrinkage; Chen and Guestrin 2016, XGBoost: a scalable tree boosting system, for the gain of a
// split.
package boost
