package acmn

import (
	"context"
	"flag"
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/learn/internal/growing"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Learner is the learner of Markov networks with circuits.
var Learner = learner.Learner{
	Name: "acmn",
	Doc:  "Markov network of conjunctions and a circuit of bounded size, grown together (ACMN)",
	New:  func() learner.Instance { return NewOptions() },

	Resumes: true,
}

// Options are the options of acmn. A pointer to them is the learner.
type Options struct {
	// SplitPenalty is how many nats a split has to bring beyond what its edges cost.
	SplitPenalty float64
	// EdgePenalty is how many nats an edge of the circuit costs; negative for 0.1, or 2 with
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
	L1       float64 // penalty for a unit of each weight, in nats
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

// highEdge is the penalty of an edge from which it falls with shrink.
const highEdge = 2

// Bind binds the options to flags.
func (l *Options) Bind(fs *flag.FlagSet) {
	growing.Bind(fs, l.flags(), highEdge)
	fs.Float64Var(&l.L1, "l1", l.L1, "penalty for a unit of each weight, in nats")
	fs.Float64Var(&l.WeightVariance, "weight-variance", l.WeightVariance, "variance of the Gaussian prior of each weight; 0 for none")
	fs.Float64Var(&l.Sloppy, "sloppy", l.Sloppy, "by which share of the next best score a split may be worse and still be made")
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
