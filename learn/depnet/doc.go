// Package depnet learns dependency networks: for each variable a decision tree given any others, boosted trees (package boost), or a logistic
// regression on all others with an L1 penalty (package logistic).
//
// Data: rows of discrete variables. A row that misses a value counts neither for the tree of that variable nor where others ask for it.
// Guarantee: each tree is grown greedily, and on its own: no split of a leaf of it brings what the prior of the structure asks for. The
// result is the same on any number of cores. Cost: for each variable and leaf, the counts of all candidates; the trees are grown in
// parallel.
//
// What the trees say of the joint distribution needn't be consistent, and their product is the pseudo-likelihood of a row and not its
// probability. Learning maximises just that, with a penalty for parameters, so that the networks are good where much is observed.
// Package treebn learns Bayesian networks with the same trees.
//
// A single run with several values of kappa gives the trees of all of them, of which the validation data choose one for the whole network.
// Boosted trees end, for each variable on its own, where the validation data have enough of them.
//
// Sources: Heckerman, Chickering, Meek, Rounthwaite and Kadie 2000, Dependency networks for inference, collaborative filtering, and data
// visualization; Lowd and Shamaei 2011, Mean field inference in dependency networks: an empirical study.
package depnet
