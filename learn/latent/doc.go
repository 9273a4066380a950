// Package latent learns trees with latent variables: the learners hclt and ltm.
//
// A hidden Chow-Liu tree (hclt) has one latent variable, with a given number of states, for each
// variable of the data, which is its leaf. The latent variables are joined as in the Chow-Liu tree
// of the data. A latent tree model (ltm) decides where latent variables are needed, by recursive
// grouping in the neighbourhoods of the Chow-Liu tree (CLRG), from distances that are additive
// along the paths of a tree; observed variables may be adjacent. EM on the circuit of the tree fits
// the parameters of both, with rows in batches.
//
// Data: rows of discrete variables; missing values are summed out. Guarantee: no round of EM lowers
// the likelihood with the pseudo-counts; the result is a local optimum. For ltm, the tree is the
// true one if distances are exact and every latent variable has at least three neighbours. With
// validation data, the number of latent states is the best of several, and the weights are the best
// round's. Cost: a round of EM takes, for each row and edge, the product of the numbers of states
// of both ends.
//
// The distance of two variables is minus the logarithm of their correlation: the root of the mean
// square contingency, which for two binary variables is |det P_ij| / sqrt(det P_i det P_j). It is
// additive if latent variables are binary.
//
// A stopped search continues from a checkpoint: the round of EM and its weights, and the best
// earlier result.
//
// Sources: Choi, Tan, Anandkumar and Willsky 2011, Learning latent tree graphical models; Liu and
// Van den Broeck 2021, Tractable regularization of probabilistic circuits (hidden Chow-Liu trees).
package latent
