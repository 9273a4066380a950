// Package net reads and writes the Bayesian networks of the HUGIN NET language, which
// GeNIe, SamIam, aGrUM, gRain and bnlearn read, too.
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
// The numbers of data go through the joint states of the parents, in the order of the header, and
// of the child, which is fastest. The inner brackets are optional; if they are there, they must
// match the parents. Rows are weights: HUGIN writes (1 1 1) for a table that nobody filled in, and
// people write counts. If the sum of a row differs from one by more than rounding, the reader
// scales the row, with a warning.
//
// A continuous node has no states, and a normal distribution for each joint state of its discrete
// parents, the last fastest. The first number is the mean, a linear expression of the continuous
// parents, and the second one the variance.
//
//	continuous node dust { }
//	continuous node light { }
//	potential (dust | smoke) { data = (normal(6.5, 0.03) normal(6, 0.04)); }
//	potential (light | dust) { data = normal(3 - 0.5 * dust, 0.25); }
//
// States are strings, identifiers or numbers. The states of a numbered or interval node may have no
// names; they are then called by their values, "3" or "0 - 10". A boolean node without states has
// false and true. The nodes may be inside a net or one class. The reader skips attributes without a
// meaning for the distribution, and experience and fading tables.
//
// A class of an .oobn file may have temporal nodes. The network is then a template of a sequence.
// In its first slice, before has a potential of its own; in each later one, it is smoke of the
// slice before. The writer takes no templates.
//
//	temporal before : smoke { }
//	potential (before) { data = (0.5 0.5); }
//	potential (smoke | before) { data = ((0.9 0.1) (0.2 0.8)); }
//
// The potential of a decision has no data, and the variables that are known when it is chosen as
// parents. The data of a utility have a number for each joint state of its parents, the last
// fastest. Both become a [model.Diagram], and are only read.
//
//	decision dose { states = ("low" "high"); }
//	utility gain { }
//	potential (dose | smoke) { }
//	potential (gain | dose lung) { data = ((-1 2) (0 1)); }
//
// The reader rejects, by name, continuous decisions and functions; instances of classes; potentials
// of several children, as chain graphs have; tables given as an expression (model_nodes,
// model_data), even if they also have data, which may be out of date; and potentials without data.
//
// Node names are identifiers in this language. For any other name, the writer makes one up and
// writes the true name as the label and as the attribute pgmc_name, which the reader uses. Another
// such attribute is pgmc_latent = "true". HUGIN keeps the attributes of others. The name of a net
// is its attribute name, as for aGrUM and pgmpy. A deterministic CPD, a tree and a noisy-max are
// written as tables. Numbers read back exactly, except for those of rows that are weights.
//
// Sources: the Net Language, in the manual of the HUGIN GUI; files of HUGIN, aGrUM and gRain.
package net

import (
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Format is HUGIN NET.
var Format = format.Format{
	Name:      "net",
	Doc:       "Bayesian networks, HUGIN's NET language",
	Exts:      []string{".net", ".hugin", ".oobn"},
	Takes:     model.Reals | model.Gaussians | model.Mixed,
	Read:      read,
	Write:     write,
	Undefined: true,
}
