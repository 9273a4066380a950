// Package maxsum plans the methods that choose a joint state by messages of maxima on the factor
// graph: maxprod, trws and mplp.
//
// They share a plan, in which each variable gathers the least sums of its factors and hands some of
// that out again; what each hands out is all that sets them apart. Their tables hold energies,
// which are negated logarithms, so that nothing underflows. It does not answer MAP queries, and
// computes no marginals but the max-marginals of maxprod.
//
// # Method maxprod
//
// Method maxprod is loopy max-product: messages of maxima between the variables and the factors of
// a network, until they settle, and then a joint state that they agree on.
//
// Models: every discrete Bayesian or Markov network whose single factors fit. Queries: maxprod, a
// completion of the evidence, its log-probability, and max-marginals: for each variable how good
// the best completion with each of its states is, as a distribution. Of a Markov network, the
// logarithm is of the product of its potentials, not divided by their sum, which a network of any
// width need not have told. Guarantee: on a factor graph without cycles the completion is a most
// probable one, and max-marginals are exact. Where no component has more than one cycle, states
// that every belief has as its best are proven to be most probable; elsewhere such states can't be
// improved by changing variables whose part of the graph has no component with two cycles. Cost: a
// round takes the table of each factor once for each of its variables.
//
// Messages are energies, negated logarithms, so that nothing underflows, and begin at 0; schedules,
// damping and residuals are those of method belief, with the most probable state of a message as 1.
// A variable hands to each of its factors all that it has but that factor's own message.
//
// Decoding goes through the variables by their distance from the first: each takes the best state
// given those before it. The report then says whether the states are best in every belief
// (converged, or ambiguous where some variable has a second best state that is as good), or not
// (not decodable), or impossible (infeasible).
//
// Sources: Pearl 1988, Probabilistic Reasoning in Intelligent Systems, section 5.3; Weiss and
// Freeman 2001, On the optimality of solutions of the max-product belief-propagation algorithm in
// arbitrary graphs; Koller and Friedman, section 13.4.
//
// # Method trws
//
// Method trws is sequential tree-reweighted message passing: sweeps along an order of the variables
// and back, which raise a bound of what any joint state can be worth until states reach it or the
// bound stands still.
//
// Models: every discrete Bayesian or Markov network whose single factors fit, of factors over any
// number of variables. Queries: trws, a completion of the evidence, its log-probability and an
// upper bound of that of all completions. Of a Markov network, these are of the product of its
// potentials, not divided by their sum. Guarantee: the bound holds at any time and never gets
// worse. Where states reach it, they are proven to be most probable; a gap means that the
// relaxation is not tight, or that the sweeps stand still above its best. Cost: a round takes the
// table of each factor three times for each of its variables: on the way, on the way back, and for
// the states.
//
// At a variable the energies of its factors are gathered, and handed out again to the factors that
// have variables ahead: to each the same share, one by the number of those ahead or of those
// behind, whichever is more. The rest stays where it is. On the way back every factor has handed
// all that it had to its first variable, so that the bound is what the variables have kept. With
// factors over two variables this is Kolmogorov's TRW-S; over more, his sequential reweighted
// message passing with messages to single variables.
//
// States are chosen along the order after each round, each the best given those before it; the best
// of all rounds are the answer. The method stops where they reach the bound (to 1e-7), or after two
// rounds that moved the bound by no more than the tolerance: then either the beliefs have ties, as
// weak tree agreement may leave them (ambiguous), or not (not decodable).
//
// Sources: Kolmogorov 2006, Convergent tree-reweighted message passing for energy minimization;
// Kolmogorov 2015, A new look at reweighted message passing; Koller and Friedman, box 13.A.
//
// # Method mplp
//
// Method mplp is max-product linear programming by star updates: block-coordinate descent on the
// dual of the linear relaxation, which raises a bound of what any joint state can be worth until
// states reach it or the bound stands still.
//
// Models: every discrete Bayesian or Markov network whose single factors fit, of factors over any
// number of variables. Queries: mplp, a completion of the evidence, its log-probability and an
// upper bound of that of all completions. Of a Markov network, these are of the product of its
// potentials, not divided by their sum. Guarantee: the bound holds at any time and never gets
// worse. Where states reach it, they are proven to be most probable; a gap means that the
// relaxation is not tight, or that the updates stand still above its best. Cost: a round takes the
// table of each factor three times for each of its variables.
//
// At a variable the energies of its factors are gathered, and handed out again in equal shares,
// which makes all of its factors agree about it (counting numbers of one for factors and of none
// for variables). A round goes along the variables by their distance from the first, and back; the
// bound is the sum of what each factor got from its last variable. States are chosen, and the
// method stops, as in method trws, which keeps energies moving along the order and so takes fewer
// rounds.
//
// Sources: Globerson and Jaakkola 2007, Fixing max-product: convergent message passing algorithms
// for MAP LP-relaxations; Sontag, Globerson and Jaakkola 2011, Introduction to dual decomposition
// for inference; Koller and Friedman, section 13.5.
package maxsum
