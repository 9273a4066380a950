// Package mle fits the CPDs of a given structure to counts: by maximum likelihood, or with
// Dirichlet priors by the mean or the mode of the posterior. It takes counts and not data, so
// expected counts of incomplete data (see package em) do as well as counts of rows.
//
// It fits tables, trees and noisy-max CPDs; deterministic CPDs stay as they are. Tables and trees
// have a closed form, a row at a time. The numbers of a noisy-max belong to hidden contributions,
// with expected counts that follow from the counts of the family (see contributions).
//
// It fits Gaussian CPDs to moments: a row is a linear regression by the normal equations, see
// [Gaussian]. Under a prior it is the posterior mean of the coefficients, with the posterior mean
// or mode of the variance, under a normal-inverse-gamma distribution.
//
// A [NormalGamma] prior has hyperparameters of one's own for the mean and the precision of a
// Gaussian CPD. Its [Posterior] gives the numbers of the CPD and the predictive distribution of a
// further row, Student's t.
//
// Counts of Gaussian CPDs that are expected ones (see [Options].Marginals) are fitted by maximum
// likelihood of rows and pseudo-rows, so that EM never lowers its objective.
//
// Softmax CPDs have no sufficient statistics of a fixed size. They are fitted to rows, see
// [Estimator.FitSoftmax].
//
// The prior Learned is hierarchical: the rows of a CPD, or of several, come from one Dirichlet
// distribution, which has the greatest marginal likelihood of their counts (empirical Bayes), see
// [LearnDirichlet]. Rows with few counts are drawn to the mean of the others, the more the less the
// rows differ.
//
// Tied CPDs share one set of numbers, estimated from the sum of their counts.
//
// A row without counts and without a prior is uniform unless [Options].Empty says otherwise. Data
// rows that miss a value of a family are left out of its counts. That is unbiased only if values
// are missing at random given the parents; package em uses such rows.
//
// Sources: Koller and Friedman, sections 17.2 to 17.5 and exercises 17.8 to 17.11; Heckerman,
// Geiger and Chickering 1995 for priors by a network; Minka 2000, Estimating a Dirichlet
// distribution, for learned ones; Díez 1993 for the noisy-max; Gelman et al., Bayesian Data
// Analysis, section 14.2, for regressions.
package mle
