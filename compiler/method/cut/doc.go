// Package cut plans method cut: probable completions by minimum cuts of graphs.
//
// The energy of a joint state is the negated logarithm of the product of the factors. If all
// factors are over at most two variables of two states each, and submodular (see [model.Energies]),
// one cut of a graph with a node for each variable finds the least energy, however wide the network
// is. If some are not submodular, a graph with two nodes for each variable decides some of the
// variables as every best completion does, and gives a bound (roof duality); answers and packages
// say which. The rest is decided one variable after the other, and then improved by moves.
// Variables with more states are improved only by moves: alpha-expansion, in which every variable
// may take one state, or alpha-beta swap, in which all variables in one of two states choose again
// between them. What is not submodular in a move is lowered until it is, so that no expansion
// raises the energy.
//
// Models: Bayesian and Markov networks with factors over at most two variables with more than one
// state. Query: cut, a completion of the evidence, its log-probability, and an upper bound for all
// completions. In a Markov network these are of the product of its potentials, not divided by the
// partition function. Guarantee: with two states and submodular energies the completion is a most
// probable one, and the first of several. Otherwise no move improves it, and the report proves it
// best if it reaches the bound, as roof duality often does. With more than two states the bound is
// that of some sweeps of sequential tree-reweighted message passing; package maxsum has more of
// them. Expansion is within a factor of two of the least energy of a network of Potts potentials,
// if energies are at least 0. Cost: a round takes one maximum flow for each move: as many as
// states, or pairs of states. The first also takes up to 50 sweeps, which read the tables of pairs
// twice each.
//
// Capacities are rounded to multiples of a power of two, with 50 bits for the largest sum at a
// node, so that flows are exact, and equal sums of energies tie. Variables that a minimum cut may
// put on either side take the first state.
//
// Sources: Greig, Porteous and Seheult 1989, Exact maximum a posteriori estimation for binary
// images; Boykov, Veksler and Zabih 2001, Fast approximate energy minimization via graph cuts;
// Kolmogorov and Zabih 2004, What energy functions can be minimized via graph cuts?; Kolmogorov
// 2006, Convergent tree-reweighted message passing for energy minimization; Kolmogorov and
// Rother 2007, Minimizing nonsubmodular functions with graph cuts: a review; Koller and Friedman,
// section 13.6.
package cut
