// Package mixture learns mixtures of Chow-Liu trees by EM: a latent class with a separate tree in
// each of its states.
//
// Data: rows of discrete variables. A row that misses a value is left out of the counts of that
// variable; its probability is the probability of its observed values. Guarantee: no round of EM
// lowers the likelihood of complete rows with the pseudo-counts; the result is a local optimum.
// With validation data, the number of trees is the best of several, and each mixture is from its
// best round. Cost: a round takes, for each tree, the counts of pairs (package trees), their mutual
// information, and the probability of each row.
//
// The result is a circuit: a sum over trees, each in the form of its messages.
//
// A stopped search continues from a checkpoint with the mixture of a round of EM and the best
// earlier one.
//
// Source: Meila and Jordan 2000, Learning with mixtures of trees. The random start and the stopping
// rule are as in mtlearn of the Libra toolkit.
package mixture
