// Package juice reads and writes probabilistic circuits of Juice (ProbabilisticCircuits.jl): .jpc
// files, and .spn files, which differ from the .spn folders of Libra.
//
//	c a comment                         (2 2)             numbers of states: x0 and x1 have two
//	jpc 6                               v 0 1             x0 is 1
//	L 0 0 1         x0 is 1             v 0 0
//	L 1 0 -1        x0 is 0             v 1 0
//	I 2 0 2 0       x1 is 0             v 1 1
//	C 3 0 2 -1 -0.5 x1 is 0 with e^-1   + 2 -1 3 -0.5     e^-1 * node 2 + e^-0.5 * node 3
//	P 4 0 2 1 2     node 1 * node 2     * 1 2             node 1 * node 2
//	P 6 0 2 0 3                         * 0 4
//	S 5 0 2 4 -1 6 -0.5                 + 5 -1 6 -0.5
//	                                    EOF
//
// A line of .jpc has a kind, an id, a node of a vtree, which the reader ignores, and the fields of
// its kind. L has a literal. I has a variable and a state. C has a variable and a logarithm for
// each state. P and S have the number of operands and the operands. B has a variable, a number n,
// and the logarithm of p: the probabilities of the states 0 to n are those of 0 to n successes in n
// trials. Variables count from 1, and states from 0. The reader rejects G, a normal distribution,
// because a discrete model cannot hold it.
//
// Lines of .spn have no ids: a node is known by its index. Variables count from 0, and have two
// states.
//
// Logarithms are natural. The last node is the root. The model is a Markov network of one
// potential, the circuit, over variables called x0, x1, .... A .jpc file has no list of variables:
// they are those below the root, and none may be missing.
//
// The writer accepts models of one circuit over all variables. The numbers of the circuit become
// weights of sums. The writer rejects a sum with a number as operand, which the format cannot
// state, and a variable whose number of states a reader could not determine. Sums over all states
// of one variable become C, and so does B. Nodes that the root does not reach are left out. A
// weight reads back exactly if it is the exponential of some float64, as every weight from a file
// is.
//
// Sources: the reader and writer of ProbabilisticCircuits.jl for both layouts, for the meaning of B
// and for states from 0; only an older version of it has .spn. No published file of either kind was
// available.
package juice

import "github.com/pgmc-go/pgmc/compiler/format"

// JPC is the format of Juice.
var JPC = format.Format{
	Name:  "jpc",
	Doc:   "probabilistic circuits of Juice (ProbabilisticCircuits.jl)",
	Exts:  []string{".jpc"},
	Read:  readJPC,
	Write: writeJPC,
}

// SPN is the older format of Juice, a dialect of Libra's .ac.
var SPN = format.Format{
	Name:  "juice-spn",
	Doc:   "sum-product networks of Juice: files, with the logarithms of weights on the operands of sums",
	Exts:  []string{".spn"},
	Read:  readSPN,
	Write: writeSPN,
}
