// Package em fits the numbers of a Bayesian network to rows that miss values, and to hidden variables, which no row has a value of.
//
// Each step computes the expected counts of all families under the numbers so far, and fits the numbers to them as if they were counts of
// complete data (expectation maximisation). Expected counts are numbers times derivatives of the probability of a row (Darwiche 2003),
// which a compiled program gives for all families in one pass up and down. Of a row that misses so few values that its completions can be
// listed, they are added up instead, and rows that miss nothing are counted once and for all. Equal rows are
// computed once, and the others shared among cores, in parts that don't depend on how many there are: nor do the results.
//
// What is maximised is the log-likelihood of what was observed, with the penalty of the prior; it never falls. It has many maxima: beyond
// the first start, which is at the numbers of the model, there are as many from random numbers as wanted, and the best is kept. What no
// data determines, such as the names of the states of a hidden variable, comes out as a start had it.
//
// Rows count as if their values were missing at random: whether a value is missing depends on observed values alone. Values that are
// missing since they are large, say, bias the result, and nothing in the data shows it.
//
// Gradient ascent on the same objective, by L-BFGS in logarithms of the numbers, takes fewer steps
// if EM is slow: 238 in place of 496 for ten clusters of the set nltcs, to another of the many maxima.
//
// Sources: Koller and Friedman, section 19.2; Dempster, Laird and Rubin 1977; Liu and Nocedal 1989 for L-BFGS.
package em
