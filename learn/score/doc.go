// Package score rates structures of Bayesian networks by complete data: a family score for each variable and its parents, whose sum
// is the score of the network. All scores are in nats; more is better.
//
//	loglik  the log-likelihood at its maximum: never less with more parents
//	aic     less one a free parameter (Akaike 1974)
//	bic     less half the logarithm of the number of rows a free parameter (Schwarz 1978)
//	k2      the marginal likelihood under Dirichlet priors of ones (Cooper and Herskovits 1992)
//	bdeu    under Dirichlet priors of one equivalent sample size, uniform (Buntine 1991)
//	bde     the same with the proportions of a prior network (Heckerman, Geiger and Chickering 1995)
//	loocv   the log-likelihood of each row by what is learned from the others, under the prior of bdeu
//
// Koller and Friedman, Probabilistic Graphical Models, sections 17.4 and 18.3, and exercise 18.12 for loocv.
//
// The package looks at counts alone: it searches nothing (see the learners), and estimates no parameters.
package score
