// Package stochhmm reads hidden Markov models of StochHMM. The model is a template of a sequence
// with two variables: state, and the track of symbols.
//
//	#STOCHHMM MODEL FILE
//	MODEL INFORMATION
//	MODEL_NAME: casino
//	TRACK SYMBOL DEFINITIONS
//	DICE: 1,2,3,4,5,6
//	STATE DEFINITIONS
//	STATE:
//	  NAME: INIT
//	TRANSITION: STANDARD: P(X)
//	  FAIR: 0.5
//	  LOADED: 0.5
//	STATE:
//	  NAME: FAIR
//	TRANSITION: STANDARD: P(X)
//	  FAIR: 0.95
//	  LOADED: 0.05
//	EMISSION: DICE: P(X)
//	  ORDER: 0
//	0.167 0.167 0.167 0.167 0.167 0.167
//	...
//	//END
//
// The transitions of INIT are the distribution of the first state. A transition that is not listed
// has probability 0. A transition to END must have the number 1, which changes nothing: a sequence
// may end anywhere. The line of symbols above the numbers of an emission, with an @ before the
// first, is optional; it must have the order of the track. Lines of signs divide the file, and # in
// front of a line makes it a comment. Headings may stand between < and >.
//
// The reader rejects, by name, several tracks, emissions of a higher order, durations, logarithms,
// and functions.
//
// Source: the files in the repository KorfLab/StochHMM.
package stochhmm

import (
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Format is that of StochHMM.
var Format = format.Format{
	Name:  "stochhmm",
	Doc:   "hidden Markov models of StochHMM, as templates of sequences",
	Exts:  []string{".hmm"},
	Takes: model.Slices,
	Read:  read,
}
