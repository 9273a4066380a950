// Package acmn measures again what Lowd and Rooshenas 2013, Learning Markov networks with
// arithmetic circuits, measured: tractable models learned from twelve data sets, their likelihoods,
// their answers by how much of a row is observed, and how far the two most alike are apart.
package acmn
