// Package acmn repeats the measurements of Lowd and Rooshenas 2013, Learning Markov networks with
// arithmetic circuits: tractable models learned from twelve data sets, their likelihoods, their
// answers by the share of evidence, and the divergence between the two most similar models.
package acmn
