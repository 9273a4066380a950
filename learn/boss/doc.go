// Package boss learns a network by best order score search: it moves one variable after the other
// to the position in an order of the variables that improves the score most, until none moves. The
// score of an order is the score of the network in which each variable has the parents that greedy
// search finds among its predecessors. At the end it deletes edges as the second phase of ges does,
// and searches again from the result if that improves the score.
//
// Data: rows of discrete and real variables. A row that misses a value of a family is left out of
// that family's counts. Guarantee: no move of one variable improves the final order. Cost: for each
// variable, the scores of the families on the ways of the greedy search for all prefixes; trees
// share them between orders, and between the searches from random orders. In practice two to six
// times the time of ges.
//
// Discrete variables may have real parents if softmax CPDs are allowed. Without required parents,
// the search finds no exclusive or: no single parent improves the score. The deletions are left out
// if the structures of a class differ in score: for k2, for data with discrete and real variables,
// and for steps of sequences.
//
// Source: Andrews, Ramsey, Sanchez-Romero, Camchong and Kummerfeld 2023, Fast scalable and accurate
// discovery of DAGs using the best order score search and grow-shrink trees. See package orders
// for how the greedy search differs from theirs.
package boss
