package rate

import (
	"context"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// CrossValidation holds how models score rows that they were not learned from.
type CrossValidation struct {
	Measure Measure // LL or PLL
	All     Tally   // over all rows, each by the model that was learned without it
	Folds   []Tally // over the rows of each fold
}

// CrossValidate divides rows at random into folds of about the same size and calls learn with all
// rows except one fold's, for each fold. It scores the rows of the fold by the model that learn
// returns, and by the measure that learn returns, LL or PLL. Rows that miss a value have no
// pseudo-log-likelihood and are left out. The seed draws the folds. There are 2 folds at least, and
// no more than rows. Of the options, CrossValidate sets Measure and Keep itself.
//
// Sequences are divided as a whole, and the scores are log-likelihoods of sequences.
func CrossValidate(ctx context.Context, rows *data.Set, folds int, seed uint64, opt ScorerOptions,
	learn func(ctx context.Context, train *data.Set) (*model.Model, Measure, error)) (*CrossValidation, error) {
	units, what := rows.Units()
	if folds < 2 || folds > units {
		return nil, fmt.Errorf("%d folds of %d %s; want 2 to the number of %[3]s", folds, units, what)
	}
	parts := rows.Folds(folds, seed)
	c := &CrossValidation{}
	for k, out := range parts {
		train := rows.Take(slices.Concat(slices.Concat(parts[:k]...), slices.Concat(parts[k+1:]...)))
		m, measure, err := learn(ctx, train)
		switch opt.Measure = measure; {
		case err != nil:
		case rows.Sequential():
			err = c.scoreSequences(ctx, m, rows.Take(out))
		default:
			err = c.score(ctx, m, rows.Take(out), opt)
		}
		if err != nil {
			return nil, fmt.Errorf("fold %d: %w", k+1, err)
		}
	}
	return c, nil
}

// score scores the rows of a fold, and counts them among all as well.
func (c *CrossValidation) score(ctx context.Context, m *model.Model, rows *data.Set, opt ScorerOptions) error {
	opt.Keep = true
	s, err := NewScorer(m, opt)
	if err != nil {
		return err
	}
	rows = rows.For(data.VarsOf(m))
	states, values := make([]int, len(rows.Vars)), make([]float64, len(rows.Vars))
	var weights []float64
	for i := range rows.Len() {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows.Row(i, states)
		if s.pseudo && slices.Contains(states, data.Missing) {
			continue
		}
		weights = append(weights, rows.Weight(i))
		if err := s.Add(ctx, diag.Pos{}, states, rows.Values(i, values), rows.Weight(i)); err != nil {
			return err
		}
	}
	if err := s.Flush(ctx); err != nil {
		return err
	}
	for i, w := range weights {
		c.All.Add(diag.Pos{}, s.logs[i], w)
	}
	if c.Measure = LL; s.pseudo {
		c.Measure = PLL
	}
	c.Folds = append(c.Folds, s.scores)
	return nil
}
