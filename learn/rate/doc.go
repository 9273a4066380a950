// Package rate rates models by rows of data, and learned structures by the true one.
//
// Rows gives the log-likelihood and the pseudo-log-likelihood of rows that miss no value, which take
// no inference. The pseudo-log-likelihood of a row is the sum over variables of the logarithm of the
// probability of their state given the states of all others. In a Bayesian or a Markov network it
// follows from the factors that hold the variable, since all others are the same for each of its
// states; in a dependency network it is the product of the CPDs. The probability of a row is the
// product of the CPDs of a Bayesian network. That of a Markov network takes its partition function,
// and that of a dependency network is estimated, state by state.
//
// The probability of a part of a row given another part takes inference, which the caller brings as
// an Inference. On it stand conditional log-likelihoods, of the part as a whole (Conditional) or of
// each of its variables on its own (Marginal), the Protocol that draws more and more of a row as
// evidence, and the log-likelihood of rows of dependency networks (InTurn). A paired t-test says
// which of two models rates rows better. CompareStructures compares class graphs.
//
// Cost of a row: one look into each table for each state of its variables; the way through each
// tree, once for each variable on it.
//
// Sources: Lowd and Shamaei 2011, Mean field inference in dependency networks: an empirical study,
// for the protocol; Besag 1975, Statistical analysis of non-lattice data; Heckerman et al. 2000,
// Dependency networks for inference, collaborative filtering, and data visualization; Welford 1962,
// for means and their errors; Koller and Friedman, section 16.2.3, and Tsamardinos, Brown and
// Aliferis 2006, The max-min hill-climbing Bayesian network structure learning algorithm, for the
// distance of structures.
package rate
