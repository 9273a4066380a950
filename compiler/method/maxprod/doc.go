// Package maxprod plans loopy max-product: messages of maxima between the variables and the factors of a network, until they settle, and
// then a joint state that they agree on.
//
// Models: every discrete Bayesian or Markov network whose single factors fit. Queries: maxprod, a completion of the evidence, its
// log-probability, and max-marginals: for each variable how good the best completion with each of its states is, as a distribution. Of a Markov
// network, the logarithm is of the product of its potentials, not divided by their sum, which a network of any width need not have told.
// Guarantee: on a factor graph without cycles the completion is a most probable one, and max-marginals are exact. Where no component has more
// than one cycle, states that every belief has as its best are proven to be most probable; elsewhere such states can't be improved by changing
// variables whose part of the graph has no component with two cycles. Cost: a round takes the table of each factor once for each of
// its variables.
//
// Messages are energies, negated logarithms, so that nothing underflows, and begin at 0; schedules, damping and residuals are those of method
// belief, with the most probable state of a message as 1. A variable hands to each of its factors all that it has but that factor's own
// message.
//
// Decoding goes through the variables by their distance from the first: each takes the best state given those before it. The report then says
// whether the states are best in every belief (converged, or ambiguous where some variable has a second best state that is as good), or not
// (not decodable), or impossible (infeasible).
//
// Sources: Pearl 1988, Probabilistic Reasoning in Intelligent Systems, section 5.3; Weiss and Freeman 2001, On the optimality of solutions
// of the max-product belief-propagation algorithm in arbitrary graphs; Koller and Friedman, section 13.4.
package maxprod
