package rate

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// rowScorer scores rows one by one, or as many at a time as take the least time a row. It is for
// one goroutine at a time.
type rowScorer struct {
	*Scorer
	score   func(row waiting, log float64) // gets the scores
	rows    *Rows                          // nil if each row takes inference
	joint   []int                          // scratch: a joint state of all variables
	dense   *denseScorer                   // of a Bayesian network with real variables; otherwise nil
	engine  *infer.Engine                  // nil until a row needs it
	atOnce  int                            // how many rows to compute at a time
	waiting []waiting
}

// waiting is a row that has not been scored yet.
type waiting struct {
	pos    diag.Pos
	weight float64
	number int   // of the row among all
	states []int // for pseudo-log-likelihoods of all variables, otherwise of the columns
}

// newRowScorer returns a scorer of rows for s that passes scores to a function.
func newRowScorer(s *Scorer, score func(row waiting, log float64)) (*rowScorer, error) {
	r := &rowScorer{Scorer: s, score: score, joint: slices.Repeat([]int{data.Missing}, len(s.model.Vars))}
	switch {
	case !s.pseudo && s.model.Kind != model.Bayes:
		return r, nil
	case !s.pseudo && s.model.Traits()&model.Reals != 0:
		r.dense = newDenseScorer(s.model)
		return r, nil
	}
	var err error
	if r.rows, err = NewRows(s.model); s.pseudo && err != nil {
		return nil, err
	}
	if s.pseudo {
		r.atOnce = r.rows.AtOnce()
	}
	return r, nil
}

// add adds a row.
func (s *rowScorer) add(ctx context.Context, row waiting, states []int, values []float64) error {
	missing := slices.Index(states, data.Missing)
	if s.rows != nil {
		for i, v := range s.vars {
			s.joint[v.ID] = states[i]
		}
	}
	switch {
	case s.dense != nil:
		return s.density(ctx, row, states, values)
	case s.opt.Measure == LogWeight:
		return s.weigh(row, states, values)
	case s.pseudo && missing >= 0 && !s.rows.SumsOut():
		return diag.Diagnostic{Pos: row.pos, Msg: fmt.Sprintf("this row has no state of variable %d of %d; the pseudo-log-likelihood wants one of each",
			missing+1, len(states))}
	case s.pseudo:
		return s.wait(ctx, row, s.joint)
	case s.rows != nil && missing < 0:
		s.score(row, s.rows.Log(s.joint))
		return nil
	}
	if err := s.begin(ctx); err != nil {
		return err
	}
	return s.wait(ctx, row, states)
}

// density scores a row with real values.
func (s *rowScorer) density(ctx context.Context, row waiting, states []int, values []float64) error {
	log, ok := s.dense.complete(s.vars, states, values)
	if !ok {
		rest, err := s.dense.open(row.pos)
		if err != nil {
			return err
		}
		if err := s.begin(ctx); err != nil {
			return err
		}
		if log, err = s.dense.engine(ctx, s.engine, states, values); err != nil {
			return err
		}
		log += rest
	}
	s.score(row, log)
	return nil
}

// weigh scores a row by its weight in a forest model.
func (s *rowScorer) weigh(row waiting, states []int, values []float64) error {
	x := make([]float64, len(s.joint))
	for i, v := range s.vars {
		real := s.model.IsReal(v.ID)
		if s.joint[v.ID] = 0; !real {
			s.joint[v.ID] = states[i]
		} else {
			x[v.ID] = values[i]
		}
		if !real && states[i] == data.Missing || real && math.IsNaN(values[i]) {
			return diag.Diagnostic{Pos: row.pos, Msg: fmt.Sprintf("this row has no value of %q; the weight of a joint state wants one of each variable", v.Name)}
		}
	}
	s.score(row, s.model.ForestLogWeight(s.joint, x))
	return nil
}

// begin opens the engine.
func (s *rowScorer) begin(ctx context.Context) (err error) {
	if s.engine != nil {
		return nil
	}
	if s.engine, err = s.openEngine(ctx); err == nil && s.dense == nil {
		s.atOnce, err = s.engine.RowsAtOnce(ctx)
	}
	return err
}

// wait scores a row once as many rows wait as are computed at a time.
func (s *rowScorer) wait(ctx context.Context, row waiting, states []int) error {
	row.states = slices.Clone(states)
	if s.waiting = append(s.waiting, row); len(s.waiting) < s.atOnce {
		return nil
	}
	return s.flush(ctx)
}

// flush scores the rows that wait.
func (s *rowScorer) flush(ctx context.Context) error {
	if len(s.waiting) == 0 {
		return nil
	}
	rows := make([][]int, len(s.waiting))
	for i := range rows {
		rows[i] = s.waiting[i].states
	}
	logs, err := s.compute(ctx, rows)
	if err != nil {
		return err
	}
	for i, row := range s.waiting {
		s.score(row, logs[i])
	}
	s.waiting = s.waiting[:0]
	return nil
}

// compute returns the scores of rows that waited.
func (s *rowScorer) compute(ctx context.Context, rows [][]int) (logs []float64, err error) {
	if !s.pseudo {
		return s.engine.LogProbs(ctx, rows)
	}
	logs = make([]float64, len(rows))
	s.rows.Pseudos(rows, logs)
	return logs, ctx.Err()
}
