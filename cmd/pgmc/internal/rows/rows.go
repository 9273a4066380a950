package rows

import (
	"context"
	"errors"
	"math"
)

// Wanted is what to answer.
type Wanted struct {
	LogP      bool   `json:"logp"`
	Marginals []bool `json:"marginals"` // by variable; nil for none at all
	MPE       bool   `json:"mpe"`
	Batch     bool   `json:"batch"` // of many rows

	Joint []Joint `json:"joint"`
	MAP   []int   `json:"map"`  // the variables whose most probable joint state is wanted; nil for none
	KMPE  int     `json:"kmpe"` // how many completions

	Loop string `json:"loop"` // the method of a package that answers approximately; empty where answers are exact
	Kind string `json:"kind"` // of the query that it answers, one of the constants below; empty where answers are exact
}

// Question is the evidence of one row.
type Question struct {
	Hard []int       // by variable: its state counted from 1, or 0; 1 where a real one is observed
	Soft [][]float64 // by variable: a likelihood for each state, or nil
	Real []float64   // by variable: the value of a real one that is observed

	sets    [][]float64     // by variable: 1 for the states that it may be in and 0 for the others, or nil; nil where there are none
	Jeffrey [][]float64     // by variable: its distribution, or nil; nil where there are none
	Ctx     context.Context // of the query
}

// plain reports whether all that is known are states.
func (q *Question) plain() bool {
	if q.Jeffrey != nil || q.sets != nil {
		return false
	}
	for _, l := range q.Soft {
		if l != nil {
			return false
		}
	}
	return true
}

// inLanes reports whether all that is wanted can be had for many rows at once.
func (w *Wanted) inLanes() bool {
	return w.Batch && w.Loop == "" && (w.LogP || w.Marginals != nil) && !w.MPE && w.Joint == nil && w.MAP == nil && w.KMPE == 0
}

// NewQuestion has no evidence on n variables.
func NewQuestion(n int) Question {
	return Question{Hard: make([]int, n), Soft: make([][]float64, n), Real: make([]float64, n), Ctx: context.Background()}
}

// Answer is what an engine found.
type Answer struct {
	LogP, MpeLogP float64
	Marginals     [][]float64 // by variable
	Mpe           []int       // by variable: its state counted from 0
	Joint         [][]float64 // by joint posterior that is wanted
	states        []int       // the most probable states of the variables of MAP, and
	statesLogP    float64
	kmpe          [][]int // by completion and variable, and
	kmpeLogP      []float64

	Status     string // how iterating went, and
	Iterations int
	residual   float64
	bound      float64 // of the divergence; 0 where the method has none, and +Inf where there is none
	rhat, ess  float64 // of sampling
	logError   float64 // of weighted samples: the standard error of ln P, +Inf where it is unknown
	note       string  // what the method decided; empty for nothing to say
	upper, Gap float64 // of states that were chosen by messages: what no log-probability exceeds, and how far that is; +Inf where nothing is known
}

// ErrImpossible is the error of an engine where evidence has probability zero.
var ErrImpossible = errors.New("the evidence is impossible")

// The kinds of query that are answered approximately, as package ir names them.
const (
	KindBeliefs   = "beliefs"   // marginals to which a loop converges
	KindDecoding  = "decoding"  // states that messages choose
	kindEstimates = "estimates" // marginals averaged over Markov chains
	kindWeighted  = "weighted"  // marginals from weighted samples
	kindClimb     = "climb"     // states that a search met
)

// errSoftJoint says what a probability by sampling is not of.
var errSoftJoint = errors.New("method gibbs estimates the log-probability of states; leave out likelihoods and sets of states, or try --method jointree")

// errRealJoint says what the states of which a probability is estimated one after the other are not
// among.
var errRealJoint = errors.New("the log-probability of the evidence is estimated of states; leave out real variables, whose density is not known")

// check returns an error if a number is none.
func (a *Answer) check() error {
	if math.IsNaN(a.LogP) || math.IsNaN(a.MpeLogP) {
		return errors.New("the answer is not a number")
	}
	return nil
}

// givenJeffrey is what is answered if distributions are given.
func (w *Wanted) givenJeffrey() *Wanted {
	return &Wanted{LogP: w.LogP, Marginals: w.Marginals, Batch: w.Batch}
}
