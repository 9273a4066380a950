// Package average computes the posterior probability of each edge by averages over structures. It
// also returns the network of the highest score that it finds.
//
//	order       over all structures that agree with a known order of the variables: in closed form
//	orders      over orders, by a Markov chain that swaps two variables; each in closed form
//	structures  over structures, by a Markov chain that adds, deletes and reverses edges
//
// Besides edges, it computes the probabilities of directed paths and of Markov blankets from
// structures that are drawn: the states of the chain over structures, and from an order, parent
// sets by their probabilities. The mixture of these structures averages their predictions.
//
// Data: rows of discrete and real variables. The score is taken as the logarithm of the probability
// of the data: k2, bdeu and bge are exactly that, and bic approximately. All structures have the
// same prior, except for EdgePrior and PriorOdds. Guarantee: order is exact for edges among the
// parent sets of at most MaxParents candidates. The chains are as close as their samples allow, and
// report how much they differ from each other.
//
// With a uniform prior over orders, a structure counts once for each order that it agrees with,
// which favours few edges. Hence orders and structures have different limits. The chain over
// structures mixes badly if there are many data or more than about 15 variables.
//
// A mixture of discrete variables is a circuit, of which the structures share parts. A mixture of
// Gaussian networks has the structure as a variable; its CPDs have maximum likelihood, in place of
// the t distributions of the prediction under the prior of bge.
//
// Sources: Koller and Friedman, section 18.5; Friedman and Koller 2003, Being Bayesian about
// network structure; Madigan and York 1995 for the chain over structures.
package average
