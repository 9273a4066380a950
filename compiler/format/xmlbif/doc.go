// Package xmlbif reads and writes XMLBIF 0.3, the Interchange Format for Bayesian networks in XML, of JavaBayes, Weka,
// aGrUM, pgmpy and other tools.
//
//	<BIF VERSION="0.3"><NETWORK><NAME>asia</NAME>
//	<VARIABLE TYPE="nature"><NAME>smoke</NAME><OUTCOME>yes</OUTCOME><OUTCOME>no</OUTCOME></VARIABLE>
//	<VARIABLE TYPE="nature"><NAME>lung</NAME><OUTCOME>yes</OUTCOME><OUTCOME>no</OUTCOME></VARIABLE>
//	<DEFINITION><FOR>smoke</FOR><TABLE>0.5 0.5</TABLE></DEFINITION>
//	<DEFINITION><FOR>lung</FOR><GIVEN>smoke</GIVEN><TABLE>0.1 0.9 0.01 0.99</TABLE></DEFINITION>
//	</NETWORK></BIF>
//
// The numbers of a TABLE go through the joint states of the GIVENs, in order of appearance, and then of the FOR, which is
// the fastest. Variables and definitions may come in any order, tags in capitals or not, comments anywhere, in a TABLE too.
// A document type is passed over, and so are properties, but for one of ours: <PROPERTY>latent = true</PROPERTY> in a
// variable. aGrUM repeats the outcomes in a property "fast"; the outcomes count.
//
// Refused by name are decision and utility variables, a definition for several variables, and elements that are not of
// XMLBIF 0.3. The reader is none for earlier versions, whose tags differ, nor for the text format, which is package bif.
//
// The writer writes tables; a deterministic CPD, a tree and a noisy-max become tables. Numbers read back exactly. Blanks at the
// ends of a name mean nothing to the tools, so that a name with such blanks cannot be written.
//
// Sources: Cozman, The Interchange Format for Bayesian Networks, XMLBIF 0.3 (1998), with its DTD; files of aGrUM and JavaBayes.
package xmlbif

import "github.com/pgmc-go/pgmc/compiler/format"

// Format is XMLBIF.
var Format = format.Format{
	Name:  "xmlbif",
	Doc:   "Bayesian networks, BIF in XML",
	Exts:  []string{".xmlbif", ".bifxml", ".xml"},
	Read:  read,
	Write: write,
}
