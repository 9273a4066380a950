package acbn

import (
	"context"

	"github.com/pgmc-go/pgmc/ir/options"
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
	SplitPenalty float64 `opt:"split-penalty" help:"least gain of a split, in nats, beyond the penalties of its edges"`
	EdgePenalty  float64 `opt:"edge-penalty" default:"-1" help:"penalty of an edge of the circuit, in nats; negative for 0.1, or 8 with shrink"`
	MaxEdges     int     `opt:"max-edges" default:"1000000" help:"most edges of the circuit"`
	MaxSplits    int     `opt:"max-splits" help:"most splits; 0 for any number"`
	Quick        bool    `opt:"quick" help:"reuse the measured cost of a split as a lower bound instead of measuring it again"`
	Shrink       bool    `opt:"shrink" help:"halve the penalty of an edge when no split pays, until the circuit is nearly full"`
	Tidy         bool    `opt:"tidy" default:"true" help:"merge equal nodes, sums of sums and products of products as the circuit grows; the published algorithm does not"`
	Restarts     int     `opt:"restarts" help:"number of further searches, each from the best result so far without a few random splits; the validation data choose"`
	Prior        float64 `opt:"prior" default:"1" help:"pseudo-count of a leaf, divided among its states" range:"[0,inf)" wrong:"pseudo-count {prior}; want 0 or more"`
}

// NewOptions returns the default options.
func NewOptions() *Options { return options.New[Options]() }

// highEdge is the initial penalty of an edge with Shrink.
const highEdge = 8

func (l *Options) growth() *growing.Growth { return growing.Of(l) }

// check returns an error if the options or the data do not fit.
func (l *Options) check(job *learner.Job) error {
	if err := options.Check(l); err != nil {
		return err
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
