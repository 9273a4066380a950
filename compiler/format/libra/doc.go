// Package libra reads and writes the formats of the Libra toolkit.
package libra

import "github.com/pgmc-go/pgmc/compiler/format"

// The formats of networks in text.
var (
	MN = format.Format{
		Name:  "mn",
		Doc:   "Markov networks of Libra: tables, features and trees in logarithms",
		Exts:  []string{".mn"},
		Read:  mnLanguage.read,
		Write: mnLanguage.write,
	}
	BN = format.Format{
		Name:  "bn",
		Doc:   "Bayesian networks of Libra",
		Exts:  []string{".bn"},
		Read:  bnLanguage.read,
		Write: bnLanguage.write,
	}
	DN = format.Format{
		Name:  "dn",
		Doc:   "dependency networks of Libra",
		Exts:  []string{".dn"},
		Read:  dnLanguage.read,
		Write: dnLanguage.write,
	}
)

// XMOD is the XML of the WinMine toolkit, which Libra reads and writes too.
var XMOD = format.Format{
	Name:  "xmod",
	Doc:   "Bayesian and dependency networks with tree CPDs, the XML of WinMine",
	Exts:  []string{".xmod"},
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

// SPN is sum-product networks over arithmetic circuits: a folder.
var SPN = format.Format{
	Name:   "spn",
	Doc:    "sum-product networks of Libra, folders",
	Exts:   []string{".spn"},
	Folder: true,
	Read:   readSPN,
	Write:  writeSPN,
}
