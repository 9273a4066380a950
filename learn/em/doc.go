// Package em fits the parameters of a Bayesian network to rows that miss values, and to hidden
// variables, which are missing in all rows.
//
// Each step of expectation maximisation computes the expected counts of all families under the
// current parameters and fits the parameters to them as to counts of complete data. Expected counts
// are parameters times derivatives of the probability of a row (Darwiche 2003); a compiled program
// computes them for all families in one pass up and down. If a row misses so few values that its
// completions can be listed, they are summed instead. Complete rows are counted once. Equal rows
// are computed once. The rows are shared among cores in parts that do not depend on the number of
// cores, so the results do not depend on it either.
//
// Networks with Gaussian CPDs are fitted too: mixtures of normal distributions, factor analysis,
// and any network with hidden or missing values, discrete or real. The statistics of a Gaussian CPD
// are expected weights, means and cross products for each joint state of its discrete parents,
// which the exact method clg computes. A variance is at least 1e-9 of its variable's, since the
// likelihood has no maximum if a hidden class may hold a single value. Priors are pseudo-rows with
// the means and variances of the variables in the data, and no correlations.
//
// Given variables have no CPD, and the likelihood is of the others given their values, which no row
// may miss. Softmax CPDs are taken if no row misses a value of their families: no expectation
// depends on them then, and they are fitted once, by penalised maximum likelihood as without EM.
// Otherwise the expectations have no closed form, and an error names the row and the variable.
//
// The objective is the log-likelihood of the observed values plus the penalty of the prior; EM
// never lowers it. A run ends if all further steps together would gain less than a share of the
// objective, 1e-8 by default, by Aitken's estimate of its limit. A small gain of one step does not
// say so: EM of the variances of the Nile's level gained as little 55 steps earlier, with a
// variance 1.3 % from the maximum in place of .3 %. The objective has many maxima. The first start
// is at the parameters of the model; any number of further starts have random parameters, and the
// best result is kept. What the data do not determine, such as the names of the states of a hidden
// variable, depends on the start.
//
// The model assumes that values are missing at random: whether a value is missing depends only on
// observed values. Values that are missing because they are large, for example, bias the result,
// and nothing in the data shows it.
//
// Gradient ascent on the same objective, by L-BFGS in logarithms of the parameters, takes fewer
// steps if EM is slow: 238 instead of 496 for ten clusters of the data set nltcs, to another of the
// many maxima.
//
// RunSequences fits templates: networks with a transition, to sequences of slices. If the variables
// that persist are discrete, two compiled networks, of slice 0 and of a later slice, are run
// forwards and back, with beliefs as their parameters; of hidden Markov models this is the
// algorithm of Baum and Welch. Templates of only real variables are smoothed in numbers, as Shumway
// and Stoffer do; variables of slice 0 may be diffuse. Where real variables persist beside discrete
// ones, the exact belief grows without bound, and the approximate smoother of Kim takes its place,
// with a Gaussian for each joint state of the discrete variables that persist: EM then climbs an
// approximation of the likelihood, and ends when a step would lower it. Without an initial model,
// the learner makes a hidden Markov model of sequences; cross-validation may choose its number of
// states.
//
// A conditional fit, see [RunOptions].Conditional, maximises the sum over the rows of ln P(y | x),
// in which y is the values of some variables and x all others of the row: ln P(y, x) less ln P(x).
// It sums out missing values of both, so that a row without any y adds nothing. L-BFGS climbs by
// the logits of CPDs, the standardised numbers of Gaussian CPDs, or the weights of a Markov
// network; the gradient is the difference of the expected counts given x and y and the ones given
// x. The prior of the CPDs and penalties add to the objective. A naive Bayes classifier becomes a
// logistic regression, and a hidden Markov model a linear-chain conditional random field, up to the
// weight of the last state.
//
// Sources: Koller and Friedman, sections 16.3.2, 19.2 and 20.3.2; Lafferty, McCallum and Pereira
// 2001 for conditional random fields; Dempster, Laird and Rubin 1977; Rubin and Thayer 1982 for
// factor analysis; Liu and Nocedal 1989 for L-BFGS; Baum, Petrie, Soules and Weiss 1970, Murphy
// 2002 Shumway and Stoffer 1982 and de Jong 1991 for sequences, Böhning, Dietz, Schaub, Schlattmann
// and Lindsay 1994 for the end, Kim 1994 and Murphy 1998, "Switching Kalman filters", for switching
// systems.
package em
