// Package xmlbif reads and writes XMLBIF 0.3, the Interchange Format for Bayesian networks in XML,
// of JavaBayes, Weka, aGrUM, pgmpy and other tools.
//
//	<BIF VERSION="0.3"><NETWORK><NAME>asia</NAME>
//	<VARIABLE TYPE="nature"><NAME>smoke</NAME>
//	  <OUTCOME>yes</OUTCOME><OUTCOME>no</OUTCOME></VARIABLE>
//	<VARIABLE TYPE="nature"><NAME>lung</NAME>
//	  <OUTCOME>yes</OUTCOME><OUTCOME>no</OUTCOME></VARIABLE>
//	<DEFINITION><FOR>smoke</FOR><TABLE>0.5 0.5</TABLE></DEFINITION>
//	<DEFINITION><FOR>lung</FOR><GIVEN>smoke</GIVEN><TABLE>0.1 0.9 0.01 0.99</TABLE></DEFINITION>
//	</NETWORK></BIF>
//
// The numbers of a TABLE go through the joint states of the GIVENs, in order of appearance, and
// then of the FOR, which is fastest. Variables and definitions may come in any order, tags in upper
// or lower case, comments anywhere, even in a TABLE. The reader skips a document type and
// properties, except for one of pgmc: <PROPERTY>latent = true</PROPERTY> in a variable. aGrUM
// repeats the outcomes in a property "fast": <PROPERTY>fast = A{yes|no}</PROPERTY>. A variable
// without OUTCOMEs has the states of that; its intervals have the names of pgmc, so that a number
// is evidence.
//
// A variable of TYPE decision is a given one, whose DEFINITION has no TABLE and says by its GIVENs
// which variables are known when it is chosen. The TABLE of a utility has a number for each joint
// state of its GIVENs. Both become a [model.Diagram]. Utilities that are functions of others are
// written as tables, without those on which only they depend.
//
// The reader rejects, by name, a definition for several variables, and elements that are not in
// XMLBIF 0.3. It does not read earlier versions, whose tags differ, or the text format, which
// package bif reads.
//
// The writer writes tables; a deterministic CPD, a tree and a noisy-max become tables. Numbers read
// back exactly. The writer rejects a name with blanks at its ends, because tools ignore such
// blanks.
//
// Sources: Cozman, The Interchange Format for Bayesian Networks, XMLBIF 0.3 (1998), with its DTD;
// files of aGrUM and JavaBayes.
package xmlbif

import (
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Format is XMLBIF.
var Format = format.Format{
	Name:      "xmlbif",
	Doc:       "Bayesian networks, BIF in XML",
	Exts:      []string{".xmlbif", ".bifxml", ".xml"},
	Read:      read,
	Write:     write,
	Undefined: true,
	Diagrams:  true,
	Takes:     model.Givens,
}
