// Package anneal plans simulated annealing: from states that agree with the evidence, variables are drawn given all others, as in Gibbs
// sampling, from their distributions raised to the power 1/T at a temperature T that falls by the same factor each sweep; then each takes its
// best state until none changes. The best states met on the way, from any of several starts, are the answer.
//
// Models: every discrete Bayesian or Markov network. Query: anneal, a completion of the evidence and its value. Guarantee: no change of one
// variable, or of one group of variables that have to change together, makes the last completion of a start better; better ones may exist.
// Cost: a sweep takes, for each variable, its states times the tables of its blanket.
//
// Temperatures are in units of the logarithm of the product of all factors: at 1 sweeps are those of Gibbs sampling. They are chosen by how far
// the numbers of the factors are apart, unless they are given.
//
// Sources: Kirkpatrick, Gelatt and Vecchi 1983, Optimization by simulated annealing; Geman and Geman 1984, Stochastic relaxation, Gibbs
// distributions and the Bayesian restoration of images.
package anneal
