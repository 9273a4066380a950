// Package ges learns a class of structures with the same independences by greedy search over
// classes (greedy equivalence search). It first inserts the edge that improves the score most until
// no insertion does, and then deletes edges in the same way.
//
// Data: rows of discrete variables, or of real ones. With both, discrete children take no real
// parents, and the structures of a class differ in score. A row that misses a value of a family is
// left out of that family's counts; the structures of a class then have different counts, which the
// search ignores.
// The score must be equal for all structures of a class; k2 is not. Guarantee: with a consistent
// score, a distribution that has exactly the independences of a structure, and enough rows, the
// result is the class of that structure. Otherwise it is a class that no single edge improves.
// Cost: for each pair of variables, the scores of as many families as there are cliques among the
// neighbours of one.
//
// Unlike hillclimb, it needs no steps that reverse edges within a class, and so cannot get stuck
// there.
//
// Source: Chickering 2002, Optimal structure identification with greedy search (theorems 15 and 17,
// corollaries 16 and 18); Koller and Friedman, section 18.4.4.
package ges
