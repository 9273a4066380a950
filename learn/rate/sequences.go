package rate

import (
	"context"
	"errors"
	"math"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// Sequences returns the log-likelihood of each sequence of s by a model with a transition: -Inf for
// an impossible one.
func Sequences(ctx context.Context, m *model.Model, s *data.Set) ([]float64, error) {
	e, err := infer.New(ctx, m, infer.Options{})
	if err != nil {
		return nil, err
	}
	states, values, place := make([]int, len(s.Vars)), make([]float64, len(s.Vars)), map[string]int{}
	for i, v := range s.Vars {
		place[v.Name] = i
	}
	list := make([]float64, s.Sequences())
	for k := range list {
		f, err := e.Filter(ctx)
		if err != nil {
			return nil, err
		}
		for row, end := s.Sequence(k); row < end && !math.IsInf(list[k], -1); row++ {
			s.Row(row, states)
			s.Values(row, values)
			known := infer.NewFindings(len(m.Vars))
			for _, v := range e.Vars() {
				if i, ok := place[v.Name]; ok && states[i] != data.Missing {
					known.Observe(v, valueAt(states, values, i))
				}
			}
			_, err := f.Step(ctx, known)
			switch {
			case errors.Is(err, infer.ErrImpossible):
				list[k] = math.Inf(-1)
			case err != nil:
				return nil, err
			default:
				list[k] = f.LogProb()
			}
		}
	}
	return list, nil
}

// scoreSequences scores the sequences of a fold, and counts them among all as well.
func (c *CrossValidation) scoreSequences(ctx context.Context, m *model.Model, s *data.Set) error {
	logs, err := Sequences(ctx, m, s)
	var fold Tally
	for _, x := range logs {
		fold.Add(diag.Pos{}, x, 1)
		c.All.Add(diag.Pos{}, x, 1)
	}
	c.Folds = append(c.Folds, fold)
	return err
}
