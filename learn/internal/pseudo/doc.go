// Package pseudo fits the weights of conjunctions of tests to the pseudo-likelihood of data: the
// product, over rows and variables, of the probability of a variable's state given all others in
// the row. The result is the log-linear Markov network with the conjunctions as features.
//
// The pseudo-likelihood needs no sum over joint states, so that networks of any width can be
// learned. It is concave in the weights. The objective is its logarithm less a penalty on the size
// of each weight, and less the square of each weight over twice a variance, which is the logarithm
// of a Gaussian prior. L-BFGS maximises it, or OWL-QN if there is a penalty. A weight of minus
// infinity forbids its conjunction and is not changed.
//
// Data: rows of discrete variables. A row without a value of a variable has no factor for that
// variable; a feature with a test of another missing value adds nothing. Cost: for each evaluation,
// each feature and each variable that it tests, the rows in which its other tests hold, which are
// found as sets of rows with a bit for each.
//
// The package chooses no structure; the learners mnweights, l1mn and gssl do.
//
// Sources: Besag 1975, Statistical analysis of non-lattice data; Koller and Friedman, section
// 20.6.1; Höfling and Tibshirani 2009, Estimation of sparse binary pairwise Markov networks using
// pseudo-likelihoods.
package pseudo
