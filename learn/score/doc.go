// Package score computes scores of structures of Bayesian networks: a family score for each
// variable and its parents; their sum is the score of the network. All scores are in nats; higher
// is better. Rows that miss a value of a family do not count there, and what its parents gain is
// that on rows that have them all, so that rows left out are no gain.
//
//	loglik  the maximum of the log-likelihood; never lower with more parents
//	aic     loglik minus one for each free parameter (Akaike 1974)
//	bic     loglik minus half the logarithm of the number of rows for each free parameter
//	        (Schwarz 1978)
//	k2      the marginal likelihood under Dirichlet priors of ones (Cooper and Herskovits 1992)
//	bdeu    the marginal likelihood under uniform Dirichlet priors of one equivalent sample size
//	        (Buntine 1991)
//	bde     the same with the proportions of a prior network
//	        (Heckerman, Geiger and Chickering 1995)
//	loocv   the log-likelihood of each row under the parameters learned from all other rows, with
//	        the prior of bdeu
//
// Real variables: loglik, aic and bic take data with real variables too, in which a real variable
// is a linear regression on its real parents for each joint state of its discrete parents
// (conditional linear Gaussian), with an intercept, coefficients and a variance as parameters. A
// discrete variable has no real parents. A variance is the maximum likelihood one, and the
// variable's over all rows if a joint state has no more rows than coefficients. bnlearn's names of
// these scores are
//
//	loglik-g, aic-g, bic-g     the same for data of real variables alone
//	loglik-cg, aic-cg, bic-cg  the same for data of both
//	bge                        the marginal likelihood of real variables under a normal-Wishart prior
//	                           (Geiger and Heckerman 1994; Kuipers, Moffa and Heckerman 2014)
//
// The package uses only counts and moments. It does not search structures, which is for the
// learners, and it does not estimate parameters.
//
// Source: Koller and Friedman, Probabilistic Graphical Models, sections 17.4 and 18.3, and exercise
// 18.12 for loocv.
package score
