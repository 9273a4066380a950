package acbn

import (
	"context"
	"math/rand/v2"

	"github.com/pgmc-go/pgmc/learn/growing"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// best is the result that the validation data like best so far.
type best struct {
	Steps    []growing.Step `json:"steps"`
	Made     int            `json:"made"`     // by that search, with those that did not help the validation data
	Strength int            `json:"strength"` // of the smoothing
	Value    float64        `json:"value"`    // the log-likelihood of the validation data beyond that of independent variables
	Try      int            `json:"try"`      // which search it was
}

// tries searches as often as it is to, or until ctx ends.
func (s *search) tries(ctx context.Context, saver *learner.Saver) error {
	goOn, err := s.load(saver)
	if err != nil {
		return err
	}
	for ; ; s.try++ {
		if !goOn {
			s.begin()
			if !s.start(ctx) {
				return saver.Save(checkpoint{Try: s.try, Best: s.best})
			}
		}
		if err := s.run(ctx, saver); err != nil {
			return err
		}
		if s.keep(); ctx.Err() != nil || s.try >= s.l.restarts {
			return nil
		}
		goOn = false
	}
}

// keep notes the splits of the search up to the one at which the validation data are likeliest, by the smoothing that is best for that, if
// that is the best so far. Without validation data these are all.
func (s *search) keep() {
	now := best{Made: len(s.steps), Try: s.try}
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

// spread is by which part of it a gain may be taken for more or less, after the first search.
const spread = 0.2

// chance is what the gain of a split is multiplied by.
func (s *search) chance(id int32, v, state int) float64 {
	if s.try == 0 {
		return 1
	}
	rng := rand.New(rand.NewPCG(s.job.Seed^uint64(s.try)<<32, uint64(id)<<40^uint64(v)<<20^uint64(state)))
	return 1 + spread*(2*rng.Float64()-1)
}
