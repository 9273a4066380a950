// Package libra reads and writes the model formats of the Libra toolkit: networks in text (.mn,
// .bn, .dn), the XML of WinMine (.xmod), arithmetic circuits (.ac) and sum-product networks (.spn).
//
//	2,2,3                      numbers of states of v0, v1 and v2
//	MN {                       or BN, DN
//	0.5 +v0_1 -v2_0            a feature: e^0.5 if v0 is 1 and v2 is not 0
//	table {                    a line for each joint state
//	-0.3 +v0_0
//	-1.3 +v0_1
//	}
//	tree {                     a test, its branch if true, its branch if false
//	(v1_0 -0.1 (v2_0 -2 0))
//	}
//	features {
//	}
//	}
//
// Numbers are natural logarithms and may be -inf. The names of variables and states are their
// numbers: v0 has the states 0 and 1. Keywords may be in upper or lower case. An integer before the
// logarithm of a line is an id and is ignored. If the file ends while brackets are open, the reader
// closes them, with a warning.
//
// In MN, each separate line is a factor, and so is each block. In BN and DN, v1 { } holds the CPD
// of v1, which is one table or tree, or a list of features. The features of a CPD are divided by
// their sum over the states of the child, as in a logistic regression. A tree may test the child
// below all other tests. A table must list each joint state, because Libra's documentation does not
// define the others. Two lines for one state are added, as weights are, with a warning.
//
// An .xmod file has names, and tables and trees of probabilities. A network with a cycle is a
// dependency network. Since Libra also writes this XML into files called .bn, BN and DN read it
// too. The reader skips a learner's records besides the model.
//
// An .ac file is a circuit over indicators. It becomes one potential over all variables. The table
// of parameters that may follow the nodes is checked and dropped. An .spn folder has sums and
// products in spac.m, and a circuit in spac-3.ac for leaf 3. It becomes one circuit. Every leaf is
// a distribution, so that its circuit is divided by its sum. The weights of sums are logarithms and
// are not normalized.
//
// The writer can write a Bayesian network as .mn, because the product is the same. No other
// conversion changes the kind. A number reads back exactly if it is the exponential of some
// float64, as every number read from a logarithm is. Otherwise the result is as close as possible.
// CPDs that Libra cannot state become tables, and tests with several outcomes become tests against
// one state each. A parent that a tree or a feature list never tests is left out. In .ac and .spn,
// the model must be one circuit. The folder holds it as the only leaf, scaled to sum to one.
//
// The package does not read Libra's data (.data, .schema, .ev, .q).
//
// Sources: Lowd and Rooshenas, The Libra toolkit for probabilistic models (JMLR 16, 2015), its
// manual and its files; Chickering, The WinMine toolkit (2002).
package libra

import (
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/model"
)

// The formats of networks in text.
var (
	MN = format.Format{
		Name:  format.LibraMN,
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
		Name:  format.LibraDN,
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

// AC is the format of arithmetic circuits.
var AC = format.Format{
	Name:  format.LibraAC,
	Doc:   "arithmetic circuits of Libra",
	Exts:  []string{".ac"},
	Read:  readAC,
	Write: writeAC,
}

// SPN is the format of sum-product networks over arithmetic circuits.
var SPN = format.Format{
	Name:   format.LibraSPN,
	Doc:    "sum-product networks of Libra: folders with an arithmetic circuit for each leaf",
	Exts:   []string{".spn"},
	Folder: true,
	Read:   readSPN,
	Write:  writeSPN,
}
