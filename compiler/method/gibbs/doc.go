// Package gibbs plans Gibbs sampling: Markov chains that draw one variable after the other given
// all others, and average to estimate posteriors.
//
// Models: every discrete Bayesian, Markov or dependency network. In a dependency network a variable
// is drawn from its own CPD, in the order of the model (the ordered pseudo-Gibbs sampler of
// Heckerman and others 2000); its CPDs need not be consistent with a joint distribution. Query:
// gibbs, the marginals of all variables. Guarantee: estimates, with standard errors, the effective
// sample size and split R-hat in the report. They converge to the posterior as the number of sweeps
// grows, if a chain can reach all states. Cost: a sweep takes, for each variable, its number of
// states times the number of tables of its blanket.
//
// Estimates are Rao-Blackwellised: a chain averages the probabilities from which it draws a state,
// not the states. Blankets are compiled: the tables of a variable's factors are multiplied if the
// product is small, and their rows are scaled.
//
// The zeros of a factor, such as a deterministic function, may keep its variables from changing one
// at a time. Such variables are drawn together, along with those of other such factors that share
// some of them, if they have few joint states. If they have many, a warning says that the chain may
// not reach all states. A chain starts from a joint state that agrees with the evidence, which a
// search with backjumping finds. If no such state exists, the evidence is impossible. If the search
// gives up, an error says so.
//
// A decision tree or a set of features whose table is large is used as a tree, without the table.
//
// Sources: Geman and Geman 1984, Stochastic relaxation, Gibbs distributions and the Bayesian
// restoration of images; Gelfand and Smith 1990, Sampling-based approaches to calculating marginal
// densities (Rao-Blackwellisation); Jensen, Kong and Kjærulff 1995, Blocking Gibbs sampling in very
// large probabilistic expert systems; Heckerman, Chickering, Meek, Rounthwaite and Kadie 2000,
// Dependency networks; Vehtari, Gelman, Simpson, Carpenter and Bürkner 2021, Rank-normalization,
// folding, and localization: an improved R-hat; Dechter 1990, Enhancement schemes for constraint
// processing.
package gibbs
