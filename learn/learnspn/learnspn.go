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

// Learner learns sum-product networks.
var Learner = learner.Learner{
	Name: "learnspn",
	Doc:  "a sum-product network: independent groups of columns and clusters of rows in turn (Gens and Domingos)",
	New:  func() learner.Instance { return NewOptions() },

	Resumes: true,
}

// Options holds the options of learnspn. A pointer to Options is the learner.
type Options struct {
	// Alpha is the significance level of the test of two columns; 0 for 0.001, or with validation
	// data for the best of three.
	Alpha float64
	// ClusterPenalty is the log-likelihood that a cluster must gain for each variable, in nats; 0
	// for 0.6, or with validation data for the best of three.
	ClusterPenalty float64
	Clusters       int     // most clusters of one split of rows
	MinRows        float64 // least number of rows that are split
	Pseudo         float64 // number of rows of pseudo-counts in each distribution
	Rounds         int     // most rounds of EM with validation data
	MaxEdges       int     // most edges of the circuit; 0 for any number
}

// NewOptions returns the default options.
func NewOptions() *Options {
	return &Options{
		Clusters: 2, MinRows: 10, Pseudo: 1, Rounds: 50,
	}
}

// Bind declares the flags of the options.
func (l *Options) Bind(fs *flag.FlagSet) {
	fs.Float64Var(&l.Alpha, "alpha", l.Alpha, "significance level of the test of two columns; 0 for 0.001, or with validation data for the best of three")
	fs.Float64Var(&l.ClusterPenalty, "cluster-penalty", l.ClusterPenalty, "log-likelihood that a cluster must gain for each variable, in nats; 0 for 0.6, or with validation data for the best of three")
	fs.IntVar(&l.Clusters, "clusters", l.Clusters, "most clusters of one split of rows")
	fs.Float64Var(&l.MinRows, "min-rows", l.MinRows, "least number of rows that are split")
	fs.Float64Var(&l.Pseudo, "pseudo", l.Pseudo, "number of rows of pseudo-counts in each distribution")
	fs.IntVar(&l.Rounds, "rounds", l.Rounds, "most rounds of EM with validation data")
	spn.BindLimit(fs, &l.MaxEdges)
}

func (l *Options) limit() *spn.Limit { return &spn.Limit{Edges: l.MaxEdges} }

func (l *Options) check() error {
	switch {
	case !(l.Alpha >= 0 && l.Alpha < 1):
		return fmt.Errorf("level %v; want 0 or more, below 1", l.Alpha)
	case !(l.ClusterPenalty >= 0) || math.IsInf(l.ClusterPenalty, 0):
		return fmt.Errorf("penalty %v of a cluster; want 0 or more", l.ClusterPenalty)
	case l.Clusters < 1 || l.Clusters > mostClusters:
		return fmt.Errorf("at most %d clusters; want 1 to %d", l.Clusters, mostClusters)
	case !(l.MinRows > 0):
		return fmt.Errorf("%v rows at least; want a number above 0", l.MinRows)
	case !(l.Pseudo > 0) || math.IsInf(l.Pseudo, 0):
		return fmt.Errorf("pseudo-count %v; want a number above 0", l.Pseudo)
	case l.Rounds < 0:
		return fmt.Errorf("%d rounds of EM; want 0 or more", l.Rounds)
	}
	return l.limit().Check()
}

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
	if err := l.check(); err != nil {
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
