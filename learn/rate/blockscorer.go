package rate

import (
	"context"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// blockScorer scores blocks on one core.
type blockScorer struct {
	columns *infer.Columns // nil if no row is answered by its families
	rows    *rowScorer     // of other rows; nil until there is one
	states  []int
	values  []float64
	out     []float64 // of the block
}

// Cores prepares Score for a number of cores.
func (s *Scorer) Cores(n int) {
	s.cores = make([]*blockScorer, n)
	for i := range s.cores {
		s.cores[i] = &blockScorer{states: make([]int, len(s.vars)), values: make([]float64, len(s.vars))}
		if !s.pseudo && s.opt.Measure == LL {
			s.cores[i].columns = infer.NewColumns(s.model)
		}
	}
}

// Score sets out to the scores of the rows of a block, which has the variables that are not latent.
// Different cores, of those prepared by Cores, may call it at the same time. [infer.Columns] scores
// the complete rows of a Bayesian network if it can, and Add's way others, so that the score of a
// row depends on that row only.
func (s *Scorer) Score(ctx context.Context, core int, k *rowfile.Block, out []float64) (err error) {
	c := s.cores[core]
	if c.columns == nil {
		for row := range k.Rows {
			if err := c.add(ctx, s, k, row, out); err != nil {
				return err
			}
		}
	} else {
		rest, err := c.columns.LogProbs(k.Pointer, out)
		if err != nil {
			return err
		}
		for _, row := range rest {
			if err := c.add(ctx, s, k, row, out); err != nil {
				return err
			}
		}
	}
	if c.rows == nil {
		return nil
	}
	return c.rows.flush(ctx)
}

// add scores a row by itself, or lets it wait.
func (c *blockScorer) add(ctx context.Context, s *Scorer, k *rowfile.Block, row int, out []float64) (err error) {
	if c.rows == nil {
		if c.rows, err = newRowScorer(s, func(row waiting, log float64) { c.out[row.number] = log }); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	c.out = out
	k.Row(row, c.states, c.values)
	return c.rows.add(ctx, waiting{pos: k.Pos(row), number: row}, c.states, c.values)
}

// Count counts the rows of a block with their scores.
func (s *Scorer) Count(k *rowfile.Block, scores []float64) {
	first := int(s.added.Add(int64(k.Rows))) - k.Rows
	for i, log := range scores {
		s.count(waiting{pos: k.Pos(i), weight: k.Weight(i), number: first + i}, log)
	}
}
