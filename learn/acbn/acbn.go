package acbn

import (
	"context"
	"flag"
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/learn/internal/growing"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Learner learns Bayesian networks with circuits.
var Learner = learner.Learner{
	Name: "acbn",
	Doc:  "Bayesian network with decision trees and a circuit of bounded size, grown together (LearnAC)",
	New:  func() learner.Instance { return NewOptions() },

	Resumes: true,
}

// Options holds the options of acbn. A pointer to Options is the learner.
type Options struct {
	// SplitPenalty is the least gain of a split, in nats, beyond the penalties of its edges.
	SplitPenalty float64
	// EdgePenalty is the penalty of an edge of the circuit, in nats; negative for 0.1, or 8 with
	// Shrink.
	EdgePenalty float64
	MaxEdges    int // most edges of the circuit
	MaxSplits   int // most splits; 0 for any number
	// Quick reuses the measured cost of a split as a lower bound instead of measuring it again.
	Quick bool
	// Shrink halves the penalty of an edge when no split pays, until the circuit is nearly full.
	Shrink bool
	// Tidy merges equal nodes, sums of sums and products of products as the circuit grows.
	Tidy bool
	// Restarts is the number of further searches, each from the best result so far without a few
	// random splits. The validation data choose.
	Restarts int
	Prior    float64 // pseudo-count of a leaf, shared among its states
}

// NewOptions returns the default options.
func NewOptions() *Options {
	return &Options{
		EdgePenalty: -1, MaxEdges: 1000000, Tidy: true, Prior: 1,
	}
}

// highEdge is the initial penalty of an edge with Shrink.
const highEdge = 8

// Bind declares the flags of the options.
func (l *Options) Bind(fs *flag.FlagSet) {
	growing.Bind(fs, l.flags(), highEdge)
	fs.Float64Var(&l.Prior, "prior", l.Prior, "pseudo-count of a leaf, divided among its states")
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

// check returns an error if the options or the data do not fit.
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
