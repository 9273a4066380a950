package learnspn

import (
	"context"
	"fmt"

	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/internal/spn"
	"github.com/pgmc-go/pgmc/learn/internal/trees"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Learner learns sum-product networks.
var Learner = learner.Learner{
	Name: "learnspn",
	Doc:  "a sum-product network: independent groups of columns and clusters of rows in turn (Gens and Domingos)",
	New:  func() learner.Instance { return NewOptions() },

	Resumes: true,
}

// Options holds the options of learnspn. A pointer to Options is the learner.
type Options struct {
	Alpha          float64 `opt:"alpha" help:"significance level of the test of two columns; 0 for 0.001, or with validation data for the best of three" range:"[0,1)" wrong:"level {alpha}; want 0 or more, below 1"`
	ClusterPenalty float64 `opt:"cluster-penalty" help:"log-likelihood that a cluster must gain for each variable, in nats; 0 for 0.6, or with validation data for the best of three" range:"[0,inf)" wrong:"penalty {cluster-penalty} of a cluster; want 0 or more"`
	Clusters       int     `opt:"clusters" default:"2" help:"most clusters of one split of rows" range:"[1,256]" wrong:"at most {clusters} clusters; want 1 to 256"`
	MinRows        float64 `opt:"min-rows" default:"10" help:"least number of rows that are split" range:"(0,inf]" wrong:"{min-rows} rows at least; want a number above 0"`
	Pseudo         float64 `opt:"pseudo" default:"1" help:"number of rows of pseudo-counts in each distribution" range:"(0,inf)" wrong:"pseudo-count {pseudo}; want a number above 0"`
	Rounds         int     `opt:"rounds" default:"50" help:"most rounds of EM with validation data" range:"[0,inf)" wrong:"{rounds} rounds of EM; want 0 or more"`
	MaxEdges       int     `opt:"max-edges" help:"most edges of the circuit; 0 for any number" range:"[0,inf)" wrong:"at most {max-edges} edges; want 0 or more"`
}

// NewOptions returns the default options.
func NewOptions() *Options { return options.New[Options]() }

func (l *Options) limit() *spn.Limit { return &spn.Limit{Edges: l.MaxEdges} }

// The defaults, first without and then with validation data.
var (
	usualAlpha, usualPenalty = 0.001, 0.6
	alphas, penalties        = []float64{0.01, 0.001, 0.0001}, []float64{0.2, 0.6, 2}
)

// Learn implements learner.Instance.
func (l *Options) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	if err := job.Train.Check(); err != nil {
		return nil, err
	}
	if err := options.Check(l); err != nil {
		return nil, err
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	train := job.Train.Merged()
	if _, err := trees.NewIndex(train, nil, nil); err != nil { // no later index is larger
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

func (l *Options) tries(job *learner.Job) (list []try) {
	choose := func(given, usual float64, tuned []float64) []float64 {
		switch {
		case given > 0:
			return []float64{given}
		case validated(job):
			return tuned
		}
		return []float64{usual}
	}
	for _, a := range choose(l.Alpha, usualAlpha, alphas) {
		for _, p := range choose(l.ClusterPenalty, usualPenalty, penalties) {
			list = append(list, try{a, p})
		}
	}
	return list
}
