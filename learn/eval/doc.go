// Package eval rates models by rows of data: by the log-likelihood and the pseudo-log-likelihood of rows that miss no value, which take no
// inference.
//
// The pseudo-log-likelihood of a row is the sum over variables of the logarithm of the probability of their state given the states of
// all others. In a Bayesian or a Markov network it follows from the factors that hold the variable, since all others are the same for
// each of its states; in a dependency network it is the product of the CPDs. The probability of a row is the product of the CPDs of a
// Bayesian network; a Markov network has to be summed over for it, and in a dependency network it is estimated, state by state.
//
// What a model says of a part of a row given another takes inference, which the caller brings: conditional log-likelihoods, of the part
// as a whole or of each of its variables on its own, the protocol that draws more and more of a row as evidence, and the log-likelihood of
// rows of dependency networks. Which of two models rates rows better, a paired t-test says. The log-likelihood
// of rows that miss values is for the interpreter and for compiled packages.
//
// Cost of a row: one look into each table for each state of its variables; the way through each tree, once for each variable on it.
//
// Sources: Lowd and Shamaei 2011, Mean field inference in dependency networks: an empirical study, for the protocol; Besag 1975,
// Statistical analysis of non-lattice data; Heckerman et al. 2000, Dependency networks for inference, collaborative filtering, and data
// visualization; Welford 1962, for means and their errors.
package eval
