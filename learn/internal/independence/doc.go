// Package independence tests by counts whether two variables are independent given others.
//
//	chi2  Pearson's deviance Σ (O-E)²/E, by the tail of its distribution
//	g     2 M times the mutual information in the counts, by the same tail
//	mi    the mutual information itself, in nats, by a threshold
//
// The degrees of freedom are (rows-1)(columns-1) for each state of the others, of the rows and columns that have counts there: where all
// is in one row, nothing speaks against independence.
//
// A test that does not reject is no proof of independence: with few rows hardly anything is rejected.
//
// Source: Koller and Friedman, section 18.2.2; their exercise 18.1 (with the factor M that it lacks) for g; Pearson 1900.
package independence
