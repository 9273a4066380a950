// Package ergo reads networks in the format of the Ergo shell, as the UAI evaluations of 2006 and
// 2008 used it.
//
//	2                      variables
//	2 3                    numbers of states
//	0                      for each variable the number of its parents, then the parents
//	1 0
//	/* Probabilities */
//	2  0.4 0.6             for each variable the number of entries, then the entries,
//	6  0.5 0.25 0.25  0.1 0.2 0.7    the variable itself fastest
//	/* Names */
//	smoke lung
//	/* Labels */
//	yes no
//	none some much
//
// Blanks and line ends are free. Other comments between /* and */ are skipped. Without names,
// variables are called x0, x1, ...; without labels, states are called 0, 1, ... If rows do not sum
// to one, as in linkage networks, whose tables hold penetrances, the reader keeps the product of
// the tables as a Markov network and warns.
//
// Package uai reads evidence in the same style. There is no writer, because the format is out of
// use.
//
// Source: files of the UAI 2006 and 2008 evaluations.
package ergo

import "github.com/pgmc-go/pgmc/compiler/format"

// Format is Ergo.
var Format = format.Format{
	Name: "ergo",
	Doc:  "Bayesian networks of the UAI 2006 and 2008 evaluations",
	Exts: []string{".erg"},
	Read: read,
}
