// Package uai reads and writes the files of the UAI competitions: models, and the evidence, queries and results that come
// with them.
//
//	BAYES          or MARKOV
//	2              variables
//	2 3            numbers of states
//	2              functions
//	1 0            their scopes: how many variables, which
//	2 0 1
//	2  0.4 0.6     their tables: how many numbers, which; the last variable of the scope varies fastest
//	6  0.5 0.25 0.25  0.1 0.2 0.7
//
// Blanks and line ends are free. What follows # on a line is a comment, and so is a line whose first word is c. A scope may be
// empty (a constant), and a variable may have one state only. Variables are called x0, x1, ..., states 0, 1, ..., unless
// comments before the model name all of them, as in the files of bn-pp: "# 0 asia {yes, no}".
//
// The tables of a BAYES file do not say where in its scope the child stands, and tools differ. In a network without cycles, the
// scopes leave one choice only: a root has a scope of its own, the next variable one of itself and roots, and so on. The
// reader makes it, then looks whether the rows sum to one. Where scopes leave no choice, or rows do not sum to one, it keeps the
// product of the tables, a Markov network, with a warning; it never rescales a row that was not meant to be one.
//
// [LG] is the same layout with natural logarithms for numbers, -inf among them, as toulbar2 reads it.
//
// The writer writes numbers that read back exactly. Names are lost, which [format.Sink] is told; other distributions than
// tables become tables.
//
// It does not read virtual evidence (merlin), interventions (.uai.do), or lists of orders.
//
// Sources: the pages of the UAI inference competitions of 2006 to 2022 and files from them; merlin and toulbar2 for dialects
// of evidence.
package uai

import (
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Format is UAI.
var Format = format.Format{
	Name:  "uai",
	Doc:   "Bayesian and Markov networks of the UAI inference competitions",
	Exts:  []string{".uai"},
	Takes: model.Cycles | model.Forests, // as the product of their factors
	Read:  readPlain,
	Write: write,
}

// LG is UAI with logarithms.
var LG = format.Format{
	Name: "lg",
	Doc:  "UAI networks with natural logarithms for numbers (toulbar2)",
	Exts: []string{".lg"},
	Read: readLogs,
}
