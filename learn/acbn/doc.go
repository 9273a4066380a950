// Package acbn learns a Bayesian network whose CPDs are decision trees together with an arithmetic circuit of it (LearnAC), so that
// queries of what is learned are exact and cost no more than the circuit has edges.
//
// It begins with independent variables, and splits one leaf at a time on a state of a variable: the one with the best
//
//	gain in log-likelihood - penalty of a split - penalty of an edge * edges that it adds to the circuit
//
// The gain of a split never changes, but its cost does, with the circuit. Costs wait in a heap by what they were when last measured, at
// first 0; what comes to the top is measured again, and measuring is given up where the split breaks even. After a split, costs are taken
// for unknown again of those whose part of the circuit it has touched; with quick they are taken for what they were at least.
//
// It is no search for the network of highest likelihood: learners treebn and hillclimb are, and what they find may take inference of any
// cost.
//
// Rows that miss a value count where it does not matter. With validation data, the splits are taken back after the best of them, and
// leaves are smoothed towards the nodes above them, if that helps: as though there were up to 32 rows more, distributed as at the node
// above.
//
// The search is greedy, and what was split first decides how large the circuit gets for what later splits bring. Restarts go on from the
// best result so far without a random few of its splits, in whose place others may be worth more, and the validation data choose: iterated
// greedy search.
//
// A search that was stopped goes on from a checkpoint: its splits, and the candidates with their gains and costs.
//
// Sources: Lowd and Domingos 2008, Learning arithmetic circuits; Lowd and Rooshenas 2015, The Libra toolkit for probabilistic models, for
// smoothed gains and the falling penalty of edges; Ruiz and Stuetzle 2007, A simple and effective iterated greedy algorithm, for restarts.
package acbn
