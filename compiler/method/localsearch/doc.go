// Package localsearch plans the methods that search for a good completion by changing a variable,
// or a group of variables, at a time: icm, tabu and anneal.
//
// They share starts, moves and the memory of the best states met, and differ in which move they
// make. None of them proves that no better completion exists; for bounds see package maxsum, and
// for proofs the exact methods.
//
// # Method icm
//
// Method icm is iterated conditional modes: from states that agree with the evidence, each variable
// in turn takes its best state given all others, until none changes; and so from several starts, of
// which the best end is the answer.
//
// Models: every discrete Bayesian or Markov network. Query: icm, a completion of the evidence and
// its value. Guarantee: no change of one variable, or of one group of variables that have to change
// together, makes the completion better; better ones may exist. Cost: a sweep takes, for each
// variable, its states times the tables of its blanket.
//
// Starts are drawn by the search of Gibbs sampling, which proves impossible evidence to be so.
// Zeros are kept: no state of weight zero is ever entered. Latent variables are maximised over as
// the others are.
//
// Source: Besag 1986, On the statistical analysis of dirty pictures.
//
// # Method tabu
//
// Method tabu is tabu search: from states that agree with the evidence, the change of one variable
// is made that raises the value most, or where none does lowers it least; a state that was left is
// not taken up again for some moves, the tenure, unless that leads to a better value than any
// before (aspiration). The best states met, from any of several starts, are the answer.
//
// Models: every discrete Bayesian or Markov network. Query: tabu, a completion of the evidence and
// its value. Guarantee: no change of one variable, or of one group of variables that have to change
// together, makes the completion better, where the report says so; better ones may exist. Cost: a
// move looks at the value of every change, and works out again those of the variables that share a
// factor with the one that changed.
//
// Changes that are as good as each other are drawn from, so that seeds differ on plateaus.
//
// Source: Glover 1989, Tabu search, part I.
//
// # Method anneal
//
// Method anneal is simulated annealing: from states that agree with the evidence, variables are
// drawn given all others, as in Gibbs sampling, from their distributions raised to the power 1/T at
// a temperature T that falls by the same factor each sweep; then each takes its best state until
// none changes. The best states met on the way, from any of several starts, are the answer.
//
// Models: every discrete Bayesian or Markov network. Query: anneal, a completion of the evidence
// and its value. Guarantee: no change of one variable, or of one group of variables that have to
// change together, makes the last completion of a start better; better ones may exist. Cost: a
// sweep takes, for each variable, its states times the tables of its blanket.
//
// Temperatures are in units of the logarithm of the product of all factors: at 1 sweeps are those
// of Gibbs sampling. They are chosen by how far the numbers of the factors are apart, unless they
// are given.
//
// Sources: Kirkpatrick, Gelatt and Vecchi 1983, Optimization by simulated annealing; Geman and
// Geman 1984, Stochastic relaxation, Gibbs distributions and the Bayesian restoration of images.
package localsearch
