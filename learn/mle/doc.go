// Package mle fits the CPDs of a given structure to counts: by maximum likelihood, or with Dirichlet priors by their posterior means
// or modes. It takes counts, not data, so that expected counts of incomplete data (see package em) serve as well as those of rows.
//
// What is fitted are tables, trees and noisy-max CPDs; deterministic CPDs stay what they are. Tables and trees have a closed
// form, a row at a time. The numbers of a noisy-max are those of hidden contributions, whose expected counts follow from the counts
// of the family: see noisyMax.
//
// Tied CPDs share one set of numbers, estimated from their counts together.
//
// A row that no data is behind, and no prior, is uniform unless [Options].Empty says otherwise. Rows of data that miss a value of a
// family are left out of its counts, which is right where values are missing at random given the parents, and only then; package em
// takes them in.
//
// Sources: Koller and Friedman, sections 17.2 to 17.5; Heckerman, Geiger and Chickering 1995 for priors by a network; Díez 1993 for
// the noisy-max.
package mle
