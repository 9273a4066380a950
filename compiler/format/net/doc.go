// Package net reads and writes the discrete Bayesian networks of the HUGIN NET language, which GeNIe, SamIam, aGrUM, gRain and
// bnlearn know, too.
//
//	net { }
//	node smoke { states = ("yes" "no"); }
//	node lung { states = ("yes" "no"); }
//	potential (smoke) { data = (0.5 0.5); }
//	potential (lung | smoke) {
//	  data = ((0.1 0.9)     % smoke = yes
//	          (0.01 0.99)); % smoke = no
//	}
//
// The numbers of data go through the joint states of the parents, in the order of the header, and of the child, which is the
// fastest. The inner brackets may be left out; where they are there, they must fit the parents. Rows are weights: HUGIN
// writes (1 1 1) for a table that nobody filled in, and people write counts. A row whose sum is more than a rounding off one
// is scaled, with a warning.
//
// States are strings, identifiers or numbers. The states of a numbered or interval node may have no names; they are then
// called by their values, "3" or "0 - 10". A boolean node without states has false and true. What stands around nodes may be
// a net, or one class. Attributes without a meaning for the distribution are passed over, experience and fading tables too.
//
// Refused by name are continuous nodes, decisions, utilities and functions; instances of classes; potentials of several
// children, as chain graphs have; tables given as an expression (model_nodes, model_data), even with data beside it, since
// nothing says whether the data is up to date; and potentials without data.
//
// Node names are identifiers in this language. For a name that is none, the writer makes one up, with the true name as label,
// and as attribute pgmc_name, from which the reader takes it; pgmc_latent = "true" is of the same kind. HUGIN keeps the
// attributes of others. The name of a net is its attribute name, as for aGrUM and pgmpy. A deterministic CPD, a tree and a
// noisy-max are written as tables. Numbers read back exactly, but for those of rows that are weights.
//
// Sources: the Net Language, in the manual of the HUGIN GUI; files of HUGIN, aGrUM and gRain.
package net

import "github.com/pgmc-go/pgmc/compiler/format"

// Format is HUGIN NET.
var Format = format.Format{
	Name:  "net",
	Doc:   "Bayesian networks, HUGIN's NET language",
	Exts:  []string{".net", ".hugin"},
	Read:  read,
	Write: write,
}
