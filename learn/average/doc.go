// Package average finds how probable each edge is given the data, by averages over structures, and gives the network of the highest score that
// it meets on the way.
//
//	order       over all structures that agree with a known order of the variables: in closed form
//	orders      over orders, by a Markov chain that swaps two variables, with the closed form for each
//	structures  over structures, by a Markov chain that adds, deletes and turns edges
//
// Data: rows of discrete variables. The score is taken for the logarithm of the probability of the data, which k2 and bdeu are, and bic is roughly;
// structures have the same prior, but for EdgePrior. Guarantee: the first is exact, among sets of so many parents from the candidates; the chains come
// as near as their samples do, and say how much they differ from each other.
//
// With a prior that is uniform over orders, a structure counts once for each order that it agrees with, which favours few edges: orders does not come to what
// structures does. The chain over structures mixes badly where the data are many or the variables more than some 15.
//
// Sources: Koller and Friedman, section 18.5; Friedman and Koller 2003, Being Bayesian about network structure; Madigan and York 1995 for the chain over
// structures.
package average
