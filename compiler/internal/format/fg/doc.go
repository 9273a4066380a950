// Package fg reads and writes the factor graphs of libDAI.
//
//	1            factors
//
//	2            for each factor the number of its variables,
//	0 1          their labels,
//	2 3          their numbers of states,
//	2            and the number of entries that follow
//	0 0.4        as index and value; the first variable is fastest,
//	5 0.6        and an entry that is missing is 0
//
// Blanks and line ends are free, and # starts a comment that ends with its line. Labels are
// arbitrary numbers: the variable with label 7 is called x7. Variables are in order of their
// labels, and their states are called 0, 1, ... The model is a Markov network.
//
// The writer keeps the labels of variables that are called x and a number, and numbers them from 0
// otherwise. It loses names, and which variable of a Bayesian network is the child of a factor; it
// reports both to [format.Sink.Warn]. It cannot write a variable that is in no factor. Numbers read
// back exactly. Other distributions become tables. Zeros are left out.
//
// The package does not read libDAI's evidence (.tab) or its files of parameters to learn (.em).
//
// Source: Mooij, libDAI: a free and open source C++ library for discrete approximate inference in
// graphical models (JMLR 2010), and its manual, "factor graph file format".
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
	Wide:  true,
	Read:  read,
	Write: write,
}
