package acbn

import (
	"context"

	"github.com/pgmc-go/pgmc/learn/internal/growing"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// best is the result with the best validation score so far. Its value is relative to independent
// variables.
type best struct {
	growing.Best
	Strength int `json:"strength"` // of the smoothing, an index in strengths
}

// tries runs the search and its restarts until ctx ends.
func (s *search) tries(ctx context.Context, saver *learner.Saver) error {
	begun, err := s.load(saver)
	if err != nil {
		return err
	}
	start := func() (bool, error) {
		s.begin()
		if s.try > 0 {
			s.regrow()
		}
		if !s.start(ctx) {
			return false, saver.Save(checkpoint{Try: s.try, Best: s.best})
		}
		return true, nil
	}
	return s.l.growth().Searches(ctx, &s.try, begun, start, func() error { return s.run(ctx, saver) }, s.keep)
}

// regrow makes the splits of the best search except a few.
func (s *search) regrow() {
	split := func(x growing.Step) growing.Split { return s.splitOf(x.Of, x.Var, x.State) }
	s.p.Regrow(&s.best.Best, s.job.Seed, s.try, len(s.nodes), s.l.MaxEdges, split, func(x growing.Step) { s.apply(x) })
}

// keep stores the splits of the search up to the best validation score, under the best smoothing,
// if that is the best search so far. Without validation data these are all splits.
func (s *search) keep() {
	now := best{Best: growing.Best{Made: len(s.steps), Try: s.try}}
	count := len(s.steps)
	if s.valid != nil {
		count = 0
		for j := range strengths {
			sum := 0.0
			for i, x := range s.steps {
				if sum += x.valid[j]; sum > now.Value {
					count, now.Value, now.Strength = i+1, sum, j
				}
			}
		}
	}
	if s.try > 0 && now.Value <= s.best.Value {
		return
	}
	now.Steps = stepsOf(s.steps[:count])
	s.best = now
}

func stepsOf(list []step) (steps []growing.Step) {
	for _, x := range list {
		steps = append(steps, x.Step)
	}
	return steps
}
