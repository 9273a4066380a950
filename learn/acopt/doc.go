// Package acopt fits the parameters of a circuit to data by maximum likelihood, or to a network by
// minimum divergence. It leaves the nodes of the circuit as they are.
//
// The circuit is the initial model, or without one, a product of marginals. The variables of the
// fit are the logarithms of its parameters; L-BFGS moves them with exact derivatives. A parameter
// that is 0 stays 0.
//
// For data, the circuit need not sum to 1 and need not be deterministic: the objective is the
// logarithm of its value at each row minus the logarithm of its sum over all joint states. Missing
// values are summed out.
//
// For a network P, the objective is the divergence KL(Q||P) of the circuit Q, which must be
// deterministic. This is a variational approximation in which Q may be any circuit; mean field has
// a product of marginals. The problem is not convex, and the result is a local minimum.
//
// acopt does not search for a structure. For circuits with latent variables it finds a local
// maximum.
//
// Cost: in each step, a pass up and down the circuit for each distinct row, or for each joint state
// of each factor of the network.
//
// A stopped fit continues from a checkpoint with the weights and the steps that L-BFGS remembers.
//
// Sources: Darwiche 2003, A differential approach to inference in Bayesian networks, for
// derivatives; Lowd and Domingos 2010, Approximate inference by compilation to arithmetic circuits,
// for the divergence; Lowd and Rooshenas 2015, The Libra toolkit for probabilistic models.
package acopt
