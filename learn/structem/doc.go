// Package structem learns the structure of a Bayesian network from rows that miss values, and with
// hidden variables (structural EM).
//
// Each round fits the parameters of the current structure by some steps of EM, completes the rows
// with the fitted model, and continues hill climbing on the completed rows, until the structure
// stays the same. A row with few completions is replaced by all of them, weighted by their
// probabilities; if there are more, a sample is drawn. Each row uses the same random numbers in
// every round, so that structures differ by learning and not by chance. At the end, EM fits the
// parameters until convergence.
//
// If there are real variables, each row that misses values is completed by samples: its values are
// drawn one after the other, each from its exact posterior given the observed values and those
// drawn before.
//
// Hidden variables come with the initial network. Guarantee: with all completions, no round lowers
// the expected score (Friedman 1998); the result is a local maximum that depends on the start.
// Cost: one inference pass for each row and step of EM, and counts over the completed rows. Values
// must be missing at random; see package em.
//
// Sources: Friedman 1997, Learning belief networks in the presence of missing values and hidden
// variables; Friedman 1998, The Bayesian structural EM algorithm; Koller and Friedman, section
// 19.4.3.
package structem
