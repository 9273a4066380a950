// Package mnweights fits the weights of a given Markov network to data by pseudo-likelihood
// (package pseudo).
//
// The network is the initial model, or without one, the network of all pairs of variables, with a
// feature for each pair of states without the first ones. Each feature of a potential that lists
// features has a weight, and so has each number of any other potential, if its table is not too
// large. The structure stays. A number that is 0 stays 0. The CPDs of a Bayesian network become
// potentials.
//
// mnweights searches for no structure and does not maximise the likelihood; for networks of small
// width, learner em and learn.FitParameters do.
//
// Sources: Lowd and Rooshenas 2015, The Libra toolkit for probabilistic models (mnlearnw); Höfling
// and Tibshirani 2009, Estimation of sparse binary pairwise Markov networks using
// pseudo-likelihoods, for all pairs with a penalty.
package mnweights
