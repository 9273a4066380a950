// Package ges learns a class of structures that say the same independences, by greedy search over classes: first the insertion of an edge that
// improves the score most, until none does, then the deletion, until none does (greedy equivalence search).
//
// Data: rows of discrete variables; a row that misses a value of a family is left out of that family's counts, so that the structures of a class
// differ in what they count, of which the search takes no notice. The score must be the same for all
// structures of a class, which k2 is not. Guarantee: with a consistent score, a distribution without other independences than those of a structure,
// and as many rows as it takes, the class of that structure; otherwise a class that no single edge improves. Cost: for each pair of variables, the
// scores of as many families as there are cliques among the neighbours of one.
//
// Unlike hillclimb it needs no steps that turn edges round within a class, and so is not stuck there.
//
// Source: Chickering 2002, Optimal structure identification with greedy search (theorems 15 and 17, corollaries 16 and 18); Koller and Friedman,
// section 18.4.4.
package ges
