package idspn

import (
	"context"
	"flag"
	"fmt"
	"math"
	"time"

	"github.com/pgmc-go/pgmc/learn/internal/spn"
	"github.com/pgmc-go/pgmc/learn/internal/trees"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Learner is the learner of sum-product networks with circuits as leaves.
var Learner = learner.Learner{
	Name: "idspn",
	Doc:  "a sum-product network of Markov networks with circuits (ID-SPN)",
	New:  func() learner.Instance { return &instance{} },

	Resumes: true,
}

type instance struct {
	extensions int
	mutual     float64
	penalty    float64
	clusters   int
	minRows    float64
	minVars    int
	split      float64
	l1         float64
	maxEdges   int
	rounds     int
}

func (l *instance) Options(fs *flag.FlagSet) {
	fs.IntVar(&l.extensions, "extensions", 10, "how many circuits are taken apart at most")
	fs.Float64Var(&l.mutual, "mutual", 0.001, "mutual information, in nats, from which on two variables stay together")
	fs.Float64Var(&l.penalty, "cluster-penalty", 0.2, "what a cluster must gain for each variable, in nats")
	fs.IntVar(&l.clusters, "clusters", 5, "most clusters that rows are split into at once")
	fs.Float64Var(&l.minRows, "min-rows", 50, "fewest rows that are split")
	fs.IntVar(&l.minVars, "min-vars", 10, "fewest variables that are split")
	fs.Float64Var(&l.split, "split-penalty", 5, "nats that a split of a circuit has to bring beyond what its edges cost")
	fs.Float64Var(&l.l1, "l1", 1, "penalty for a unit of each weight of a circuit, in nats")
	fs.IntVar(&l.maxEdges, "max-edges", 1000000, "most edges of all circuits")
	fs.IntVar(&l.rounds, "rounds", 20, "most rounds of EM of the weights of sums")
}

func (l *instance) check() error {
	for _, x := range []struct {
		what  string
		value float64
	}{{"mutual information", l.mutual}, {"penalty of a cluster", l.penalty}, {"penalty of a split", l.split}, {"L1 penalty", l.l1}} {
		if !(x.value >= 0) || math.IsInf(x.value, 0) {
			return fmt.Errorf("%s %v; want a number from 0", x.what, x.value)
		}
	}
	switch {
	case l.extensions < 0:
		return fmt.Errorf("%d extensions; want 0 or more", l.extensions)
	case l.clusters < 1:
		return fmt.Errorf("at most %d clusters; want 1 or more", l.clusters)
	case !(l.minRows > 0):
		return fmt.Errorf("%v rows at least; want a number above 0", l.minRows)
	case l.minVars < 2:
		return fmt.Errorf("%d variables at least; want 2 or more", l.minVars)
	case l.maxEdges < 1 || l.maxEdges > math.MaxInt32/8:
		return fmt.Errorf("at most %d edges; want 1 to %d", l.maxEdges, math.MaxInt32/8)
	case l.rounds < 0:
		return fmt.Errorf("%d rounds of EM; want 0 or more", l.rounds)
	}
	return nil
}

func (l *instance) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	if err := spn.Check(job); err != nil {
		return nil, err
	}
	if err := l.check(); err != nil {
		return nil, err
	}
	if _, err := trees.NewIndex(job.Train, nil, nil); err != nil { // the largest that there will be
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

// left is the part of the time for learning that a share of rows times variables may take; 0 where there is no limit, or where what there
// is no time for is learned another time.
func (s *search) left(share float64) time.Duration {
	if s.job.MaxTime == 0 || s.job.Save != nil {
		return 0
	}
	const each = 0.3 // of all the time, for a pass over all rows and variables: there are some, and more in parallel
	return max(100*time.Millisecond, time.Duration(each*share*float64(s.job.MaxTime)))
}
