// Package xdsl reads and writes XDSL, the format of GeNIe and SMILE, which aGrUM, pgmpy and others
// read, too.
//
//	<smile version="1.0" id="asia"><nodes>
//	<cpt id="smoke"><state id="yes"/><state id="no"/><probabilities>0.5 0.5</probabilities></cpt>
//	<cpt id="lung"><state id="yes"/><state id="no"/><parents>smoke</parents>
//	<probabilities>0.1 0.9 0.01 0.99</probabilities></cpt>
//	<deterministic id="ill"><state id="no"/><state id="yes"/><parents>lung</parents>
//	<resultingstates>yes no</resultingstates></deterministic>
//	</nodes></smile>
//
// The entries of probabilities and resultingstates go through the joint states of the parents, in
// their order. Probabilities also go through the states of the node, which are fastest. Nodes may
// be inside submodels. Variables and states are called by their ids. The reader skips extensions,
// which hold the names that GeNIe shows, and all parts of a node without a meaning for the
// distribution: costs, questions, comments.
//
// A noisymax node has parameters: for each parent, for each of its states from the strongest to the
// one without effect, numbers over the states of the node, and a last row of such numbers for the
// leak, which excludes the effects of the parents. The list strengths has, for each parent, the
// numbers of its states in that order; without it, the order is that of the states. The states of
// the node itself go from the strongest effect to none, so that the node takes the first state that
// any parent or the leak contributes. A [model.NoisyMax] goes the other way, towards the last
// state. Therefore the node becomes a table, and the tables of all such nodes may have 4 million
// numbers in all. A row of parameters that does not sum to one is scaled, with a warning if it is
// off by more than rounding, whatever the options say about the rows of tables.
//
// BayesFusion documents the order of the parameters, that they follow the strengths, the row of the
// leak, and the last row of a parent, which must be 0 ... 0 1. The headers of SMILE say that
// strengths map a rank to a state and that the parameters are those of Díez. That the maximum runs
// towards the first state follows from that last row. No file with a noisymax node was available:
// that the lists in the file are those that SMILE holds in memory is an inference.
//
// An equation node is a real variable. Its definition is the sum of linear terms, one for each
// parent, which must be an equation too, and one term Normal(mean, sd). The second number is the
// standard deviation. If its square is not the variance, the writer adds the property pgmc_var.
//
//	<equation id="dust"><definition>dust=Normal(6.5,0.2)</definition></equation>
//	<equation id="light"><parents>dust</parents>
//	<definition>light=-0.5*dust+Normal(3,0.5)</definition></equation>
//
// A decision is a given variable with the variables known when it is chosen as parents. A utility
// node has utilities, a number for each joint state of its parents, and a mau is the sum of the
// utilities that are its parents, with its weights. They become a [model.Diagram], and are only
// read.
//
// The reader rejects, by name, other equations, noisy adders, other kinds of
// nodes, and dynamic networks.
//
// The writer puts parents before children. A deterministic CPD stays one; a tree and a noisy-max
// become tables. Identifiers of GeNIe are a letter and then letters, digits and underscores. For
// any other name the writer makes one up, and keeps the true name as a property of the node, which
// GeNIe shows and keeps: pgmc_name, and pgmc_states for the states, as JSON. Other properties are
// pgmc_latent, which is "true" for a latent variable, and pgmc_order, which has the indices of
// variable and CPD if they differ from those of the nodes. The name of a network that is not an
// identifier is in the extensions. All names and numbers read back exactly.
//
// [DSL] is the text format that these tools had before, with the same nodes and the same order of
// numbers. A node of the type CPT is a cpt, TRUTHTABLE a deterministic and NOISY_MAX a noisymax,
// whose parameters are called PROBABILITIES there. It is only read; there are no properties, so
// that nodes are called by their ids.
//
//	net asia {
//	  node smoke { TYPE = CPT; HEADER = { ID = smoke; NAME = "a smoker"; }; PARENTS = ();
//	    DEFINITION = { NAMESTATES = (yes, no); PROBABILITIES = (0.5, 0.5); }; };
//	};
//
// Sources: the manuals of GeNIe and SMILE, on Noisy-MAX and on the file formats; files of GeNIe,
// SMILE and aGrUM.
package xdsl

import (
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/model"
)

// DSL is the text format of GeNIe and SMILE.
var DSL = format.Format{
	Name: "dsl",
	Doc:  "Bayesian networks, GeNIe's former text format",
	Exts: []string{".dsl"},
	Read: readDSL,
}

// Format is XDSL.
var Format = format.Format{
	Name:  "xdsl",
	Doc:   "Bayesian networks, GeNIe's XML",
	Exts:  []string{".xdsl"},
	Takes: model.Reals | model.Gaussians,
	Read:  read,
	Write: write,
}
