// Package juice reads and writes probabilistic circuits of Juice (ProbabilisticCircuits.jl): .jpc files, and .spn files, which
// are not the .spn folders of Libra.
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
// A line of .jpc has a kind, an id, a node of a vtree, which means nothing here, and then for L a literal, for I a variable and a
// state, for C a variable and a logarithm a state, for P and S how many operands, and which. B has a variable, a number n, and
// the logarithm of p: the states 0 to n have the probabilities of as many successes of n. Variables are counted from 1, and
// states from 0. G, a normal distribution, is refused, for a model of states cannot hold it. Lines of .spn have no ids: a node is
// its place. Variables are counted from 0, and have two states. Logarithms are natural ones. The last node is the root.
//
// The model is a Markov network of one potential, the circuit, over variables called x0, x1, .... A .jpc file has no list of
// variables: they are those below the root, and none may be missing.
//
// Writing takes models of one circuit over all variables. Its numbers become weights of sums; a sum with an operand that is a
// number has no form here and is refused, and so is a variable whose number of states a reader could not tell. Sums over all
// states of one variable become C, and thereby B does. What the root does not need is left out. A weight is written so that it
// reads back exactly where some logarithm has it as exponential, which all have that were read.
//
// Sources: the reader and writer of ProbabilisticCircuits.jl for both layouts, for the meaning of B and for states from 0; of
// .spn, only an older version has one. No published file of either kind was at hand.
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
