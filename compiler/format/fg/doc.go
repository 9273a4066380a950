// Package fg reads and writes the factor graphs of libDAI.
//
//	1            factors
//
//	2            of each how many variables,
//	0 1          their labels,
//	2 3          their numbers of states,
//	2            and how many entries follow: index and value; the first variable varies fastest, and what is not there is 0
//	0 0.4
//	5 0.6
//
// Blanks and line ends are free, and what follows # on a line is a comment. Labels are any numbers: a variable is called x
// with its label, variables are in order of labels, and states are 0, 1, ... The model is a Markov network.
//
// The writer keeps the labels of variables that are called so, and otherwise counts from 0. Names are lost, and so is which
// variable of a Bayesian network is whose child; [format.Sink] is told. A variable in no factor cannot be written. Numbers read
// back exactly; other distributions than tables become tables; zeros are left out.
//
// It does not read libDAI's evidence (.tab) or its files of parameters to learn (.em).
//
// Source: Mooij, libDAI: a free and open source C++ library for discrete approximate inference in graphical models (JMLR
// 2010), and its manual, "factor graph file format".
package fg

import (
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Format is libDAI's.
var Format = format.Format{
	Name:  "fg",
	Doc:   "factor graphs of libDAI",
	Exts:  []string{".fg"},
	Takes: model.Cycles | model.Forests, // as the product of their factors
	Read:  read,
	Write: write,
}
