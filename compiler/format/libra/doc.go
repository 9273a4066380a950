// Package libra reads and writes the model formats of the Libra toolkit: networks in text (.mn, .bn, .dn), the XML of WinMine
// (.xmod), arithmetic circuits (.ac) and sum-product networks (.spn).
//
//	2,2,3                      numbers of states of v0, v1 and v2
//	MN {                       or BN, DN
//	0.5 +v0_1 -v2_0            a feature: e^0.5 where v0 is 1 and v2 is not 0
//	table {                    a line for each joint state
//	-0.3 +v0_0
//	-1.3 +v0_1
//	}
//	tree {                     a test, then what holds where it is true, then what holds elsewhere
//	(v1_0 -0.1 (v2_0 -2 0))
//	}
//	features {
//	}
//	}
//
// Numbers are natural logarithms, -inf among them. Names of variables and states are their numbers: v0 has the states 0 and 1.
// Keywords may be in capitals or not; an integer before the logarithm of a line is an id and means nothing. The end of the file
// may stand for brackets that are open, with a warning.
//
// In MN, a line of its own is a factor, and so is a block. In BN and DN, where v1 { } holds the CPD of v1, it is one table or
// tree, or a list of features. Features of a CPD are divided by their sum over the states of the child, as in a logistic
// regression. A tree may test the child below all other tests. A table must list each joint state, since Libra's documentation
// leaves open what the others are; two lines for one state are added, as weights are, with a warning.
//
// An .xmod file has names, and tables and trees of probabilities. A network with a cycle is a dependency network. Since Libra
// writes this XML into files called .bn as well, BN and DN read it too. What a learner notes beside the model is passed over.
//
// An .ac file is a circuit over indicators in one potential over all variables. The table of parameters that may follow the nodes is
// checked and dropped. An .spn folder has sums and products in spac.m, and a circuit in spac-3.ac for leaf 3. It becomes one circuit.
// Every leaf stands for a distribution, so that its circuit is divided by its sum; the weights of sums are logarithms and stay
// as they are.
//
// Writing: a Bayesian network may become .mn, for the product is the same; nothing else changes its kind. A logarithm is written
// so that the number reads back exactly where some float64 has it as exponential, which holds for all that were read as
// logarithms, and else as near as can be. CPDs that Libra has no way to state become tables, and tests with several outcomes
// become tests against one state each. A parent that a tree or a feature list never tests is left out. In .ac and .spn, the
// model must be one circuit; the folder gets it as the only leaf, scaled to sum to one.
//
// The package does not read Libra's data (.data, .schema, .ev, .q).
//
// Sources: Lowd and Rooshenas, The Libra toolkit for probabilistic models (JMLR 16, 2015), its manual and its files; Chickering,
// The WinMine toolkit (2002).
package libra

import (
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/model"
)

// The formats of networks in text.
var (
	MN = format.Format{
		Name:  "mn",
		Doc:   "Markov networks of Libra: tables, features and trees in logarithms",
		Exts:  []string{mnLanguage.ext},
		Read:  mnLanguage.read,
		Write: mnLanguage.write,
	}
	BN = format.Format{
		Name:  "bn",
		Doc:   "Bayesian networks of Libra: tables, features and trees in logarithms",
		Exts:  []string{bnLanguage.ext},
		Read:  bnLanguage.read,
		Write: bnLanguage.write,
	}
	DN = format.Format{
		Name:  "dn",
		Doc:   "dependency networks of Libra: tables, features and trees in logarithms",
		Exts:  []string{dnLanguage.ext},
		Takes: model.Cycles,
		Read:  dnLanguage.read,
		Write: dnLanguage.write,
	}
)

// XMOD is the XML of the WinMine toolkit, which Libra reads and writes too.
var XMOD = format.Format{
	Name:  "xmod",
	Doc:   "Bayesian and dependency networks with tables and trees, the XML of WinMine",
	Exts:  []string{".xmod"},
	Takes: model.Cycles,
	Read:  readXMOD,
	Write: writeXMOD,
}

// AC is arithmetic circuits.
var AC = format.Format{
	Name:  "ac",
	Doc:   "arithmetic circuits of Libra",
	Exts:  []string{".ac"},
	Read:  readAC,
	Write: writeAC,
}

// SPN is sum-product networks over arithmetic circuits.
var SPN = format.Format{
	Name:   "spn",
	Doc:    "sum-product networks of Libra: folders with an arithmetic circuit for each leaf",
	Exts:   []string{".spn"},
	Folder: true,
	Read:   readSPN,
	Write:  writeSPN,
}
