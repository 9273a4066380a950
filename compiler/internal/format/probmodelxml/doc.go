// Package probmodelxml reads ProbModelXML, the format of OpenMarkov, with time slices.
//
//	<ProbModelXML formatVersion="0.2.0"><ProbNet type="MID">
//	<Variables>
//	<Variable name="State" timeSlice="0" type="finiteStates" role="chance"><States>
//	<State name="ill"/><State name="well"/></States></Variable>
//	<Variable name="Therapy" type="finiteStates" role="decision">...</Variable>
//	</Variables>
//	<Potentials>
//	<Potential type="Table" role="conditionalProbability">
//	<Variables><Variable name="State" timeSlice="1"/><Variable name="State" timeSlice="0"/></Variables>
//	<Values>0.9 0.1 0.2 0.8</Values></Potential>
//	</Potentials>
//	</ProbNet></ProbModelXML>
//
// The first variable of a potential is the child. The numbers of a table go through the joint
// states of all its variables, of which the first is the fastest. A variable of a slice is called
// "State" with timeSlice="0" or, with or without that attribute, "State [0]".
//
// A network with slices becomes a template. Slice 0 is that of the file. A variable with a
// potential in slice 1 has it in all later slices, and any other one repeats that of slice 0, as
// does SameAsPrevious. A chance variable without a slice keeps its state; a decision without one is
// set in every slice. A variable of only slice 1 is uniform in slice 0, with a warning.
//
// A decision is a given variable, unless the file imposes a policy, which is its CPD. The decisions
// and utilities of networks of the types InfluenceDiagram and DAN become a [model.Diagram]: links
// say what a decision knows, and utilities keep their criteria, with scales. Utilities may be
// tables, and sums, products and functions of others; if there are other ones, all utilities are
// left out. A DAN, a decision analysis network, also has the restrictions and revelations of its
// links, and says which variables are always observed. Decisions and utilities of other types of
// network (Markov influence diagrams) are left out, and so are other link restrictions and
// findings, each with a warning. The reader takes the potentials Table, Uniform, Delta, Tree/ADD,
// SameAsPrevious, and ICIModel with OR / MAX and AND / MIN. An OR / MAX becomes a [model.NoisyMax],
// everything else a table, of at most 4 million numbers in all.
//
// A numeric chance variable is of use only in the intervals of trees. If it starts at a number
// (Delta) and each slice adds a cycle (CycleLengthShift), it has a state for each of its values up
// to the last threshold of a tree, and one for all later values, so that the template stays exact.
// A cycle is 1. A numeric variable without a distribution (Uniform) becomes a given one, whose
// states are the intervals between the thresholds, with a warning. Other numeric variables are
// refused.
//
// OpenMarkov gives some CPDs the role joinProbability. Rows that do not sum to one are an error,
// as in every table, so that a joint distribution is not taken for a conditional one.
//
// Source: the files of OpenMarkov (openmarkov.org). Arias, Díez, Palacios-Alonso, Yebra and
// Fernández 2012 describe the format.
package probmodelxml

import (
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Format is ProbModelXML.
var Format = format.Format{
	Name:  "probmodelxml",
	Doc:   "Bayesian networks and influence diagrams of OpenMarkov, with time slices",
	Exts:  []string{".pgmx"},
	Takes: model.Givens | model.Slices,
	Read:  read,
}
