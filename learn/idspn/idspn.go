package idspn

import (
	"context"
	"time"

	"github.com/pgmc-go/pgmc/ir/options"
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
	Extensions     int     `opt:"extensions" default:"10" help:"most circuits that are split" range:"[0,inf)" wrong:"{extensions} extensions; want 0 or more"`
	Mutual         float64 `opt:"mutual" default:"0.001" help:"mutual information, in nats, above which two variables stay together" range:"[0,inf)" wrong:"mutual information {mutual}; want 0 or more"`
	ClusterPenalty float64 `opt:"cluster-penalty" default:"0.2" help:"log-likelihood that a cluster must gain for each variable, in nats" range:"[0,inf)" wrong:"penalty of a cluster {cluster-penalty}; want 0 or more"`
	Clusters       int     `opt:"clusters" default:"5" help:"most clusters of one split of rows" range:"[1,inf)" wrong:"at most {clusters} clusters; want 1 or more"`
	MinRows        float64 `opt:"min-rows" default:"50" help:"least number of rows that are split" range:"(0,inf]" wrong:"{min-rows} rows at least; want a number above 0"`
	MinVars        int     `opt:"min-vars" default:"10" help:"least number of variables that are split" range:"[2,inf)" wrong:"{min-vars} variables at least; want 2 or more"`
	SplitPenalty   float64 `opt:"split-penalty" default:"5" help:"least gain of a split of a circuit, in nats, beyond the penalties of its edges" range:"[0,inf)" wrong:"penalty of a split {split-penalty}; want 0 or more"`
	L1             float64 `opt:"l1" default:"1" help:"L1 penalty per unit of each weight of a circuit, in nats" range:"[0,inf)" wrong:"L1 penalty {l1}; want 0 or more"`
	MaxEdges       int     `opt:"max-edges" default:"1000000" help:"most edges of all circuits together" range:"[1,268435455]" wrong:"at most {max-edges} edges; want 1 to 268435455"`
	Rounds         int     `opt:"rounds" default:"20" help:"most rounds of EM for the weights of sums" range:"[0,inf)" wrong:"{rounds} rounds of EM; want 0 or more"`
}

// NewOptions returns the default options.
func NewOptions() *Options { return options.New[Options]() }

// Learn implements learner.Instance.
func (l *Options) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	if err := job.Train.Check(); err != nil {
		return nil, err
	}
	if err := options.Check(l); err != nil {
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
