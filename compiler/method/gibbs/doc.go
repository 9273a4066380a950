// Package gibbs plans Gibbs sampling: Markov chains that draw one variable after the other given
// all others, and average to estimate posteriors.
//
// Models: every discrete Bayesian, Markov or dependency network, and Bayesian networks with real
// variables, see below. In a dependency network a variable is drawn from its own CPD, in the order
// of the model (the ordered pseudo-Gibbs sampler of Heckerman and others 2000); its CPDs need not
// be consistent with a joint distribution. Query: gibbs, the marginals of all variables. Guarantee:
// estimates, with standard errors, the effective sample size and split R-hat in the report. They
// converge to the posterior as the number of sweeps grows, if a chain can reach all states. Cost: a
// sweep takes, for each variable, its number of states times the number of tables of its blanket.
//
// Estimates are Rao-Blackwellised: a chain averages the probabilities from which it draws a state,
// not the states. Blankets are compiled: the tables of a variable's factors are multiplied if the
// product is small, and their rows are scaled.
//
// The zeros of a factor, such as a deterministic function, may keep its variables from changing one
// at a time. Such variables are drawn together, along with variables of other such factors that
// share some of them, if they have few joint states. If they have many, a warning says that the
// chain may not reach all states. A chain starts from a joint state that agrees with the evidence,
// which a search with backjumping finds. If no such state exists, the evidence is impossible. If
// the search gives up, an error says so.
//
// A decision tree or a set of features is used as a tree if its table is large.
//
// # Real variables
//
// A real variable with Gaussian CPDs as children is normal given all others, and is drawn from that
// distribution. Its mean and variance are averaged. With a softmax child or a child with an
// expression as mean there is no closed form. The averages are then of the values.
//
// If all such children have softmax CPDs, which are at most 1, the variable is drawn by rejection:
// from the product of its own CPD and its Gaussian children, and each draw is accepted with the
// probability that the softmax CPDs give. An accepted draw is exact, for any value before. If four
// draws in a row are refused, and beside expressions always, the variable makes two Metropolis
// steps: to a draw from the same product, and a random walk of a length that is drawn too, so that
// nothing is tuned. The report has the largest share of draws of a variable by rejection that such
// steps replaced, and the largest share of these steps that were refused; the acceptance rate is 1
// minus it. A discrete variable with real children is drawn from its row times their densities.
//
// A variable of variance 0 is a linear function of its parents. It is computed from their values
// and not drawn, its children are children of its parents, and it cannot be observed: its value
// would determine a parent, which then could not change by itself. CPDs with variance 0 only in
// some rows, and expressions without noise, are refused.
//
// If precise real children depend on a discrete variable, its state may hardly change. Split R-hat
// and the effective sample size show that only if chains began in different states: if all begin
// where one state keeps them, they agree on a posterior without the others.
//
// Statistics are in units of the prior, so a posterior standard deviation below 1e-6 of the prior
// one has no report of its own. The standard error of a mean is in standard deviations of the
// variable.
//
// Sources: Geman and Geman 1984, Stochastic relaxation, Gibbs distributions and the Bayesian
// restoration of images; Gelfand and Smith 1990, Sampling-based approaches to calculating marginal
// densities (Rao-Blackwellisation); von Neumann 1951, Various techniques used in connection with
// random digits (rejection); Jensen, Kong and Kjærulff 1995, Blocking Gibbs sampling in very
// large probabilistic expert systems; Heckerman, Chickering, Meek, Rounthwaite and Kadie 2000,
// Dependency networks; Tierney 1994, Markov chains for exploring posterior distributions
// (Metropolis steps within a sweep); Peskun 1973, Optimum Monte-Carlo sampling using Markov chains;
// Vehtari, Gelman, Simpson, Carpenter and Bürkner 2021, Rank-normalization, folding, and
// localization: an improved R-hat; Dechter 1990, Enhancement schemes for constraint processing.
package gibbs
