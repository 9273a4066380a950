// Package orders searches over orders of the variables: it moves one variable after the other to
// its best position. The score of an order is the score of the network in which each variable has
// the parents that greedy search finds among its predecessors.
//
// Greedy search adds the best parent while that improves the score, and then removes or exchanges
// one if that does. From two parents on, it adds only variables that improve the score without
// parents, or beside the one of them that improves it most. This skips most sets, and the skipped
// ones are hardly ever better. A tree for each variable keeps the sets with their scores: two
// prefixes of orders share most of the search.
//
// It knows no data and no options; boss and auto are the learners. Sources: Andrews, Ramsey,
// Sanchez-Romero, Camchong and Kummerfeld 2023, Fast scalable and accurate discovery of DAGs using
// the best order score search and grow-shrink trees, for moves and trees; the exchange of parents
// and the choice of candidates are ours.
package orders
