package learnspn

import (
	"context"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/spn"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// search tries levels and penalties.
type search struct {
	l      *Options
	job    *learner.Job
	train  *data.Set // equal rows merged
	tries  []try
	saver  *learner.Saver
	at     checkpoint
	made   []*spn.Network // by try; nil if the time had ended
	scores []float64
	steps  int // number of networks that were learned
}

// run learns the networks of all tries until ctx ends, but at least the first.
func (s *search) run(ctx context.Context) error {
	s.made, s.scores = make([]*spn.Network, len(s.tries)), make([]float64, len(s.tries))
	learner.Each(s.job.Cores, len(s.tries), func(i int) {
		if i > 0 && ctx.Err() != nil {
			return
		}
		x := &splitter{Options: s.l, t: s.tries[i], ctx: ctx, train: s.train, n: spn.New(s.train.Vars), seed: s.job.Seed, history: &s.at.history, number: i}
		s.made[i] = x.network()
		if validated(s.job) {
			s.scores[i] = spn.NewEngine(s.made[i], s.job.Valid.Merged(), 1, s.job.MaxMem).LogLik()
		}
	})
	return s.at.End(ctx)
}

// choose returns the try with the best network, among those that are not too large.
func (s *search) choose() (int, error) {
	best := -1
	var over error
	for i, n := range s.made {
		if n == nil {
			continue
		}
		s.steps++
		if err := s.l.limit().Over(n, "take a lower level and a larger penalty of clusters"); err != nil {
			over = err
		} else if best < 0 || s.scores[i] > s.scores[best] {
			best = i
		}
	}
	if best < 0 {
		return best, over
	}
	return best, nil
}

// mixPrior is the pseudo-count of EM. It is smaller than the prior of the leaves, since it also
// applies to the weights of sums.
const mixPrior = 0.1

// fit improves all weights by EM; the validation data decide when to stop.
func (s *search) fit(ctx context.Context, n *spn.Network) error {
	if !validated(s.job) || s.l.Rounds == 0 || ctx.Err() != nil {
		return nil
	}
	em := spn.EM{Rounds: s.l.Rounds, Prior: mixPrior, Gain: 1e-4, Patience: 3}
	_, err := em.Fit(ctx, n, s.job, s.at.Climb, func(climb *spn.Climb, score float64) error {
		s.job.ReportProgress(learner.Event{Done: s.at.Done() + climb.Round, Score: score})
		s.at.Climb = climb
		return s.saver.Keep(&s.at)
	})
	if err != nil {
		return err
	}
	return s.saver.End(ctx)
}

// network learns the network of a try.
func (s *splitter) network() *spn.Network {
	var rows []int32
	for row := range s.train.Len() {
		if s.train.Weight(row) > 0 {
			rows = append(rows, int32(row))
		}
	}
	vars := make([]int, len(s.train.Vars))
	for v := range vars {
		vars[v] = v
	}
	s.split(rows, vars)
	return s.n
}
