// Package l1mn learns pairwise Markov networks by logistic regressions with an L1 penalty: one for each variable on all others, whose weights
// that are not zero are its neighbours (Ravikumar).
//
// Two variables are joined where either has the other as a neighbour, or with join "and" where both have. Each pair that is joined has a
// feature for each pair of their states but the first of each, each variable one for each of its states but the first, and
// their weights are fitted together by pseudo-likelihood (package pseudo), with a Gaussian prior and, since the penalty has done its work,
// with none. Of several penalties the validation data choose one, by the pseudo-likelihood of the network.
//
// It finds no interaction of three variables or more. Data: rows of discrete variables; what is missing counts as packages logistic and
// pseudo say. Cost: a regression for each variable and penalty, and a fit of all weights for each penalty.
//
// Source: Ravikumar, Wainwright and Lafferty 2010, High-dimensional Ising model selection using l1-regularized logistic regression.
package l1mn
