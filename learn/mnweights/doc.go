// Package mnweights fits the weights of a given Markov network to data by pseudo-likelihood (package pseudo).
//
// The network is the model to begin from; without one, it is that of all pairs of variables, with a feature for each pair of states but the
// first of each variable. Each feature of a potential that lists features has a weight, and each number of any other potential, whose table
// must not be too large; its structure stays as it is. A number that is 0 stays 0. The CPDs of a Bayesian network become potentials.
//
// It looks for no structure, and it is not the likelihood that is maximised: where the network has small width, the EM learner and
// pgmc fit do that.
//
// Sources: Lowd and Rooshenas 2015, The Libra toolkit for probabilistic models (mnlearnw); Höfling and Tibshirani 2009, Estimation of sparse
// binary pairwise Markov networks using pseudo-likelihoods, for all pairs with a penalty.
package mnweights
