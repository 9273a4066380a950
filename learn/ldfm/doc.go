// Package ldfm learns latent dependency forest models by EM: the weights of all edges between states of variables, without a search for a
// structure.
//
// Data: rows of discrete and real variables. Of a row that misses values, the forest spans the variables that it has. What is maximised is the
// weight of each row, which is the probability that the model's generating process makes it, and not that over the sum of all
// joint states, which nobody can compute (Chu, Jiang and Tu 2017, section Learning). Guarantee: no round of EM lowers that with the
// logarithm of the prior; a local optimum. Cost: a round takes the cube of the number of variables for each row that differs from others.
//
// The E-step gives the share of each edge in the sum over trees from one factorisation (model.Spanning). Rows are divided into parts
// that do not depend on the number of cores, and the sums of the parts added in their order. All weights begin equal.
//
// The prior is the modified Dirichlet distribution, whose parameters may be negative, over weights of at least some epsilon: what has
// too small a count is cut to epsilon, and the more so the smaller alpha is. Learner ldfm-s has a stop weight in each row, whose count is that of
// the rows with the state, since every node stops once. With validation data, the best of several alphas is taken, by
// pseudo-log-likelihood.
//
// Of real variables the paper says that a bivariate normal distribution could be assumed. Here the weight of an edge to one is a number
// times a normal density, whose mean is linear in the value above where that is real too; see model.LDFM. Its M-step is weighted least
// squares, with a variance of at least a share of the variable's own. Values are standardised while EM runs. With validation data, alphas
// are rated by the weight of its rows.
//
// Where there are more weights above epsilon than there may be, when EM ends, those that are expected least often are cut to epsilon, and EM goes
// on with the others.
//
// A search that was stopped goes on from a checkpoint: the weights of a round of EM, and the best before.
//
// Sources: Chu, Jiang and Tu 2017, Latent dependency forest models; McDonald and Satta 2007, On the complexity of non-projective data-driven
// dependency parsing; Tu 2016, Modified Dirichlet distribution: allowing negative parameters to induce stronger sparsity.
package ldfm
