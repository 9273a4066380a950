// Package uai reads and writes the files of the UAI competitions: models, evidence, queries and
// results.
//
//	BAYES          or MARKOV
//	2              variables
//	2 3            numbers of states
//	2              functions
//	1 0            for each function the number of variables in its scope and the variables
//	2 0 1
//	2  0.4 0.6     for each function the number of entries of its table and the entries,
//	6  0.5 0.25 0.25  0.1 0.2 0.7    the last variable of the scope fastest
//
// Blanks and line ends are free. A comment starts with # and ends with its line; a line whose first
// word is c is a comment too. A scope may be empty (a constant), and a variable may have a single
// state. Variables are called x0, x1, ..., states 0, 1, ..., unless comments before the model name
// all of them, as in the files of bn-pp: "# 0 asia {yes, no}".
//
// The tables of a BAYES file do not say which variable of the scope is the child, and tools differ.
// In a network without cycles, the scopes determine it: a root has a scope of its own, the next
// variable one of itself and roots, and so on. The reader assigns the children and then checks
// whether the rows sum to one. If the scopes do not determine the children, or rows do not sum to
// one, it keeps the product of the tables, a Markov network, with a warning. It never rescales a
// row that may not be a conditional distribution.
//
// [LG] is the same layout with natural logarithms, including -inf, in place of numbers, as toulbar2
// reads it.
//
// The writer writes numbers that read back exactly. It loses names and reports this to
// [format.Sink.Warn]. Other distributions than tables become tables.
//
// The package does not read virtual evidence (merlin), interventions (.uai.do), or lists of orders.
//
// Sources: the pages of the UAI inference competitions of 2006 to 2022 and files from them; merlin
// and toulbar2 for dialects of evidence.
package uai

import (
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Format is UAI.
var Format = format.Format{
	Name:  format.UAI,
	Doc:   "Bayesian and Markov networks of the UAI inference competitions",
	Exts:  []string{".uai"},
	Takes: model.Cycles | model.Forests, // as the product of their factors
	Wide:  true,
	Read:  readPlain,
	Write: write,

	Evidence: ReadEvidence,
	Query:    ReadQuery,
}

// LG is UAI with logarithms.
var LG = format.Format{
	Name: "lg",
	Doc:  "UAI networks with natural logarithms for numbers (toulbar2)",
	Exts: []string{".lg"},
	Wide: true,
	Read: readLogs,
}
