// Package psdd reads and writes probabilistic sentential decision diagrams.
//
//	c a comment
//	psdd 8
//	L 0 0 1                            x0 is 1
//	L 1 0 -1                           x0 is 0
//	T 2 2 2 -0.105                     x1 is 1 with probability e^-0.105
//	L 3 2 2
//	D 4 1 2  0 2 -0.693  1 3 -0.693    e^-0.693 * node 0 * node 2 + e^-0.693 * node 1 * node 3
//
// A line has a kind, an id and a node of the vtree, the tree of variables that shaped the circuit.
// Logarithms are natural. T has either the logarithm of the probability of 1, or those of 0 and 1;
// the number of words on the line decides, because comments in files are unreliable on this. The
// number in the first line is often larger than the number of nodes and is ignored. The last node
// is the root.
//
// The model is a Markov network of one potential, the circuit. Variable 1 of the file becomes x0,
// and its states are 0 and 1.
//
// The writer accepts a circuit that is a PSDD: the weights of a sum add up to one (within 1e-4,
// because files have six digits), the operands of a sum are products of two or the states of one
// variable, one vtree fits all products, and no two operands of a sum are positive in one state. It
// rejects any other, with the reason. The vtree, which follows from the products, becomes a second
// file, a.vtree next to a.psdd. T has one logarithm if the other number follows from it exactly,
// and two otherwise.
//
// The package does not read the vtree. Nor does it read SDDs (.sdd) and logistic circuits
// (.circuit), which are not distributions.
//
// Sources: Kisa, Van den Broeck, Choi and Darwiche, Probabilistic sentential decision diagrams (KR
// 2014); the files of the Circuit Model Zoo of UCLA, and the reader of Juice
// (ProbabilisticCircuits.jl).
package psdd

import "github.com/pgmc-go/pgmc/compiler/format"

const ext = ".psdd"

// Format is PSDD.
var Format = format.Format{
	Name:  "psdd",
	Doc:   "probabilistic sentential decision diagrams",
	Exts:  []string{ext},
	Read:  read,
	Write: write,
}
