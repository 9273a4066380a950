// Package auto learns the structure of a Bayesian network by the search that found the best scores
// in our measurements; it is the learner that runs if none is named. Four phases follow each other,
// each from the best structure so far: greedy search over classes (see ges), best order score search
// (see boss), tabu search over edges (see hillclimb), and perturbations. A perturbation moves a few
// random variables of the order to random places and repairs the order. The first phase is left out
// if the structures of a class differ in score, and if there is an initial model, which boss then
// begins with.
//
// Data: rows of discrete and real variables. A row that misses a value of a family is left out of
// that family's counts. Guarantee: a local optimum of both kinds of moves. The number of
// perturbations, and not a time, bounds the search, so that the result is the same on any machine
// and number of cores. Cost: as boss, and for each perturbation the moves of the variables around
// it, for which most scores are known.
//
// Sources: see ges, boss and hillclimb; Lourenço, Martin and Stützle 2003, Iterated local search, for
// perturbations.
package auto
