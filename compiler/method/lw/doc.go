// Package lw plans likelihood weighting: samples of a Bayesian network, drawn variable by variable from parents to children, that each weigh
// as much as the evidence is probable given what was drawn before it. Without evidence all weigh 1, and that is forward sampling.
//
// Models: every Bayesian network. Query: lw, the marginals of all variables and the probability of the evidence. Guarantee: the estimate of
// that probability is unbiased, and all estimates approach what they estimate as samples grow; the report has standard errors and the effective
// sample size. Cost: a sample takes each CPD's row for the parents that were drawn.
//
// It is for evidence near the roots, and for rather probable evidence. Evidence far below what it depends on, or improbable, leaves few samples
// any weight: the effective size then is small, the report does not count as converged, and its standard errors mean little.
//
// A variable is drawn from the product of its row and its likelihood, and the weight takes the sum of that product. So an observed variable
// has the one state that it can have, and soft evidence steers what is drawn instead of weighing afterwards. Decision trees are walked, and a
// noisy-max of many causes is drawn as the largest of what its causes contribute, one after the other.
//
// Where no sample has any weight, a search for states that agree with the evidence says whether there are any.
//
// Sources: Fung and Chang 1990, Weighing and integrating evidence for stochastic simulation in Bayesian networks; Shachter and Peot 1990,
// Simulation approaches to general probabilistic inference on belief networks; Kong, Liu and Wong 1994, Sequential imputations and Bayesian
// missing data problems (effective sample size).
package lw
