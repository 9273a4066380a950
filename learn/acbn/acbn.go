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
	New:  func() learner.Instance { return &instance{} },

	Resumes: true,
}

type instance struct {
	growing.Growth
	prior float64
}

// highEdge is the penalty of an edge from which it falls with shrink.
const highEdge = 8

func (l *instance) Options(fs *flag.FlagSet) {
	l.Bind(fs, highEdge)
	fs.Float64Var(&l.prior, "prior", 1, "pseudo-count of a leaf, shared among its states")
}

// check says what is wrong with the options, or with the data.
func (l *instance) check(job *learner.Job) error {
	if !(l.prior >= 0) || math.IsInf(l.prior, 0) {
		return fmt.Errorf("pseudo-count %v; want a number from 0", l.prior)
	}
	return l.Check(job)
}

func (l *instance) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	if err := l.check(job); err != nil {
		return nil, err
	}
	s := newSearch(l, job)
	if err := l.Fits(s.c.Edges()); err != nil {
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
