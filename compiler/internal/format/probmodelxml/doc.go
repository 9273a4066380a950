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
// A decision is a given variable, unless the file imposes a policy, which is its CPD. Decisions and
// utilities become a [model.Diagram]: links say what a decision knows, and utilities keep their
// criteria, with scales. Utilities may be tables, and sums, products and functions of others; if
// one cannot be read, all decisions and utilities are left out, with a warning. So are those of
// networks of several agents (DEC_POMDP), of discrete events (DESNet) and of unknown types. A
// decision analysis network (DAN) also has the restrictions and revelations of its links, and says
// which variables are always observed. Other link restrictions and findings are left out with a
// warning.
//
// In a network with slices, a decision without a slice is taken once, and a utility without one
// counts once. Other utilities count in each cycle, and OpenMarkov's TemporalOptions say how. With
// n slices and transitions at the BEGINNING of cycles they are those of the slices 1 to n, so that
// the horizon is n+1; with transitions at the END they are those of 0 to n-1. HALF leaves the
// utilities out. The discount of a criterion in slice t is (1+r)^-t for the rate r of a cycle. A
// rate for a year is converted by the length of the cycle in TimeUnit.
//
// The reader takes the potentials Table, Uniform, Delta, Tree/ADD, SameAsPrevious, Hazard
// (Weibull), Hazard (Exponential), and ICIModel with OR / MAX and AND / MIN, of utilities and
// numbers also Linear combination, Exponential, Sum, Product and Function. An OR / MAX becomes a
// [model.NoisyMax], everything else a table, of at most 4 million numbers in all.
//
// The probability of a hazard is 1 - exp(H(t-1) - H(t)) with the cumulative hazard H(t) = λ·t^s,
// where ln λ is a regression and s is the exponential of the coefficient Gamma, or 1. The time t is
// that of the TimeVariable at the end of the cycle, or else the number of the slice, for which the
// model has a variable that counts.
//
// A numeric chance variable has a state for each value that it has in the slices of the file. The
// values follow from Delta, from CycleLengthShift, which adds the length of a cycle, and from
// functions of parents; a parent with states counts as the number that names its state, or as the
// number of the state. A variable that starts at one number, to which each slice adds a cycle, and
// of which only the intervals of trees matter, has states up to the last threshold and one for all
// later values, so that it holds in any number of slices. Other ones keep their last value after
// the slices of the file, with a warning. A numeric variable without a distribution (Uniform)
// becomes a given one, whose states are the intervals between the thresholds, with a warning.
//
// OpenMarkov gives some CPDs the role joinProbability. Rows that do not sum to one are an error, as
// in every table, so that a joint distribution is not taken for a conditional one.
//
// Source: the files and the program of OpenMarkov (openmarkov.org). Arias, Díez, Palacios-Alonso,
// Yebra and Fernández 2012 describe the format.
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
