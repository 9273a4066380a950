package acbn

import (
	"context"
	"flag"
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/learn/internal/growing"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Learner is the learner of Bayesian networks with circuits.
var Learner = learner.Learner{
	Name: "acbn",
	Doc:  "Bayesian network with decision trees and a circuit of bounded size, grown together (LearnAC)",
	New:  func() learner.Instance { return NewOptions() },

	Resumes: true,
}

// Options are the options of acbn. A pointer to them is the learner.
type Options struct {
	// SplitPenalty is how many nats a split has to bring beyond what its edges cost.
	SplitPenalty float64
	// EdgePenalty is how many nats an edge of the circuit costs; negative for 0.1, or 8 with
	// Shrink.
	EdgePenalty float64
	MaxEdges    int // most edges of the circuit
	MaxSplits   int // most splits; 0 for any number
	// Quick says to take costs for what they were at least, once they have been measured.
	Quick bool
	// Shrink says to halve the penalty of an edge if no split is worth it, until the circuit is
	// almost as large as it may be.
	Shrink bool
	// Tidy says to merge equal nodes, sums of sums and products of products as the circuit grows.
	Tidy bool
	// Restarts is how many times to search again, from the best so far without a random few of its
	// splits; the validation data choose.
	Restarts int
	Prior    float64 // pseudo-count of a leaf, shared among its states
}

// NewOptions returns the default options.
func NewOptions() *Options {
	return &Options{
		EdgePenalty: -1, MaxEdges: 1000000, Tidy: true, Prior: 1,
	}
}

// highEdge is the penalty of an edge from which it falls with shrink.
const highEdge = 8

// Bind binds the options to flags.
func (l *Options) Bind(fs *flag.FlagSet) {
	growing.Bind(fs, l.flags(), highEdge)
	fs.Float64Var(&l.Prior, "prior", l.Prior, "pseudo-count of a leaf, shared among its states")
}

func (l *Options) flags() growing.Flags {
	return growing.Flags{
		Split: &l.SplitPenalty, Edge: &l.EdgePenalty, MaxEdges: &l.MaxEdges, MaxSplits: &l.MaxSplits,
		Quick: &l.Quick, Shrink: &l.Shrink, Tidy: &l.Tidy, Restarts: &l.Restarts,
	}
}

func (l *Options) growth() *growing.Growth {
	return &growing.Growth{
		Split: l.SplitPenalty, Edge: l.EdgePenalty, MaxEdges: l.MaxEdges, MaxSplits: l.MaxSplits,
		Quick: l.Quick, Shrink: l.Shrink, Tidy: l.Tidy, Restarts: l.Restarts,
	}
}

// check says what is wrong with the options, or with the data.
func (l *Options) check(job *learner.Job) error {
	if !(l.Prior >= 0) || math.IsInf(l.Prior, 0) {
		return fmt.Errorf("pseudo-count %v; want 0 or more", l.Prior)
	}
	return l.growth().Check(job)
}

// Learn implements learner.Instance.
func (l *Options) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	if err := l.check(job); err != nil {
		return nil, err
	}
	s := newSearch(l, job)
	if err := l.growth().Fits(s.c.Edges()); err != nil {
		return nil, err
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	if err := s.tries(timed, job.Saver("acbn", *l)); err != nil {
		return nil, err
	}
	stopped := timed.Err() != nil
	r, err := s.result()
	if err != nil {
		return nil, err
	}
	r.Report.Stopped = stopped
	return r, ctx.Err()
}
