// Package treecpd grows decision trees that represent the distribution of one discrete variable
// given others.
//
// A leaf holds the counts of the variable in its rows. A split tests whether another variable has
// one of its states; its gain is the growth of the leaf's score. For a variable of two states one
// test suffices. A row that misses the tested variable counts neither for that split nor below it.
//
// Scores: the marginal likelihood of the counts under a Dirichlet prior, with a pseudo-count for
// each state (marginal) or with an equivalent sample size for the whole tree, shared among leaves
// in proportion to their joint states (bdeu); and the gain in log-likelihood under smoothed
// estimates, as in the Libra toolkit (gain). The prior of a structure is kappa to the power of its
// number of free parameters, so a split that adds one must gain more than -ln kappa. The score gain
// counts splits instead, for any number of states. Splits are compared by gain per parameter.
// Hence the best splits do not depend on kappa, and one tree contains the trees of all smaller
// kappas.
//
// The learners, depnet and treebn, decide which variables may be tested and which tree grows next.
// Cost: for a leaf and a candidate, a few instructions for 64 rows, or for each row if rows have
// weights; for each leaf, its rows.
//
// Sources: Chickering, Heckerman and Meek 1997, A Bayesian approach to learning Bayesian networks
// with local structure; Heckerman et al. 2000, Dependency networks for inference, collaborative
// filtering, and data visualization; Koller and Friedman, section 18.6.1; Lowd and Rooshenas 2015,
// The Libra toolkit.
package treecpd
