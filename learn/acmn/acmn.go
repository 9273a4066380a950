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
	New:  func() learner.Instance { return &instance{} },

	Resumes: true,
}

type instance struct {
	growing.Growth
	l1       float64
	variance float64
	sloppy   float64
}

// highEdge is the penalty of an edge from which it falls with shrink.
const highEdge = 2

func (l *instance) Options(fs *flag.FlagSet) {
	l.Bind(fs, highEdge)
	fs.Float64Var(&l.l1, "l1", 0, "penalty for a unit of each weight, in nats")
	fs.Float64Var(&l.variance, "weight-variance", 1, "variance of the Gaussian prior of each weight; 0 for none")
	fs.Float64Var(&l.sloppy, "sloppy", 0.01, "by which share of the next best score a split may be worse and still be made")
}

// check says what is wrong with the options, or with the data.
func (l *instance) check(job *learner.Job) error {
	for _, x := range []struct {
		what  string
		value float64
	}{{"L1 penalty", l.l1}, {"variance of weights", l.variance}, {"share", l.sloppy}} {
		if !(x.value >= 0) || math.IsInf(x.value, 0) {
			return fmt.Errorf("%s %v; want a number from 0", x.what, x.value)
		}
	}
	return l.Check(job)
}

func (l *instance) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	if err := l.check(job); err != nil {
		return nil, err
	}
	s, err := newSearch(l, job)
	if err != nil {
		return nil, err
	}
	if err := l.Fits(s.c.Edges()); err != nil {
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
