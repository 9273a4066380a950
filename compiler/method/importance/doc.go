// Package importance plans the methods that estimate marginals and the probability of evidence from
// independent weighted samples: lw and ais.
//
// A sample of either is a trial of package blanket. The methods differ in how they draw and weight
// a sample. Methods with samples that depend on each other are gibbs and ldfm.
//
// # Method lw
//
// Method lw is likelihood weighting. It draws samples of a Bayesian network variable by variable,
// from parents to children. The weight of a sample is the probability of the evidence given the
// states that were drawn before it. Without evidence all weights are 1, which is forward sampling.
//
// Models: every Bayesian network, also with real variables. Query: lw, the marginals of all
// variables and the probability of the evidence. Guarantee: the estimate of that probability is
// unbiased, and all estimates converge as the number of samples grows. The report has standard
// errors and the effective sample size. Cost: a sample reads one row of each CPD.
//
// The method suits probable evidence, and evidence near the roots. If the evidence is improbable,
// or far below the variables that it depends on, few samples have a notable weight. The effective
// sample size is then small, the report does not count as converged, and its standard errors mean
// little.
//
// A variable is drawn from the product of its row and its likelihood, and the sum of that product
// is multiplied into the weight. So an observed variable takes its observed state, and soft
// evidence guides the draw instead of only the weight. Decision trees are used without a table. A
// noisy-max of many causes is drawn as the largest contribution of its causes, one after the other.
//
// If no sample has a positive weight, a search for states that agree with the evidence reports
// whether there are any.
//
// Real variables are drawn as their CPDs say, by Gaussian CPDs, softmax CPDs and expressions alike.
// An observed value adds the logarithm of its density to the weight's. The weight may exceed 1, so
// that the estimate of P is one of a density. An expression outside its domain gives the weight 0.
// An observed function (variance 0) counts as 1 if it agrees with its parents, and else as 0; few
// samples do, unless the parents are observed too. If a CPD has rows of both kinds, samples that
// make most observed values certain are the only ones that count: a probability outweighs any
// density. The answer of a real variable is the mean and the variance of the weighted samples, and
// the largest standard error also counts the errors of means, in units of the prior standard
// deviation. With real variables, no search follows if no sample has a positive weight, and wide
// noisy-max CPDs are tables.
//
// Option collapsed draws only the discrete variables. Given their states the network is a linear
// Gaussian one. Its density of the evidence multiplies the weight. The answer of a real variable is
// the mean of the conditional means, and the mean of the conditional variances plus the variance of
// the conditional means (Rao-Blackwell). Precise measurements, with which hardly any drawn value
// agrees, then cost no effective sample size, and without discrete variables the answers are exact
// up to rounding errors, which grow with the ratio of a prior to a posterior variance. All real
// variables need Gaussian CPDs. A sample costs up to the cube of the number of connected real
// variables.
//
// Sources: Fung and Chang 1990, Weighing and integrating evidence for stochastic simulation in
// Bayesian networks; Shachter and Peot 1990, Simulation approaches to general probabilistic
// inference on belief networks; Kong, Liu and Wong 1994, Sequential imputations and Bayesian
// missing data problems (effective sample size); Koller and Friedman 2009, section 12.4.1
// (collapsed likelihood weighting).
//
// # Method ais
//
// Method ais is annealed importance sampling. Each sample begins at states drawn uniformly. Gibbs
// sampling then changes it while the factors are raised to a power that grows from 0 to 1. Each
// step of the power multiplies the weight by the ratio of the new to the old unnormalized
// probability of the sample.
//
// Models: every discrete Bayesian or Markov network. Query: ais, the marginals of all variables and
// the probability of the evidence, or the partition function of a Markov network that is not
// normalized. Guarantee: the estimate of that number is unbiased, and all estimates converge as the
// number of samples grows. The report has standard errors and the effective sample size. The
// standard error of ln P in a Markov network does not include the error of ln Z, which is estimated
// once, without evidence. Cost: samples times temperatures times the blankets of the variables.
//
// Before the last temperature a zero of a factor counts as a small number, so that samples can pass
// through it. A sample that ends at a zero has weight 0. Nothing is divided by zero, and no
// estimate is NaN. So variables can be drawn one at a time, with any zeros. On win95pts this took a
// tenth of the time of drawing groups as in Gibbs sampling, for a quarter of the effective sample
// size. If no sample has a positive weight, a search for states that agree with the evidence
// reports whether there are any. A noisy-max of many causes is drawn together with its partial
// maxima.
//
// Source: Neal 2001, Annealed importance sampling.
package importance
