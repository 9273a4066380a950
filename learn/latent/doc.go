// Package latent learns trees with latent variables: the learners hclt and ltm.
//
// A hidden Chow-Liu tree (hclt) has a latent variable of a given number of states for each variable of the data, joined as the variables
// are in their Chow-Liu tree, and the variable as its leaf. A latent tree model (ltm) finds where latent variables are needed: by
// recursive grouping in the neighbourhoods of the Chow-Liu tree (CLRG), from distances that are sums along the paths of a tree; a
// variable of the data may have neighbours itself. The parameters of both are learned by EM on the circuit of the tree, rows in batches.
//
// Data: rows of discrete variables; what a row misses is summed out. Guarantee: no round of EM lowers the likelihood with the pseudo-counts;
// a local optimum. For ltm, the tree is the true one where distances are exact and every latent variable has three neighbours or more. With
// validation data the number of latent states is the best of several, and the weights are those of the best round. Cost: a round of EM
// takes, for each row and edge, the product of the states of both ends.
//
// The distance of two variables is minus the logarithm of their correlation: the root of the mean square contingency, which for two
// binary variables is |det P_ij| / sqrt(det P_i det P_j). It is additive where latent variables are binary.
//
// A search that was stopped goes on from a checkpoint: the round of EM and its weights, and the best of the searches before.
//
// Sources: Choi, Tan, Anandkumar and Willsky 2011, Learning latent tree graphical models; Liu and Van den Broeck 2021, Tractable
// regularization of probabilistic circuits (hidden Chow-Liu trees).
package latent
