// Package meanfield plans naive mean field: the distribution of independent variables that is
// nearest to the network's, found variable by variable.
//
// Models: every discrete Bayesian, Markov or dependency network whose single factors fit. Queries:
// meanfield, the marginals of the approximation and, but for dependency networks, a lower bound of
// ln P(evidence). Guarantee: the bound holds, and no update makes it worse (which is to say that
// the Kullback-Leibler divergence from the approximation to the network's posterior never rises),
// so that the loop settles; where, depends on where it began. Marginals may be far off. Cost: a
// round takes, for each factor, its table once for each of its variables.
//
// An update sets a variable's marginal to exp of the expected logarithm of all factors that have
// it, under the marginals of their other variables, times its likelihood, normalised. What is
// averaged are energies, the logarithms of a factor's largest number over each, so that they are at
// least 0; a number of zero has the energy of 2^-1022 beside the largest, which makes zeros
// improbable, never NaN. Schedule roundrobin updates the variables in the order of the model, and
// queue each one once and then whenever one has moved that its update looks at, first come, first
// served: that is the order of Lowd and Shamaei. A round is as many updates as there are variables.
//
// The start is each variable's likelihood, normalised. In a model that is symmetric that may be a
// saddle point, which no update leaves, and a bound that is far below what mean field can reach: of
// two spins that want to be equal, both stay at one half. With start=random it is the likelihood
// times numbers drawn from the seed when the plan is made, so that a compiled query starts where
// the interpreted one does; several seeds may settle at several optima, of which the one with the
// best bound is the nearest to the posterior.
//
// The bound of a Markov network is of the sum of its product; ln P(evidence) is shown relative to
// the bound without evidence, and so is an estimate.
//
// In a dependency network, an update looks at the variable's own CPD alone, as Gibbs sampling does
// there, and walks a tree from its leaves up, node by node, so that no table is built; but trees
// some path of which tests a variable twice. A CPD of features then needs no table: what it is
// divided by is the same for all states of its child, so that each feature is averaged on its own.
// CPDs that contradict each other may send the loop round for ever, which the report then says, and
// nothing is bounded. With mean=probability it averages probabilities in place of their logarithms,
// which is what Libra 1.1.2 computes, though not what the paper's algorithm 1 says: on nltcs the
// marginals are the program's to all five digits, and far nearer those of Gibbs sampling where
// little is observed.
//
// It cannot tell that evidence is impossible, unless a likelihood is zero everywhere: the bound is
// then very low.
//
// Sources: Haft, Hofmann and Tresp 1999, Model-independent mean-field theory as a local method for
// approximate propagation of information; Lowd and Shamaei 2011, Mean field inference in dependency
// networks; Saul, Jaakkola and Jordan 1996, Mean field theory for sigmoid belief networks; Koller
// and Friedman, section 11.5.1.
package meanfield
