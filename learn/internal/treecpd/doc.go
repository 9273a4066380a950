// Package treecpd grows decision trees that hold the distribution of one discrete variable given others.
//
// A leaf holds the counts of the variable in the rows that come to it. A split asks whether another variable has one of its states, and
// is worth what it adds to the score of the leaf; of a variable with two states only one needs to be asked about. A row in which the
// variable asked about has no value counts neither for that split nor below it.
//
// Scores: the marginal likelihood of the counts under a Dirichlet prior, with a pseudo-count for each state (marginal) or with an
// equivalent sample size for the whole tree, shared among leaves by how many joint states they stand for (bdeu); and the gain in
// log-likelihood under smoothed estimates, as the Libra toolkit has it (gain). The prior of a structure is kappa to the power of its
// number of free parameters, so that a split that adds one has to bring more than -ln kappa. Under gain it is the number of splits
// that counts, whatever the number of states. What a split brings is compared by parameter, so that which splits are
// best doesn't depend on kappa, and one tree holds those of all kappas below its own.
//
// The package decides neither which variables may be asked about nor which tree grows next: that is what the learners do, depnet and
// treebn. Cost: of a leaf and a candidate, a few instructions for 64 rows where rows have no weights, and for each row where they have;
// for each leaf, its rows.
//
// Sources: Chickering, Heckerman and Meek 1997, A Bayesian approach to learning Bayesian networks with local structure; Heckerman et al.
// 2000, Dependency networks for inference, collaborative filtering, and data visualization; Koller and Friedman, section 18.6.1;
// Lowd and Rooshenas 2015, The Libra toolkit.
package treecpd
