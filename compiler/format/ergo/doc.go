// Package ergo reads networks in the format of the Ergo shell, as the UAI evaluations of 2006 and 2008 used it.
//
//	2                      variables
//	2 3                    numbers of states
//	0                      for each variable how many parents, which
//	1 0
//	/* Probabilities */
//	2  0.4 0.6             for each variable how many numbers, which; the variable itself varies fastest
//	6  0.5 0.25 0.25  0.1 0.2 0.7
//	/* Names */
//	smoke lung
//	/* Labels */
//	yes no
//	none some much
//
// Blanks and line ends are free. Other comments between /* and */ are skipped. Without names, variables are called x0, x1, ...;
// without labels, states 0, 1, ... Where rows do not sum to one (linkage networks have penetrances in the place of rows), the
// product of the tables is kept, a Markov network, with a warning.
//
// Evidence in the same style is read by package uai. Nothing is written: the format is history.
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
