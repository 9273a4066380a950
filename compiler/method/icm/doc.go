// Package icm plans iterated conditional modes: from states that agree with the evidence, each variable in turn takes its best state given all
// others, until none changes; and so from several starts, of which the best end is the answer.
//
// Models: every discrete Bayesian or Markov network. Query: icm, a completion of the evidence and its value. Guarantee: no change of one
// variable, or of one group of variables that have to change together, makes the completion better; better ones may exist. Cost: a sweep takes,
// for each variable, its states times the tables of its blanket.
//
// Starts are drawn by the search of Gibbs sampling, which proves impossible evidence to be so. Zeros are kept: no state of weight zero is ever
// entered. Latent variables are maximised over as the others are.
//
// Source: Besag 1986, On the statistical analysis of dirty pictures.
package icm
