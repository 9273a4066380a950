// Package logistic fits distributions of one discrete variable given all others as logistic regressions with an L1 penalty, which leaves most
// of the weights zero.
//
// The logarithm of the odds of a state against the first is a constant, and a weight for each state but the first that another
// variable has. They maximise the log-likelihood of the rows less the penalty times the sum of all their absolute values, constants among
// them, as in the Libra toolkit: the constant of a state that no row has would have no bound otherwise. The optimum is
// found by coordinate descent: each weight in turn moves to the optimum of a quadratic bound that holds within a region of trust, so that
// no step goes the wrong way.
//
// Data: rows of discrete variables; those that miss the target are left out, and another value that is missing adds nothing. Cost: a
// sweep goes through the rows that have each state whose weight is not zero; now and then through all.
//
// Sources: Genkin, Lewis and Madigan 2007, Large-scale Bayesian logistic regression for text categorization, for the bound; Friedman, Hastie and
// Tibshirani 2010, Regularization paths for generalized linear models via coordinate descent, for going through active weights first.
package logistic
