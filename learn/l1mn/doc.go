// Package l1mn learns pairwise Markov networks by logistic regressions with an L1 penalty
// (Ravikumar): one for each variable on all others. The neighbours of a variable are those with
// nonzero weights.
//
// Two variables are joined if either has the other as a neighbour, or with Join "and", if both
// have. Each joined pair has a feature for each pair of their states without the first ones, and
// each variable a feature for each of its states except the first. The weights of all features are
// fitted together by pseudo-likelihood (package pseudo), with a Gaussian prior but without an L1
// penalty, which has already selected the pairs. If there are several penalties, the validation
// data choose one by the pseudo-likelihood of the network.
//
// l1mn finds no interactions of three or more variables. Data: rows of discrete variables; missing
// values are treated as in packages logistic and pseudo. Cost: a regression for each variable and
// penalty, and a fit of all weights for each penalty.
//
// Source: Ravikumar, Wainwright and Lafferty 2010, High-dimensional Ising model selection using
// l1-regularized logistic regression.
package l1mn
