// Package acmn learns a log-linear Markov network over conjunctions together with its arithmetic
// circuit (ACMN). Inference in the learned model is exact and linear in the edges of the circuit.
//
// It begins with a feature for each state of each variable. A split of a feature f on a state adds
// two features, f with the state and f without it, and keeps f. The search always makes the split
// with the highest
//
//	gain in log-likelihood - split penalty - edge penalty * edges that it adds to the circuit
//
// The gain is taken at the best weights of the two new features while all other weights stay, less
// the priors: a concave problem of two variables. Its data are how often the features hold in the
// rows and under the model. How often a feature holds with each state of each variable takes one
// pass up and down the circuit. A heap orders the candidates by gains and costs as last computed.
// At the top of the heap they are recomputed: the gains of many candidates in lanes of one pass
// over the circuit, and the costs of several at once. Whenever the number of features has grown by
// a fiftieth, all weights are fitted, by L-BFGS, or by OWL-QN if there is an L1 penalty. Until
// then, new features keep the weights that were best while all others stayed.
//
// At first a feature has no candidates with little gain compared with its best. If the search ends
// before the circuit is full, all of them become candidates, and the penalties start again.
//
// Circuits are evaluated in plain numbers, not in logarithms. The factors of single variables are
// scaled so that the sum over all joint states stays near 1 for any number of variables.
//
// Restarts continue from the best result so far without a few random splits, and the validation
// data choose.
//
// acmn is not a pseudo-likelihood learner: the likelihood and its gradient are exact, by the
// circuit. A missing value is drawn from the marginal distribution of its variable. With validation
// data, the splits after the best one are undone. A stopped search continues from a checkpoint.
//
// Sources: Lowd and Rooshenas 2013, Learning Markov networks with arithmetic circuits; Della
// Pietra, Della Pietra and Lafferty 1997, Inducing features of random fields, for gains; Lowd and
// Rooshenas 2015, The Libra toolkit for probabilistic models.
package acmn
