// Package gibbs plans Gibbs sampling: Markov chains that draw one variable after the other given
// all others, and of which posteriors are the averages.
//
// Models: every discrete Bayesian, Markov or dependency network. In a dependency network a variable
// is drawn from its own CPD, in the order of the model (the ordered pseudo-Gibbs sampler of
// Heckerman and others 2000): what its CPDs say need not go together. Query: gibbs, the marginals
// of all variables. Guarantee: estimates, with standard errors, the effective sample size and split
// R-hat in the report; they approach the posterior as sweeps grow, if a chain can reach all states.
// Cost: a sweep takes, for each variable, its states times the tables of its blanket.
//
// Rao-Blackwellised: what is averaged are the probabilities from which a state is drawn, not the
// states. Blankets are compiled: the tables of a variable's factors are multiplied as far as the
// product stays small, and their rows scaled.
//
// A factor whose zeros keep its variables from changing one at a time, as that of a deterministic
// function, has its variables drawn together, with those of other such factors that share some of
// them, as long as their joint states are few; where they are many, a warning says that the chain
// may not reach all states. A chain starts from a joint state that agrees with the evidence, found
// by a search with backjumping; where there is none, the evidence is impossible. A search that
// gives up says so.
//
// Decision trees and features whose tables are large are walked.
//
// Sources: Geman and Geman 1984, Stochastic relaxation, Gibbs distributions and the Bayesian
// restoration of images; Gelfand and Smith 1990, Sampling-based approaches to calculating marginal
// densities (Rao-Blackwellisation); Jensen, Kong and Kjærulff 1995, Blocking Gibbs sampling in very
// large probabilistic expert systems; Heckerman, Chickering, Meek, Rounthwaite and Kadie 2000,
// Dependency networks; Vehtari, Gelman, Simpson, Carpenter and Bürkner 2021, Rank-normalization,
// folding, and localization: an improved R-hat; Dechter 1990, Enhancement schemes for constraint
// processing.
package gibbs
