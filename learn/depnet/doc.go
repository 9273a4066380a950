// Package depnet learns dependency networks: for each variable, its distribution given all others
// is a decision tree, boosted trees (package boost), or a logistic regression with an L1 penalty
// (package logistic).
//
// Data: rows of discrete variables. A row that misses a value counts neither for the tree of that
// variable nor below a test of it in other trees. Guarantee: each tree is grown greedily and
// independently, until no split of a leaf gains as much as the prior of the structure requires. The
// result does not depend on the number of cores. Cost: for each variable and leaf, the counts of
// all candidates; the trees are grown in parallel.
//
// The CPDs need not be consistent with any joint distribution; their product is the
// pseudo-likelihood of a row and not its probability. Learning maximises the pseudo-likelihood with
// a penalty for parameters, so the networks predict well if much is observed. Package treebn learns
// Bayesian networks with the same trees.
//
// A single run with several values of kappa yields the trees of all of them, and the validation
// data choose one kappa for the whole network. For boosted trees, the validation data choose the
// number of trees of each variable.
//
// Sources: Heckerman, Chickering, Meek, Rounthwaite and Kadie 2000, Dependency networks for
// inference, collaborative filtering, and data visualization; Lowd and Shamaei 2011, Mean field
// inference in dependency networks: an empirical study.
package depnet
