package rows

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method/gibbs"
	"github.com/pgmc-go/pgmc/compiler/method/jointree"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Wanted lists the answers to compute.
type Wanted struct {
	LogP      bool
	Marginals []bool // by variable; nil for no marginals
	MPE       bool
	Batch     bool // many questions follow

	MaxMarginals []bool  // by variable; nil for no max-marginals
	MaxJoint     []Joint // sets of variables with max-marginals to compute

	Joint   []Joint
	Mixture []Joint // each of one real variable
	MAP     []int   // the variables whose most probable joint state to compute; nil for none
	KMPE    int     // the number of most probable completions to compute

	Loop string       // the package's method for approximate answers, or for those under a strategy; empty for others
	Kind ir.QueryKind // the kind of that method's query

	bounds bool // pseudo-max-marginals are upper bounds

	// Unnormalised reports that logarithms of completions are those of the product of the
	// potentials, of a network whose partition function the method does not know.
	Unnormalised bool
	Pseudo       bool // logarithms of completions are those of the product of a dependency network's CPDs
}

// Question is the evidence of one row.
type Question struct {
	Hard []int       // by variable: its state counted from 1, or 0; 1 for an observed real variable
	Soft [][]float64 // by variable: a likelihood for each state, or nil
	Real []float64   // by variable: the value of an observed real variable

	sets    [][]float64     // by variable: 1 for the states in its set and 0 for others, or nil; nil without sets
	Jeffrey [][]float64     // by variable: its given distribution, or nil; nil without distributions
	Ctx     context.Context // context of the query
	Line    int             // the line of the file that it was read from, or 0
}

// Plain reports whether the evidence consists of observed values alone.
func (q *Question) Plain() bool {
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

// Sets reports whether the evidence has sets of states.
func (q *Question) Sets() bool { return q.sets != nil }

// InLanes reports whether many questions can be answered at once: marginals and ln P by exact
// methods can.
func (w *Wanted) InLanes() bool {
	return w.Batch && w.Loop == "" && (w.LogP || w.Marginals != nil) && !w.MPE && w.Joint == nil && w.Mixture == nil && w.MAP == nil && w.KMPE == 0 && !w.asksMax()
}

// Completion reports whether a most probable completion is all that is wanted.
func (w *Wanted) Completion() bool {
	return w.MPE && w.Completions() && w.KMPE == 0
}

// Completions reports whether most probable completions, one or several, are all that is wanted.
func (w *Wanted) Completions() bool {
	return (w.MPE || w.KMPE > 0) && !w.LogP && w.Marginals == nil && w.MAP == nil && w.Joint == nil && w.Mixture == nil && !w.asksMax()
}

// Weigh sets the logarithms of weights if m is a forest model and f observes all of its variables.
func (a *Answer) Weigh(m *model.Model, f *infer.Findings) {
	if m.Kind != model.Forest {
		return
	}
	state := slices.Clone(f.State)
	for _, v := range m.Vars {
		if m.IsReal(v.ID) && !math.IsNaN(f.Value[v.ID]) {
			state[v.ID] = 0
		}
	}
	if slices.ContainsFunc(state, func(s int) bool { return s < 0 }) {
		return
	}
	w := m.ForestLogWeight(state, f.Value)
	a.LogWeight = &w
	if z, ok := m.ForestLogSum(); ok {
		a.LogZ = &z
	}
}

// NewQuestion returns a question without evidence on n variables.
func NewQuestion(n int) Question {
	return Question{Hard: make([]int, n), Soft: make([][]float64, n), Real: make([]float64, n), Ctx: context.Background()}
}

// Answer holds the answers of an engine.
type Answer struct {
	LogP, MpeLogP float64
	Marginals     [][]float64 // by variable; lower bounds, if the method bounds
	Most          [][]float64 // by variable: upper bounds
	MostLogP      float64
	MaxMarginals  [][]float64 // by variable: ln P of the best completion with each state
	MaxJoint      [][]float64 // the same by joint state, for each of Wanted.MaxJoint
	LogWeight     *float64    // of the joint state that was observed of a forest model; nil for none
	LogZ          *float64    // ln of the sum or integral of all weights or potentials; nil if it is unknown or not wanted
	Mpe           []int       // by variable: its state, from 0; 0 of a real one
	Decided       []bool      // by variable: all most probable completions have that state; nil if nothing is known
	MpeReal       []float64   // by variable: the value of a real one
	Joint         [][]float64 // by joint posterior in Wanted.Joint; see Leaf
	Mixture       [][]float64 // by mixture in Wanted.Mixture: weight, mean and variance of each component
	States        []int       // the most probable states of the variables of Wanted.MAP, and
	StatesLogP    float64
	KMPE          [][]int // by completion and variable, and
	KMPELogP      []float64

	infer.Report // of a method that is not exact
}

// ErrImpossible is the error of an engine for evidence of probability zero.
var ErrImpossible = errors.New("the evidence is impossible")

// errSoftJoint reports that Gibbs sampling cannot estimate the probability of likelihoods or sets.
var errSoftJoint = fmt.Errorf("method %s estimates the log-probability of states; leave out likelihoods and sets of states, or try --method %s", gibbs.Method.Name, jointree.Method.Name)

// errRealJoint reports that Gibbs sampling cannot estimate the density of real variables.
var errRealJoint = errors.New("the log-probability of the evidence is estimated of states; leave out real variables, whose density is not known")

// Estimable returns an error if Gibbs sampling cannot estimate the probability of the evidence.
func Estimable(q *Question, vars []Variable) error {
	for i := range q.Hard {
		if q.Soft[i] != nil {
			return errSoftJoint
		}
	}
	for i := range q.Hard {
		if q.Hard[i] > 0 && vars[i].Real {
			return errRealJoint
		}
	}
	return nil
}

// ErrNotANumber is the error of an answer that overflow has spoiled.
var ErrNotANumber = errors.New("the answer is not a number: numbers on the way to it exceed float64 (1.8e+308); if potentials are huge, divide each by a constant, which changes neither marginals nor best states")

// ErrUnderflow is the error of an exact answer of 0 if numbers may have underflowed on the way to
// it.
var ErrUnderflow = errors.New("the evidence is impossible, or its probability is lost below the smallest number on the way to it (2.2e-308)")

// check returns an error if a log-probability is NaN.
func (a *Answer) check() error {
	if math.IsNaN(a.LogP) || math.IsNaN(a.MpeLogP) {
		return ErrNotANumber
	}
	return nil
}

// GivenJeffrey returns the part of w that is defined under given distributions (Jeffrey's rule).
func (w *Wanted) GivenJeffrey() *Wanted {
	return &Wanted{LogP: w.LogP, Marginals: w.Marginals, Batch: w.Batch}
}
