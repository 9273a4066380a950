package acbn

import (
	"context"

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
		if s.keep(); ctx.Err() != nil || s.try >= s.l.Restarts {
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
