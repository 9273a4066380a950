// Package acmn learns a log-linear Markov network over conjunctions together with an arithmetic circuit of it (ACMN), so that queries of what is
// learned are exact and cost no more than the circuit has edges.
//
// It begins with a feature for each state of each variable. A split of a feature f on a state adds two, f with the state and f
// without it, and keeps f. The one is made whose
//
//	gain in log-likelihood - penalty of a split - penalty of an edge * edges that it adds to the circuit
//
// is best. The gain is that of the best weights of the two new features while all others stay, less the priors: a concave problem of two
// variables, whose numbers are how often the features hold in the data and in the model. How often a feature holds with each state of
// each variable is one pass over the circuit and back. Gains and costs wait in a heap as they were when last found. On top they are found
// again: gains of many candidates in lanes of one pass over the circuit, costs of several at once. Whenever the features have grown by
// a fiftieth, the weights of all are fitted, by L-BFGS, or OWL-QN where there is an L1 penalty; until then those of new ones are what is
// best while all others stay.
//
// At first a feature has no candidates that bring little beside its best. Where the search ends before the circuit is full, they all
// become candidates, and penalties begin anew.
//
// Circuits are summed by plain numbers. The factors of single variables are scaled for that, so that the sum over all joint states
// stays near 1 however many variables there are.
//
// Restarts go on from the best result so far without a random few of its splits, and the validation data choose.
//
// It is no pseudo-likelihood learner: the likelihood and its gradient are exact, by the circuit. A value that a row misses is drawn from
// the marginal distribution of its variable. With validation data, the splits are taken back after the best of them. A search that was
// stopped goes on from a checkpoint.
//
// Sources: Lowd and Rooshenas 2013, Learning Markov networks with arithmetic circuits; Della Pietra, Della Pietra and Lafferty 1997, Inducing
// features of random fields, for gains; Lowd and Rooshenas 2015, The Libra toolkit for probabilistic models.
package acmn
