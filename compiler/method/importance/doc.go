// Package importance plans the methods that estimate marginals and the probability of evidence from
// independent weighted samples: lw and ais.
//
// A sample of both is a trial of package blanket; they differ in how one is drawn and what its
// weight is. Methods whose samples depend on each other are gibbs and ldfm.
//
// # Method lw
//
// Method lw is likelihood weighting: samples of a Bayesian network, drawn variable by variable from
// parents to children, that each weigh as much as the evidence is probable given what was drawn
// before it. Without evidence all weigh 1, and that is forward sampling.
//
// Models: every Bayesian network. Query: lw, the marginals of all variables and the probability of
// the evidence. Guarantee: the estimate of that probability is unbiased, and all estimates approach
// what they estimate as samples grow; the report has standard errors and the effective sample size.
// Cost: a sample takes each CPD's row for the parents that were drawn.
//
// It is for evidence near the roots, and for rather probable evidence. Evidence far below what it
// depends on, or improbable, leaves few samples any weight: the effective size then is small, the
// report does not count as converged, and its standard errors mean little.
//
// A variable is drawn from the product of its row and its likelihood, and the weight takes the sum
// of that product. So an observed variable has the one state that it can have, and soft evidence
// steers what is drawn instead of weighing afterwards. Decision trees are walked, and a noisy-max
// of many causes is drawn as the largest of what its causes contribute, one after the other.
//
// Where no sample has any weight, a search for states that agree with the evidence says whether
// there are any.
//
// Sources: Fung and Chang 1990, Weighing and integrating evidence for stochastic simulation in
// Bayesian networks; Shachter and Peot 1990, Simulation approaches to general probabilistic
// inference on belief networks; Kong, Liu and Wong 1994, Sequential imputations and Bayesian
// missing data problems (effective sample size).
//
// # Method ais
//
// Method ais is annealed importance sampling: each sample begins at states drawn uniformly and is
// moved by Gibbs sampling while the factors are raised to a power that grows from 0 to 1, and its
// weight takes what it gains by each step of that power.
//
// Models: every discrete Bayesian or Markov network. Query: ais, the marginals of all variables and
// the probability of the evidence, or of a Markov network that is not normalised the partition
// function. Guarantee: the estimate of that number is unbiased, and all estimates approach what
// they estimate as samples grow; the report has standard errors and the effective sample size. That
// of ln P of a Markov network does not count the error of ln Z, which is estimated once, without
// evidence. Cost: samples times temperatures times the blankets of the variables.
//
// A zero of a factor counts as a small number on the way, so that a sample can get past it, and
// takes all weight from samples that end at it; nothing is divided by zero, and an estimate is
// never NaN. So variables can be drawn one at a time, whatever the zeros, which took a tenth of the
// time on win95pts that groups as in Gibbs sampling take, for samples of a quarter of the effective
// size. Where no sample has any weight left, a search for states that agree with the evidence says
// whether there are any. A noisy-max of many causes is drawn with the partial maxima of its causes.
//
// Source: Neal 2001, Annealed importance sampling.
package importance
