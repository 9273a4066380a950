// Package spn holds sum-product networks while they are learned: likelihoods of rows, EM for their
// weights, and the conversion of a network into a model's circuit. It searches for no structure,
// and reads and writes no files.
//
// A [Network] consists of blocks of nodes: distributions of a variable, products, and sums with a
// matrix of weights from the nodes of some blocks to the nodes of another. A message of a tree is
// therefore one block. The networks of the literature have blocks of one node. The learner must
// build blocks that are smooth and decomposable.
//
// Eight rows are evaluated at once. For each row a block holds numbers and the logarithm of their
// scale, so that products over thousands of variables do not underflow. Expected counts are summed
// within parts of the data, in a number that does not depend on the number of goroutines, and then
// over the parts in order. The results therefore do not depend on it either.
//
// Sources: Poon and Domingos 2011, Sum-product networks: a new deep architecture; Darwiche 2003, A
// differential approach to inference in Bayesian networks (expected counts by one pass up and one
// down); Peharz et al. 2016, On the latent variable interpretation in sum-product networks (EM).
package spn
