// Package treebn learns Bayesian networks of decision trees.
//
// Data: rows of discrete variables. A row that misses a value counts neither for the tree of that
// variable nor below a test of it in other trees.
//
// Unified search (the default) grows all trees at once: each step makes the split with the highest
// gain per parameter, in the tree of any variable, unless it would close a cycle. It ends if no
// split gains as much as the prior of the structure requires. Edges are only added; the parents of
// a variable are those that its tree tests. The steps do not depend on kappa, so one run yields the
// networks of several kappas, each contained in the next, and the validation data choose.
//
// Encapsulated search climbs by adding, deleting and reversing edges. The score of a family is the
// score of the tree that is grown only with tests of the parents. It is slower, and may remove
// edges. Each kappa takes its own search.
//
// With pruning, trees grow on where no split pays, as far as the rows allow, and then lose the
// splits that do not pay together with those below them. So a split that helps only after another
// one is found, such as by the second parent of an exclusive or. Encapsulated search still adds one
// edge at a time, and does not find it there.
//
// Guarantee: a local optimum; a unified search with pruning scores no less than one without. Cost
// of unified search: for each leaf, the counts of all candidates.
//
// Sources: Chickering, Heckerman and Meek 1997, A Bayesian approach to learning Bayesian networks
// with local structure; Friedman and Goldszmidt 1996, Learning Bayesian networks with local
// structure; Koller and Friedman, section 18.6.1.
package treebn
