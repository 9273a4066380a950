package acmn

import (
	"context"
	"flag"
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/learn/internal/growing"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Learner learns Markov networks with circuits.
var Learner = learner.Learner{
	Name: "acmn",
	Doc:  "Markov network of conjunctions and a circuit of bounded size, grown together (ACMN)",
	New:  func() learner.Instance { return NewOptions() },

	Resumes: true,
}

// Options holds the options of acmn. A pointer to Options is the learner.
type Options struct {
	// SplitPenalty is the least gain of a split, in nats, beyond the penalties of its edges.
	SplitPenalty float64
	// EdgePenalty is the penalty of an edge of the circuit, in nats; negative for 0.1, or 2 with
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
	L1       float64 // L1 penalty per unit of each weight, in nats
	// WeightVariance is the variance of the Gaussian prior of each weight; 0 for none.
	WeightVariance float64
	// Sloppy is the share of the next best score by which a split may be worse and still be made.
	Sloppy float64
}

// NewOptions returns the default options.
func NewOptions() *Options {
	return &Options{
		EdgePenalty: -1, MaxEdges: 1000000, Tidy: true, WeightVariance: 1, Sloppy: 0.01,
	}
}

// highEdge is the initial penalty of an edge with Shrink.
const highEdge = 2

// Bind declares the flags of the options.
func (l *Options) Bind(fs *flag.FlagSet) {
	growing.Bind(fs, l.flags(), highEdge)
	fs.Float64Var(&l.L1, "l1", l.L1, "L1 penalty per unit of each weight, in nats")
	fs.Float64Var(&l.WeightVariance, "weight-variance", l.WeightVariance, "variance of the Gaussian prior of each weight; 0 for none")
	fs.Float64Var(&l.Sloppy, "sloppy", l.Sloppy, "share of the next best score by which a split may be worse and still be made")
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
	for _, x := range []struct {
		what  string
		value float64
	}{{"L1 penalty", l.L1}, {"variance of weights", l.WeightVariance}, {"share", l.Sloppy}} {
		if !(x.value >= 0) || math.IsInf(x.value, 0) {
			return fmt.Errorf("%s %v; want 0 or more", x.what, x.value)
		}
	}
	return l.growth().Check(job)
}

// Learn implements learner.Instance.
func (l *Options) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	if err := l.check(job); err != nil {
		return nil, err
	}
	s, err := newSearch(l, job)
	if err != nil {
		return nil, err
	}
	if err := l.growth().Fits(s.c.Edges()); err != nil {
		return nil, err
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	if err := s.tries(ctx, timed, job.Saver("acmn", *l)); err != nil {
		return nil, err
	}
	stopped := timed.Err() != nil
	s.finish(ctx)
	r, err := s.result()
	if err != nil {
		return nil, err
	}
	r.Report.Stopped = stopped
	return r, ctx.Err()
}
