package mixture

import (
	"context"
	"errors"
	"fmt"

	"github.com/pgmc-go/pgmc/learn/internal/spn"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// search tries numbers of trees.
type search struct {
	l     *Options
	e     *em
	job   *learner.Job
	tries []int
	saver *learner.Saver
	at    checkpoint
}

// checkpoint is the state of a search that is stored. The rest follows from the rows.
type checkpoint struct {
	Try   int      `json:"try"`
	Steps int      `json:"steps"`
	Climb *climb   `json:"climb"`          // state of EM in that try; nil if it has not begun
	Best  *mixture `json:"best,omitempty"` // best mixture of the earlier tries
}

// run tries one number of trees after the other, until that stops helping or ctx ends.
func (s *search) run(ctx context.Context) error {
	if ok, err := s.saver.Load(&s.at); err != nil {
		return err
	} else if ok {
		if err := s.check(); err != nil {
			return learner.Damaged(err)
		}
	}
	for ; s.at.Try < len(s.tries); s.at.Try++ {
		k := s.tries[s.at.Try]
		m, err := s.e.fit(ctx, k, s.l.Rounds, s.at.Climb, s.keep)
		if err != nil {
			return err
		}
		if err := s.l.limit().Over(m.network(s.job.Train.Vars), "take fewer components"); err != nil {
			if s.at.Best == nil {
				return err
			}
			break
		}
		if s.at.Best == nil || m.score > s.at.Best.score {
			s.at.Best = m
		}
		if s.at.Climb = nil; ctx.Err() != nil || k-len(s.at.Best.Trees) >= patience*s.l.Step {
			break
		}
	}
	return s.saver.End(ctx)
}

// keep reports a round and stores a checkpoint.
func (s *search) keep(at climb, score float64) error {
	before := s.at
	before.Climb = &at
	if s.at.Steps++; s.at.Best != nil {
		score = max(score, s.at.Best.score)
	}
	s.job.ReportProgress(learner.Event{Done: s.at.Steps, Score: score})
	return s.saver.Keep(before)
}

// check returns an error if a checkpoint does not fit, and scores its best mixtures.
func (s *search) check() error {
	at := &s.at
	switch {
	case at.Try < 0 || at.Try >= len(s.tries):
		return errors.New("there is no such number of trees")
	case at.Steps < 0:
		return errors.New("it has a negative count")
	case at.Best != nil:
		if err := s.restore(at.Best, len(at.Best.Trees)); err != nil {
			return err
		}
	}
	c, k := at.Climb, s.tries[at.Try]
	switch {
	case c == nil:
		return nil
	case c.Now == nil || c.Round < 1 || c.Round > s.l.Rounds || c.Worse < 0:
		return fmt.Errorf("there is no round %d", c.Round)
	case c.Last != nil && len(c.Last) != k:
		return fmt.Errorf("%d weights; want %d", len(c.Last), k)
	case c.Best != nil:
		if err := s.restore(c.Best, k); err != nil {
			return err
		}
	}
	return s.restore(c.Now, k)
}

// restore prepares a mixture of k trees from a checkpoint. It returns an error if it does not fit.
func (s *search) restore(m *mixture, k int) error {
	if len(m.Trees) != k || len(m.Weights) != k || k == 0 {
		return fmt.Errorf("%d trees with %d weights; want %d", len(m.Trees), len(m.Weights), k)
	}
	if err := spn.CheckSums(m.Weights, k); err != nil {
		return err
	}
	for _, t := range m.Trees {
		if t == nil {
			return errors.New("a tree is missing")
		}
		if err := t.Restore(s.job.Train.Vars); err != nil {
			return err
		}
	}
	if m.score = s.e.rate(m, s.e.train); s.e.valid != nil {
		m.score = s.e.rate(m, s.e.valid)
	}
	return nil
}
