// Package hillclimb learns the structure of a Bayesian network by local search: of all edges that can be added, deleted or reversed, the one
// that improves the score most, until none does; with a tabu list also the one that costs least, for a while.
//
// Data: rows of discrete variables; a row that misses a value of a family is left out of that family's counts. Guarantee: a local optimum.
// Cost: after a step, the scores of the families that its one or two variables would have with each other variable more or less; all other
// differences stay as they are.
//
// A bound on the width keeps the search to networks that compile: each step that adds an edge or turns one round is tried out on the graph of the cliques.
//
// It is not for more than some thousand variables, of which it looks at all pairs in each step.
//
// Source: Koller and Friedman, section 18.4.3 (proposition 18.5 for what stays valid); Glover 1986 for tabu search.
package hillclimb
