// Package xdsl reads and writes XDSL, the files of GeNIe and SMILE, which aGrUM, pgmpy and others know, too.
//
//	<smile version="1.0" id="asia"><nodes>
//	<cpt id="smoke"><state id="yes"/><state id="no"/><probabilities>0.5 0.5</probabilities></cpt>
//	<cpt id="lung"><state id="yes"/><state id="no"/><parents>smoke</parents><probabilities>0.1 0.9 0.01 0.99</probabilities></cpt>
//	<deterministic id="ill"><state id="no"/><state id="yes"/><parents>lung</parents><resultingstates>yes no</resultingstates>
//	</deterministic>
//	</nodes></smile>
//
// The numbers of probabilities, and the states of resultingstates, go through the joint states of the parents, in their order, and
// the numbers then through the states of the node, which are the fastest. Nodes may stand in submodels. Variables and states are
// called by their ids. The names that GeNIe shows stand in extensions, which are passed over, and so is all in a node that has no
// meaning for the distribution: costs, questions, comments.
//
// A noisymax node has parameters: for each parent, for each of its states from the strongest to the one that has no effect,
// numbers over the states of the node, and a last row of such numbers for the leak, which includes nothing of the parents.
// strengths lists, for each parent, the numbers of its states in that order; where it is left out, that order is the states'
// own. The states of the node themselves go from the strongest effect to none, so that the state is the first one that any
// parent or the leak contributes. A noisy-max of [model.NoisyMax] goes the other way, towards the last state; so the node
// becomes a table, and the tables of all such nodes may have 4 million numbers in all. A row of parameters that misses one is
// scaled, with a warning where it is more than a rounding off, whatever is asked for the rows of tables.
//
// Documented by BayesFusion are the order of the parameters, that they follow the strengths, the row of the leak, the last row of
// a parent, which has to be 0 ... 0 1, and in the headers of SMILE that strengths lead from rank to state and that parameters
// are those of Díez. That the maximum runs towards the first state follows from that last row. No file with a noisymax node was at
// hand: that the lists stand in the file as SMILE has them in memory is a conclusion.
//
// Refused by name are decisions, utilities, equations, noisy adders, other kinds of nodes, and dynamic networks.
//
// The writer puts parents before children. A deterministic CPD stays one; a tree and a noisy-max become tables. Identifiers of
// GeNIe are a letter and then letters, digits and underscores. For a name that is none the writer makes one up, and keeps the
// true name as a property of the node, which GeNIe shows and keeps: pgmc_name, and pgmc_states for the states, as JSON;
// pgmc_latent is "true" for a latent variable; pgmc_order gives the places of variable and CPD where they are not those
// of the nodes. The name of a network that is no identifier stands in the extensions. All that, and the numbers, read
// back exactly.
//
// Sources: the manuals of GeNIe and SMILE, on Noisy-MAX and on the file format; files of GeNIe.
package xdsl

import "github.com/pgmc-go/pgmc/compiler/format"

// Format is XDSL.
var Format = format.Format{
	Name:  "xdsl",
	Doc:   "Bayesian networks, GeNIe's XML",
	Exts:  []string{".xdsl"},
	Read:  read,
	Write: write,
}
