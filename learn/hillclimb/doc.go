// Package hillclimb learns the structure of a Bayesian network by local search. Each step adds,
// deletes or reverses the edge that improves the score most, until none does. With a tabu list, it
// then also takes the step that lowers the score least, for some steps.
//
// Data: rows of discrete and real variables; a row that misses a value of a family is left out of
// that family's counts. Guarantee: a local optimum. Cost: after a step, the scores of the families
// of its one or two children with each other variable added or removed; all other score differences
// stay valid.
//
// Ties go to the first edge by child and then parent, in the canonical order of columns, which does
// not depend on their order in the data. For data with real variables they go by parent and then
// child, as in R's bnlearn: from the data set clgaussian.test, where the first steps are ties, only
// this order leads to the structure that generated it.
//
// Discrete variables may have real parents if softmax CPDs are allowed.
//
// A bound on the width keeps the search to networks that compile: each step that adds or reverses
// an edge is first tried on the graph of the cliques.
//
// With more than some thousand variables it needs a limit on candidate parents, which scores all
// pairs once; a step then scores few families. The candidates of a variable are those that alone
// improve its score most (Scanagatta and others 2015, Learning Bayesian networks with thousands of
// variables), and those that it is a candidate of.
//
// Source: Koller and Friedman, section 18.4.3 (proposition 18.5 for what stays valid); Glover 1986
// for tabu search.
package hillclimb
