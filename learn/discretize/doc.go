// Package discretize turns a network with Gaussian CPDs into a discrete one.
//
// Each real variable becomes the interval that holds its value: intervals of about equal
// probability. The CPT of an interval holds the probabilities of the intervals given the parents'
// intervals, averaged over the values that the parents have in their intervals under the network.
// It so keeps the marginal distribution of each family. What is lost is that values of different
// families in one interval no longer depend on each other.
//
// Given the parents, the probabilities of intervals are differences of the normal distribution
// function. The averages over up to two real parents are by quadrature, to ten digits, unless the
// family has too many joint states of discrete ancestors. All others are over samples of the
// parents, which the result names; an average over n samples of an interval errs by at most 1/(2√n)
// standard deviations.
//
// The cost is the divergence KL(p||q) of the network from the density q that draws intervals from
// the discrete network, and each value within its interval from its own marginal distribution.
// That is the information between each variable and its parents less that between their intervals.
// It is infinite if a variable is a function of its parents.
//
// Source: Koller and Friedman, section 14.1.2.
package discretize
