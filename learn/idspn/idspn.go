package idspn

import (
	"context"
	"flag"
	"fmt"
	"math"
	"time"

	"github.com/pgmc-go/pgmc/learn/internal/trees"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Learner learns sum-product networks with circuits as leaves.
var Learner = learner.Learner{
	Name: "idspn",
	Doc:  "a sum-product network of Markov networks with circuits (ID-SPN)",
	New:  func() learner.Instance { return NewOptions() },

	Resumes: true,
}

// Options holds the options of idspn. A pointer to Options is the learner.
type Options struct {
	Extensions int // most circuits that are split
	// Mutual is the mutual information, in nats, above which two variables stay together.
	Mutual float64
	// ClusterPenalty is the log-likelihood that a cluster must gain for each variable, in nats.
	ClusterPenalty float64
	Clusters       int     // most clusters of one split of rows
	MinRows        float64 // least number of rows that are split
	MinVars        int     // least number of variables that are split
	// SplitPenalty is the least gain of a split of a circuit, in nats, beyond the penalties of its
	// edges.
	SplitPenalty float64
	L1           float64 // L1 penalty per unit of each weight of a circuit, in nats
	MaxEdges     int     // most edges of all circuits together
	Rounds       int     // most rounds of EM for the weights of sums
}

// NewOptions returns the default options.
func NewOptions() *Options {
	return &Options{
		Extensions: 10, Mutual: 0.001, ClusterPenalty: 0.2, Clusters: 5, MinRows: 50,
		MinVars: 10, SplitPenalty: 5, L1: 1, MaxEdges: 1000000, Rounds: 20,
	}
}

// Bind declares the flags of the options.
func (l *Options) Bind(fs *flag.FlagSet) {
	fs.IntVar(&l.Extensions, "extensions", l.Extensions, "most circuits that are split")
	fs.Float64Var(&l.Mutual, "mutual", l.Mutual, "mutual information, in nats, above which two variables stay together")
	fs.Float64Var(&l.ClusterPenalty, "cluster-penalty", l.ClusterPenalty, "log-likelihood that a cluster must gain for each variable, in nats")
	fs.IntVar(&l.Clusters, "clusters", l.Clusters, "most clusters of one split of rows")
	fs.Float64Var(&l.MinRows, "min-rows", l.MinRows, "least number of rows that are split")
	fs.IntVar(&l.MinVars, "min-vars", l.MinVars, "least number of variables that are split")
	fs.Float64Var(&l.SplitPenalty, "split-penalty", l.SplitPenalty, "least gain of a split of a circuit, in nats, beyond the penalties of its edges")
	fs.Float64Var(&l.L1, "l1", l.L1, "L1 penalty per unit of each weight of a circuit, in nats")
	fs.IntVar(&l.MaxEdges, "max-edges", l.MaxEdges, "most edges of all circuits together")
	fs.IntVar(&l.Rounds, "rounds", l.Rounds, "most rounds of EM for the weights of sums")
}

func (l *Options) check() error {
	for _, x := range []struct {
		what  string
		value float64
	}{{"mutual information", l.Mutual}, {"penalty of a cluster", l.ClusterPenalty}, {"penalty of a split", l.SplitPenalty}, {"L1 penalty", l.L1}} {
		if !(x.value >= 0) || math.IsInf(x.value, 0) {
			return fmt.Errorf("%s %v; want 0 or more", x.what, x.value)
		}
	}
	switch {
	case l.Extensions < 0:
		return fmt.Errorf("%d extensions; want 0 or more", l.Extensions)
	case l.Clusters < 1:
		return fmt.Errorf("at most %d clusters; want 1 or more", l.Clusters)
	case !(l.MinRows > 0):
		return fmt.Errorf("%v rows at least; want a number above 0", l.MinRows)
	case l.MinVars < 2:
		return fmt.Errorf("%d variables at least; want 2 or more", l.MinVars)
	case l.MaxEdges < 1 || l.MaxEdges > math.MaxInt32/8:
		return fmt.Errorf("at most %d edges; want 1 to %d", l.MaxEdges, math.MaxInt32/8)
	case l.Rounds < 0:
		return fmt.Errorf("%d rounds of EM; want 0 or more", l.Rounds)
	}
	return nil
}

// Learn implements learner.Instance.
func (l *Options) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	if err := job.Train.Check(); err != nil {
		return nil, err
	}
	if err := l.check(); err != nil {
		return nil, err
	}
	if _, err := trees.NewIndex(job.Train, nil, nil); err != nil { // no later index is larger
		return nil, err
	}
	s, err := newSearch(l, job)
	if err != nil {
		return nil, err
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	if err := s.run(timed); err != nil {
		return nil, err
	}
	stopped := timed.Err() != nil
	s.fit()
	r, err := s.result(stopped)
	if err != nil {
		return nil, err
	}
	return r, ctx.Err()
}

// left returns the part of the learning time that a share of rows times variables may take; 0 if
// there is no limit, or if a later run learns what does not fit.
func (s *search) left(share float64) time.Duration {
	if s.job.MaxTime == 0 || s.job.Save != nil {
		return 0
	}
	const each = 0.3 // of all the time, for a pass over all rows and variables: there are several passes, and more in parallel
	return max(100*time.Millisecond, time.Duration(each*share*float64(s.job.MaxTime)))
}
