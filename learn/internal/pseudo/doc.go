// Package pseudo fits the weights of conjunctions of tests to the pseudo-likelihood of data: the
// product, over rows and variables, of the probability of a variable's state given all others in
// the row. What it fits is the log-linear Markov network whose features they are.
//
// The pseudo-likelihood needs no sum over joint states, so that networks of any width can be
// learned. It is concave in the weights. What is maximised is its logarithm less a penalty for the
// size of each weight and less the square of each over twice a variance, which is the logarithm of
// a Gaussian prior; by L-BFGS, or OWL-QN where there is a penalty. A weight of minus infinity
// forbids what it is for, and stays.
//
// Data: rows of discrete variables. In a row that misses the variable that is asked about, there is
// no factor for it; a feature that tests another value that is missing adds nothing. Cost: for each
// evaluation, each feature and each variable that it tests, the rows in which its other tests hold,
// which are found as sets of rows with a bit for each.
//
// The package decides on no structure: that is what the learners do, mnweights, l1mn and gssl.
//
// Sources: Besag 1975, Statistical analysis of non-lattice data; Koller and Friedman, section
// 20.6.1; Höfling and Tibshirani 2009, Estimation of sparse binary pairwise Markov networks using
// pseudo-likelihoods.
package pseudo
