package ldfm

import (
	"context"
	"errors"
	"fmt"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// search tries alphas.
type search struct {
	l      *instance
	e      *em
	job    *learner.Job
	alphas []float64
	begin  *model.LDFM
	saver  *learner.Saver
	at     checkpoint
}

// checkpoint is the state of a search that is stored. The rest follows from the rows.
type checkpoint struct {
	Tried  []tried     `json:"tried,omitempty"` // results of the earlier alphas
	Best   *model.LDFM `json:"best,omitempty"`  // the best of their weights
	BestOf int         `json:"bestOf"`          // index of the best alpha
	Steps  int         `json:"steps"`
	Climb  *climb      `json:"climb"` // state for the next alpha; nil if it has not begun
}

// tried is the result of one alpha.
type tried struct {
	Rounds    int     `json:"rounds"`
	Converged bool    `json:"converged"` // false if the limit on rounds or the user ended it
	Objective float64 `json:"objective"`
	Valid     float64 `json:"valid"` // validation score; 0 if there is one alpha
}

// run tries one alpha after the other until ctx ends.
func (s *search) run(ctx context.Context) error {
	if ok, err := s.saver.Load(&s.at); err != nil {
		return err
	} else if ok {
		if err := s.check(); err != nil {
			return learner.Damaged(err)
		}
	}
	for len(s.at.Tried) < len(s.alphas) {
		s.e.alpha = s.alphas[len(s.at.Tried)]
		at := climb{Now: s.begin}
		if s.at.Climb != nil {
			at = *s.at.Climb
		}
		at, objective, converged, err := s.e.fit(ctx, at, s.l.Rounds, s.keep)
		if err != nil {
			return err
		}
		now := tried{Rounds: at.Round, Converged: converged, Objective: objective}
		if len(s.alphas) > 1 {
			if now.Valid, err = s.e.rate(at.Now, s.job.Valid); err != nil {
				return err
			}
		}
		if s.at.Best == nil || now.Valid > s.at.Tried[s.at.BestOf].Valid {
			s.at.Best, s.at.BestOf = at.Now, len(s.at.Tried)
		}
		s.at.Tried, s.at.Climb = append(s.at.Tried, now), nil
		if ctx.Err() != nil {
			break
		}
	}
	return s.saver.End(ctx)
}

// keep reports a round and stores a checkpoint.
func (s *search) keep(at climb, objective float64) error {
	before := s.at
	before.Climb = &at
	s.at.Steps++
	s.job.ReportProgress(learner.Event{Done: s.at.Steps, Score: objective})
	return s.saver.Keep(before)
}

// check returns an error if a checkpoint does not fit.
func (s *search) check() error {
	at := &s.at
	switch {
	case len(at.Tried) >= len(s.alphas):
		return errors.New("there is no such alpha")
	case at.Steps < 0:
		return errors.New("it has a negative count")
	case (at.Best != nil) != (len(at.Tried) > 0) || at.Best != nil && (at.BestOf < 0 || at.BestOf >= len(at.Tried)):
		return errors.New("its best alpha is none of those that were tried")
	case at.Best != nil:
		if err := s.sound(at.Best); err != nil {
			return err
		}
	}
	if at.Climb == nil {
		return nil
	}
	if at.Climb.Now == nil || at.Climb.Round < 0 || at.Climb.Round > s.l.Rounds {
		return fmt.Errorf("there is no round %d", at.Climb.Round)
	}
	if at.Climb.Cut && len(at.Climb.Now.Weights) == len(s.begin.Weights) && s.e.edges(at.Climb.Now) > s.l.MaxEdges {
		return fmt.Errorf("it has %d edges; want at most %d", s.e.edges(at.Climb.Now), s.l.MaxEdges)
	}
	return s.sound(at.Climb.Now)
}

// sound returns an error if weights from a checkpoint are not valid.
func (s *search) sound(d *model.LDFM) error {
	e, want := s.e, s.begin
	if len(d.Weights) != len(want.Weights) || len(d.Stop) != len(want.Stop) || len(d.Normals) != len(want.Normals) {
		return fmt.Errorf("it has %d weights, %d stop weights and %d normal distributions; want %d, %d and %d",
			len(d.Weights), len(d.Stop), len(d.Normals), len(want.Weights), len(want.Stop), len(want.Normals))
	}
	if list := e.with(d).Check(); list.HasErrors() {
		return list.Err()
	}
	low := false
	e.entries(func(row int, ranges [2][2]int) {
		for _, r := range ranges {
			for _, w := range d.Weights[row*e.columns()+r[0] : row*e.columns()+r[1]] {
				low = low || w < e.epsilon/2
			}
		}
		low = low || e.stop && d.Stop[row] < e.epsilon/2
	})
	if low {
		return fmt.Errorf("a weight is below %v", e.epsilon)
	}
	return nil
}

// result returns the model and the report of the best alpha. ctx is the caller's own.
func (s *search) result(ctx context.Context, stopped bool) (*learner.Result, error) {
	e, d, tried := s.e, s.at.Best, s.at.Tried[s.at.BestOf]
	m := e.with(d)
	var remarks []string
	for i, x := range s.at.Tried {
		if len(s.alphas) > 1 {
			remarks = append(remarks, fmt.Sprintf("alpha %g: %d rounds, %s %.6f a row of the validation data", s.alphas[i], x.Rounds, e.measure(), x.Valid))
		}
	}
	end := "converged"
	switch {
	case tried.Converged:
	case tried.Rounds == s.l.Rounds:
		end = "ended before it converged, by the limit on rounds,"
	default:
		end = "was stopped"
	}
	remarks = append(remarks, fmt.Sprintf("alpha: %g", s.alphas[s.at.BestOf]), fmt.Sprintf("EM %s after %d rounds", end, tried.Rounds))
	used, all := e.edges(d), 0
	e.weights(func(int, int) { all++ })
	params := used
	e.normals(func(row, v, above, _ int) {
		if d.Weights[row*e.columns()+e.first[v]] <= e.epsilon {
			return
		}
		if params += 2; above >= 0 {
			params++
		}
	})
	if list := m.Check(); list.HasErrors() {
		return nil, fmt.Errorf("the learned model is not valid: %w", list.Err())
	}
	r := &learner.Result{Models: []*model.Model{m}}
	r.Report = learner.Report{Score: "weight", Total: tried.Objective, Params: params, Steps: s.at.Steps, Families: []learner.Family{}, Stopped: stopped,
		Remarks: append(remarks, fmt.Sprintf("%d of %d weights above epsilon", used, all))}
	if stopped {
		return r, ctx.Err()
	}
	return r, nil
}
