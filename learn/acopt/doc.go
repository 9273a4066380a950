// Package acopt fits the numbers of a circuit to data by maximum likelihood, or to a network by least divergence, and leaves its nodes as
// they are.
//
// The circuit is the model to begin from, or without one a product of marginals. What is moved are the logarithms of its numbers, by
// L-BFGS with exact derivatives; a number that is 0 stays 0.
//
// For data, the circuit needs not sum to 1, nor be deterministic: what is maximised is the logarithm of its value at each row, less that of
// its sum over all joint states. Values that a row misses are summed out.
//
// For a network P, what is minimised is the divergence KL(Q||P) of the circuit Q, which has to be deterministic: a variational
// approximation in which Q may be any circuit, where mean field has a product of marginals. It is not convex, and a local minimum
// is found.
//
// It is no search for a structure, and of circuits with latent variables it finds a local maximum.
//
// Cost: a pass through the circuit and back for each different row, or each joint state of each factor of the network, and step.
//
// A fit that was stopped goes on from a checkpoint: the weights, and the steps that L-BFGS remembers.
//
// Sources: Darwiche 2003, A differential approach to inference in Bayesian networks, for derivatives; Lowd and Domingos 2010, Approximate
// inference by compilation to arithmetic circuits, for the divergence; Lowd and Rooshenas 2015, The Libra toolkit for probabilistic models.
package acopt
