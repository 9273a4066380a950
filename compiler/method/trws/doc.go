// Package trws plans sequential tree-reweighted message passing: sweeps along an order of the variables and back, which raise a bound of what
// any joint state can be worth until states reach it or the bound stands still.
//
// Models: every discrete Bayesian or Markov network whose single factors fit, of factors over any number of variables. Queries: trws, a
// completion of the evidence, its log-probability and an upper bound of that of all completions. Of a Markov network, these are of the product
// of its potentials, not divided by their sum. Guarantee: the bound holds at any time and never gets worse. Where states reach it, they are
// proven to be most probable; a gap means that the relaxation is not tight, or that the sweeps stand still above its best. Cost: a round takes the
// table of each factor three times for each of its variables: on the way, on the way back, and for the states.
//
// At a variable the energies of its factors are gathered, and handed out again to the factors that have variables ahead: to each the same share,
// one by the number of those ahead or of those behind, whichever is more. The rest stays where it is. On the way back every factor has handed all
// that it had to its first variable, so that the bound is what the variables have kept. With factors over two variables this is Kolmogorov's TRW-S; over
// more, his sequential reweighted message passing with messages to single variables.
//
// States are chosen along the order after each round, each the best given those before it; the best of all rounds are the answer. The method
// stops where they reach the bound (to 1e-7), or after two rounds that moved the bound by no more than the tolerance: then either the beliefs have
// ties, as weak tree agreement may leave them (ambiguous), or not (not decodable).
//
// Sources: Kolmogorov 2006, Convergent tree-reweighted message passing for energy minimization; Kolmogorov 2015, A new look at reweighted
// message passing; Koller and Friedman, box 13.A.
package trws
