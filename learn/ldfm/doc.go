// Package ldfm learns latent dependency forest models by EM: the weights of all edges between
// states of variables, without a search for a structure.
//
// Data: rows of discrete and real variables. If a row misses values, the forest spans the observed
// variables. The objective is the weight of each row: the probability that the generating process
// of the model produces it, without division by the sum over all joint states, which is intractable
// (Chu, Jiang and Tu 2017, section Learning). Guarantee: no round of EM lowers the sum of the log
// weights and the log prior; the result is a local optimum. Cost: a round takes, for each distinct
// row, the cube of the number of variables. EM ends if all further rounds together would gain less
// than a share of 1e-8 of the objective, by Aitken's estimate, or after the most rounds; the report
// says which.
//
// The E-step computes the share of each edge in the sum over trees from one factorisation
// (model.Spanning). Rows are divided into parts that do not depend on the number of cores, and the
// sums of the parts are added in order. All weights start equal.
//
// The prior is the modified Dirichlet distribution, with parameters that may be negative, over
// weights of at least epsilon: a weight with too small a count becomes epsilon. The smaller alpha,
// the more weights do. Learner ldfm-s has a stop weight in each row, with the number of data rows
// with the state as count, since every node stops once. With validation data, the learner tries
// several alphas and takes the best by pseudo-log-likelihood.
//
// For real variables, the paper says that a bivariate normal distribution could be assumed. Here
// the weight of an edge to a real variable is a number times a normal density, with a mean that is
// linear in the parent's value if that is real too; see model.LDFM. Its M-step is weighted least
// squares with a variance of at least a share of the variable's own. Values are standardised while
// EM runs. With validation data, alphas are then compared by the weight of its rows.
//
// If there are more weights above epsilon than MaxEdges when EM ends, those with the smallest
// expected counts are cut to epsilon, and EM continues with the others.
//
// A stopped search continues from a checkpoint with the weights of a round of EM and the best
// earlier result.
//
// Sources: Chu, Jiang and Tu 2017, Latent dependency forest models; McDonald and Satta 2007, On the
// complexity of non-projective data-driven dependency parsing; Tu 2016, Modified Dirichlet
// distribution: allowing negative parameters to induce stronger sparsity.
package ldfm
