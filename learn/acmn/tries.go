package acmn

import (
	"context"
	"slices"

	"github.com/pgmc-go/pgmc/learn/internal/growing"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// best is the result with the best validation score so far.
type best struct {
	growing.Best
	Weights []float64 `json:"weights,omitempty"`
}

// tries runs the search and its restarts until timed ends. ctx is the caller's own.
func (s *search) tries(ctx, timed context.Context, saver *learner.Saver) error {
	begun, err := s.load(saver)
	if err != nil {
		return err
	}
	start := func() (bool, error) {
		s.begin()
		if s.try > 0 {
			s.regrow()
		}
		s.fit(context.Background(), fine)
		if s.validate(); !s.start(timed) {
			return false, saver.Save(checkpoint{Try: s.try, Won: s.won})
		}
		return true, nil
	}
	return s.l.growth().Searches(timed, &s.try, begun, start, func() error { return s.run(timed, saver) }, func() { s.keep(ctx) })
}

// regrow makes the splits of the best search except a few, with the weights that they had.
func (s *search) regrow() {
	split := func(x growing.Step) growing.Split { return s.splitOf(x.Of, x.Var, x.State) }
	number := s.planner.Regrow(&s.won.Best, s.job.Seed, s.try, len(s.features), s.l.MaxEdges, split, func(x growing.Step) { s.apply(x, 0, 0) })
	for old, now := range number {
		if now >= 0 {
			s.weights[now] = s.won.Weights[old]
		}
	}
	s.tape = s.c.Tape(s.tape)
	s.settle(1)
}

// keep fits the weights of the search to convergence. If it is the best search so far, keep stores
// its splits up to the best validation score; without validation data these are all.
func (s *search) keep(ctx context.Context) {
	s.fit(ctx, fine)
	s.validate()
	count, weights := s.best, s.bestWeights
	if s.valid == nil {
		count, weights = len(s.steps), s.weights
	}
	if s.try == 0 || s.bestValue > s.won.Value {
		s.won = best{growing.Best{Steps: slices.Clone(s.steps[:count]), Made: len(s.steps), Value: s.bestValue, Try: s.try}, slices.Clone(weights)}
	}
}

// finish restores the best result and fits its weights to convergence, unless that lowers the
// validation score.
func (s *search) finish(ctx context.Context) {
	if s.won.Weights == nil { // the search had not begun
		return
	}
	if s.won.Try < s.try || len(s.won.Steps) < len(s.steps) {
		s.begin()
		for _, x := range s.won.Steps {
			s.apply(x, 0, 0)
		}
		s.tape = s.c.Tape(s.tape)
		copy(s.weights, s.won.Weights)
		s.bestValue, s.bestWeights = s.won.Value, s.won.Weights
		s.settle(1)
		s.fit(ctx, fine)
		s.validate()
	}
	if s.valid != nil {
		copy(s.weights, s.bestWeights)
	}
}
