package learnspn

import (
	"context"
	"flag"
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/learn/internal/spn"
	"github.com/pgmc-go/pgmc/learn/internal/trees"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Learner is the learner of sum-product networks.
var Learner = learner.Learner{
	Name: "learnspn",
	Doc:  "a sum-product network: independent groups of columns and clusters of rows in turn (Gens and Domingos)",
	New:  func() learner.Instance { return &instance{} },

	Resumes: true,
}

type instance struct {
	alpha, penalty float64
	clusters       int
	minRows        float64
	prior          float64
	rounds         int
	limit          spn.Limit
}

func (l *instance) Options(fs *flag.FlagSet) {
	fs.Float64Var(&l.alpha, "alpha", 0, "level at which two columns are dependent; 0 for 0.001, or with --valid for the best of three")
	fs.Float64Var(&l.penalty, "cluster-penalty", 0, "what a cluster must gain for each variable, in nats; 0 for 0.6, or with --valid for the best of three")
	fs.IntVar(&l.clusters, "clusters", 2, "most clusters that rows are split into at once")
	fs.Float64Var(&l.minRows, "min-rows", 10, "fewest rows that are split")
	fs.Float64Var(&l.prior, "pseudo", 1, "rows of pseudo-counts in each distribution")
	fs.IntVar(&l.rounds, "rounds", 50, "most rounds of EM with --valid")
	l.limit.Options(fs)
}

func (l *instance) check() error {
	switch {
	case !(l.alpha >= 0 && l.alpha < 1):
		return fmt.Errorf("level %v; want 0 or more, below 1", l.alpha)
	case !(l.penalty >= 0) || math.IsInf(l.penalty, 0):
		return fmt.Errorf("penalty %v of a cluster; want a number from 0", l.penalty)
	case l.clusters < 1 || l.clusters > mostClusters:
		return fmt.Errorf("at most %d clusters; want 1 to %d", l.clusters, mostClusters)
	case !(l.minRows > 0):
		return fmt.Errorf("%v rows at least; want a number above 0", l.minRows)
	case !(l.prior > 0) || math.IsInf(l.prior, 0):
		return fmt.Errorf("pseudo-count %v; want a number above 0", l.prior)
	case l.rounds < 0:
		return fmt.Errorf("%d rounds of EM; want 0 or more", l.rounds)
	}
	return l.limit.Check()
}

// What is taken where nothing is given, first without and then with validation data.
var (
	usualAlpha, usualPenalty = 0.001, 0.6
	alphas, penalties        = []float64{0.01, 0.001, 0.0001}, []float64{0.2, 0.6, 2}
)

func (l *instance) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	if err := spn.Check(job); err != nil {
		return nil, err
	}
	if err := l.check(); err != nil {
		return nil, err
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	train := job.Train.Merged()
	if _, err := trees.NewIndex(train, nil, nil); err != nil { // the largest that there will be
		return nil, err
	}
	s := &search{l: l, job: job, train: train, tries: l.tries(job), saver: job.Saver("learnspn", *l)}
	if err := s.at.Begin(s.saver, &s.at, len(s.tries)); err != nil {
		return nil, err
	}
	if err := s.run(timed); err != nil {
		return nil, err
	}
	best, err := s.choose()
	if err != nil {
		return nil, err
	}
	n := s.made[best]
	if err := s.fit(timed, n); err != nil {
		return nil, err
	}
	r, err := n.Result(ctx, job, "learnspn", s.steps, timed.Err() != nil)
	if r != nil {
		r.Report.Remarks = append(r.Report.Remarks, fmt.Sprintf("level %g, penalty %g", s.tries[best].alpha, s.tries[best].penalty))
	}
	return r, err
}

func validated(job *learner.Job) bool { return job.Valid != nil && job.Valid.Len() > 0 }

// try is a level and a penalty.
type try struct{ alpha, penalty float64 }

func (l *instance) tries(job *learner.Job) (list []try) {
	choose := func(given, usual float64, tuned []float64) []float64 {
		switch {
		case given > 0:
			return []float64{given}
		case validated(job):
			return tuned
		}
		return []float64{usual}
	}
	for _, a := range choose(l.alpha, usualAlpha, alphas) {
		for _, p := range choose(l.penalty, usualPenalty, penalties) {
			list = append(list, try{a, p})
		}
	}
	return list
}
