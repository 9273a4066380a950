// Package dsc reads DSC, the text format of Microsoft's Belief Network tools, which GeNIe writes
// too.
//
//	belief network "asia"
//	node smoke { type : discrete [ 2 ] = { "yes", "no" }; }
//	node lung { type : discrete [ 2 ] = { "yes", "no" }; }
//	probability ( smoke ) { 0.5, 0.5; }
//	probability ( lung | smoke ) {
//	  (0) : 0.1, 0.9;
//	  (1) : 0.01, 0.99;
//	}
//
// A row has the numbers of the states of the parents, from 0, and may stand anywhere. Each joint
// state of the parents must have one row. Names are identifiers or strings; that of the network has
// no blanks. Comments are // and /* */. The reader skips other properties of a node, as far as they
// are followed by ":" or "=" and end with ";".
//
// The package does not write, and knows no default rows and no functions.
//
// Source: files of GeNIe.
package dsc

import "github.com/pgmc-go/pgmc/compiler/format"

// Format is DSC.
var Format = format.Format{
	Name: "dsc",
	Doc:  "Bayesian networks of Microsoft's Belief Networks and GeNIe",
	Exts: []string{".dsc"},
	Read: read,
}
