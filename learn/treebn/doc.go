// Package treebn learns Bayesian networks whose CPDs are decision trees.
//
// Data: rows of discrete variables. A row that misses a value counts neither for the tree of that variable nor where others ask for it.
//
// Unified search (the default) grows all trees at once: each step splits the leaf, of any variable, whose best split brings most for each
// parameter, unless it would close a cycle. It ends where no split brings what the prior of the structure asks for. Edges
// come and never go, and the parents of a variable are those that its tree asks about. The steps don't depend on kappa, so that one run
// gives the networks of several, each a part of the next, and the validation data choose.
//
// Encapsulated search climbs by adding, deleting and reversing edges; what a family is worth is the score of the tree that is grown
// when only parents may be asked about. It is slower, and may take edges back. Every kappa takes a search of its own.
//
// Guarantee: a local optimum. Cost of unified search: for each leaf, the counts of all candidates.
//
// Sources: Chickering, Heckerman and Meek 1997, A Bayesian approach to learning Bayesian networks with local structure; Friedman and
// Goldszmidt 1996, Learning Bayesian networks with local structure; Koller and Friedman, section 18.6.1.
package treebn
