// Package acopt fits the numbers of a circuit to data by maximum likelihood, and leaves its nodes as they are.
//
// The circuit is the model to begin from, or without one a product of marginals. It needs not sum to 1, nor be deterministic: what is
// maximised is the logarithm of its value at each row, less that of its sum over all joint states, over the logarithms of its numbers, by
// L-BFGS with exact derivatives. A number that is 0 stays 0. Values that a row misses are summed out.
//
// It is no search for a structure, and of circuits with latent variables it finds a local maximum.
//
// Cost: a pass through the circuit and back for each different row and step.
//
// Sources: Darwiche 2003, A differential approach to inference in Bayesian networks, for derivatives; Lowd and Rooshenas 2015, The Libra
// toolkit for probabilistic models.
package acopt
