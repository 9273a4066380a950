// Package ldfm plans sampling in latent dependency forest models: Markov chains over the states of
// all variables, which average to estimate posteriors.
//
// Models: those of kind model.Forest, LDFM and LDFM-S. Query: gibbs, the marginals of all
// variables. Nothing is exact: the sum of the weights of all joint states is #P-hard, and so there
// is no ln P. Guarantee: estimates with standard errors, as of method gibbs, if a chain can reach
// all states; with zero weights it may not.
//
// Three samplers have the same stationary distribution. The default, tree, includes the dependency
// tree as a variable (data augmentation). A step draws a variable's state and its parent in the
// tree, given the rest of the tree, and costs the sum of a column of weights. Sampler gibbs sums
// the tree out. The weight of a variable's state is then a determinant, which the Schur complement
// gives from the inverse of the matrix without the variable; see pgmrt.ForestSchur. It mixes better
// per sweep. Sampler determinant does the same by a factorization for each state, and is the
// reference for the others.
//
// The rule of the paper for tree-augmented sampling, that the weight of a state and a parent is
// that of the edge between them, has another stationary distribution: the edges to the variable's
// children count too, and in LDFM-S the stop weight. A test demonstrates that.
//
// Real variables, which have normal conditionals (see model.LDFM), need sampler tree. Given the
// tree, a real variable is normal below each candidate parent, times the normal densities of its
// children, and the weight of a candidate is the integral. The answers are means and variances,
// averages of those of the mixture in each sweep. With the tree summed out, the density of a real
// variable is a mixture over all trees.
//
// Cost of a sweep, with n variables of K states and s weights that differ between states: n²K for
// tree, and for each real variable n logarithms and exponentials; n³ + n·K·(s·n + s³) for gibbs, or
// (K-1)·n⁴ if s is large; K·n⁴ for determinant.
//
// Sources: Chu, Jiang and Tu 2017, Latent dependency forest models; Tanner and Wong 1987, The
// calculation of posterior distributions by data augmentation; McDonald and Satta 2007, On the
// complexity of non-projective data-driven dependency parsing (matrix-tree theorem).
package ldfm
