// Package mixture learns mixtures of Chow-Liu trees by EM: a latent class, and in each of its states a tree of its own.
//
// Data: rows of discrete variables. A row that misses a value is left out of the counts of that variable, and has the probability of what
// it does not miss. Guarantee: no round of EM lowers the likelihood of complete rows with the pseudo-counts; a local optimum. With
// validation data, the number of trees is the best of several, and each mixture that of its best round. Cost: a round takes, for each tree,
// the counts of pairs (package trees), their mutual information, and the probability of each row.
//
// The result is a circuit: a sum over trees, each of them in the form of its messages.
//
// A search that was stopped goes on from a checkpoint: the mixture of a round of EM, and the best before.
//
// Source: Meila and Jordan 2000, Learning with mixtures of trees. The random start and the rule for the end follow the mtlearn
// of the Libra toolkit.
package mixture
