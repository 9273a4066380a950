// Package logistic fits distributions of one discrete variable given all others as logistic
// regressions with an L1 penalty, which leaves most weights zero.
//
// The log-odds of a state against the first one are a constant plus a weight for each state, except
// the first, that another variable has. Fitting maximises the log-likelihood of the rows minus the
// penalty times the sum of the absolute values of all weights. Constants are penalised too, as in
// the Libra toolkit: otherwise the constant of a state without rows would be unbounded. Coordinate
// descent finds the optimum: each weight in turn moves to the optimum of a quadratic bound that
// holds within a trust region, so no step lowers the objective.
//
// Data: rows of discrete variables. Rows that miss the target are left out; a missing value of
// another variable adds nothing. Cost: a sweep visits the rows of each state with a weight that is
// not zero; an occasional full sweep visits all.
//
// Sources: Genkin, Lewis and Madigan 2007, Large-scale Bayesian logistic regression for text
// categorization, for the bound; Friedman, Hastie and Tibshirani 2010, Regularization paths for
// generalized linear models via coordinate descent, for sweeps over active weights.
package logistic
