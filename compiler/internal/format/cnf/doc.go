// Package cnf reads formulas in conjunctive normal form: DIMACS files, with the weights of the
// model counting competitions.
//
//	c t wmc
//	p cnf 3 2               3 variables, 2 clauses
//	c p weight 1 0.3 0      the weight of x1
//	c p weight -1 0.7 0     the weight of its negation
//	1 2 0                   x1 or x2
//	-1 3 0                  not x1 or x3
//
// The model is a Markov network of variables x1, x2, ... with the states 0 and 1. The sum of its
// product over all joint states is the weighted count of the formula. Literals have the weight 1,
// or 1-w if only their negation has a weight w. Other comments are ignored. A clause ends with 0,
// on its own line or a later one; a line of % ends the file, as in SATLIB.
//
// A clause of up to [mostLiterals] variables is a table. A longer one is a chain of latent
// variables: each says whether the clause holds by the literals so far. They follow from the
// others, so the count is the same.
//
// The reader rejects, by name, weighted MAX-SAT (p wcnf) and counts that are projected to some
// variables (c p show).
//
// Source: Fichte, Hecher and Hamiti 2021, The Model Counting Competition 2020, and the format of
// the competitions since 2021.
package cnf

import "github.com/pgmc-go/pgmc/compiler/format"

// Format is DIMACS CNF with weights.
var Format = format.Format{
	Name: "cnf",
	Doc:  "weighted formulas of the model counting competitions (DIMACS)",
	Exts: []string{".cnf"},
	Read: read,
}
