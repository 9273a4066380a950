// Package spn holds sum-product networks while they are learned: likelihoods of rows, EM for their weights, and the circuit that a network
// becomes as a model. It finds no structure, and reads and writes no files.
//
// A [Network] is made of blocks of nodes: distributions of a variable, products, and sums whose weights are a matrix from the nodes
// of some blocks to those of another, so that a message of a tree is one block. Blocks of one node are the networks of the literature.
// Each block is smooth and decomposable; the learner that makes it sees to that.
//
// Rows are evaluated eight at once. A block has numbers and a logarithm of their scale for each row, so that products over
// thousands of variables do not underflow. Expected counts are added up in parts of the data whose number does not depend on the number
// of goroutines, and then in order, so that results don't either.
//
// Sources: Poon and Domingos 2011, Sum-product networks: a new deep architecture; Darwiche 2003, A differential approach to inference in
// Bayesian networks (expected counts by one pass up and one down); Peharz et al. 2016, On the latent variable interpretation in
// sum-product networks (EM).
package spn
