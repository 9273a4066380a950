// Package meanfield plans naive mean field: the distribution of independent variables that is
// nearest to the network's, optimized variable by variable.
//
// Models: every discrete Bayesian, Markov or dependency network, each factor of which fits in a
// table. Queries: meanfield, the marginals of the approximation and, except for dependency
// networks, a lower bound of ln P(evidence). Guarantee: the bound holds and no update makes it
// worse; that is, the Kullback-Leibler divergence from the approximation to the network's posterior
// never increases. So the loop converges, to an optimum that depends on the start. Marginals may be
// far off. Cost: an iteration reads, for each factor, its table once for each of its variables.
//
// An update sets a variable's marginal to exp of the expected logarithm of all its factors under
// the marginals of their other variables, times its likelihood, normalized. The averages are of
// energies, the logarithms of a factor's largest number divided by each number, which are at least
// 0. A zero has the energy of 2^-1022 relative to the largest number, which makes zeros improbable,
// and never NaN. Schedule roundrobin updates the variables in the order of the model. Schedule
// queue updates each variable once, and then whenever a variable that its update reads has changed,
// first come, first served, as Lowd and Shamaei do. An iteration is as many updates as there are
// variables.
//
// The start is each variable's likelihood, normalized. In a symmetric model that may be a saddle
// point, which no update leaves, with a bound far below what mean field can reach: two spins with a
// positive coupling both stay at one half. With start=random the start is the likelihood times
// numbers drawn from the seed during planning, so that a compiled query starts where the
// interpreted one does. Different seeds may converge to different optima; the one with the best
// bound is nearest to the posterior.
//
// In a Markov network the bound is that of the sum of the product. The shown ln P(evidence) is
// relative to the bound without evidence, and so is only an estimate.
//
// In a dependency network an update reads only the variable's own CPD, as Gibbs sampling does
// there. It averages a tree from its leaves up, node by node, so that no table is built, unless
// some path tests a variable twice. A CPD of features needs no table either: its normalization is
// the same for all states of its child, so each feature is averaged separately. Inconsistent CPDs
// may keep the loop from converging, which the report says, and there is no bound. With
// mean=probability the averages are of probabilities instead of logarithms. Libra 1.1.2 computes
// this, although algorithm 1 of the paper does not: on nltcs the marginals equal the program's to
// all five digits, and are far nearer those of Gibbs sampling if little is observed.
//
// The method cannot detect impossible evidence unless a likelihood is zero everywhere: the bound is
// then very low.
//
// Of sequences, infer.Engine.MeanFieldPath and pgmc query --smooth take the options Iterations,
// Tolerance, Start and Seed for structured mean field, in which each variable that persists is a
// chain over the slices.
//
// Sources: Haft, Hofmann and Tresp 1999, Model-independent mean-field theory as a local method for
// approximate propagation of information; Lowd and Shamaei 2011, Mean field inference in dependency
// networks; Saul, Jaakkola and Jordan 1996, Mean field theory for sigmoid belief networks; Koller
// and Friedman, section 11.5.1.
package meanfield
