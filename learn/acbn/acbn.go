package acbn

import (
	"context"
	"flag"
	"fmt"
	"math"

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
	split, edge float64 // penalties
	prior       float64
	maxEdges    int
	maxSplits   int
	quick       bool
	shrink      bool
}

// highEdge is the penalty of an edge from which it falls with shrink.
const highEdge = 8

func (l *instance) Options(fs *flag.FlagSet) {
	fs.Float64Var(&l.split, "split-penalty", 0, "nats that a split has to bring beyond what its edges cost")
	fs.Float64Var(&l.edge, "edge-penalty", -1, "nats that an edge of the circuit costs; negative for 0.1, or 8 with --shrink")
	fs.Float64Var(&l.prior, "prior", 1, "pseudo-count of a leaf, shared among its states")
	fs.IntVar(&l.maxEdges, "max-edges", 1000000, "most edges of the circuit")
	fs.IntVar(&l.maxSplits, "max-splits", 0, "most splits; 0 for any number")
	fs.BoolVar(&l.quick, "quick", false, "take costs for what they were at least, once they have been measured")
	fs.BoolVar(&l.shrink, "shrink", false, "halve the penalty of an edge where no split is worth it, until the circuit is almost as large as it may be")
}

// check says what is wrong with the options, or with the data.
func (l *instance) check(job *learner.Job) error {
	switch {
	case len(job.Train.Vars) == 0:
		return fmt.Errorf("the data has no columns; want one at least")
	case job.Train.Len() == 0:
		return fmt.Errorf("the data has no rows; want one at least")
	case !(l.split >= 0) || math.IsInf(l.split, 0):
		return fmt.Errorf("penalty of a split %v; want a number from 0", l.split)
	case math.IsNaN(l.edge) || math.IsInf(l.edge, 0):
		return fmt.Errorf("penalty of an edge %v; want a number", l.edge)
	case !(l.prior >= 0) || math.IsInf(l.prior, 0):
		return fmt.Errorf("pseudo-count %v; want a number from 0", l.prior)
	case l.maxSplits < 0:
		return fmt.Errorf("at most %d splits; want 0 or more", l.maxSplits)
	case l.maxEdges < 1 || l.maxEdges > math.MaxInt32/8:
		return fmt.Errorf("at most %d edges; want 1 to %d", l.maxEdges, math.MaxInt32/8)
	}
	return nil
}

func (l *instance) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	if err := l.check(job); err != nil {
		return nil, err
	}
	s := newSearch(l, job)
	if s.c.Edges() > l.maxEdges {
		return nil, fmt.Errorf("independent variables take a circuit of %d edges, and it may have %d; give it more", s.c.Edges(), l.maxEdges)
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	if err := s.run(timed, job.Saver("acbn", *l)); err != nil {
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
