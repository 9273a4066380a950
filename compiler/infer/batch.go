package infer

import (
	"context"
	"errors"
	"math"

	"github.com/pgmc-go/pgmc/compiler/infer/internal/scoring"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// LogProbs returns ln P of each row, -Inf for impossible ones. It processes eight rows at a time if
// the program has a form for lanes. If the probability of a row of a circuit underflows, LogProbs
// computes it in log space.
func (e *Engine) LogProbs(ctx context.Context, rows [][]int) ([]float64, error) {
	p, err := e.find(ctx, &ir.Query{Kind: ir.LogProb})
	if err != nil {
		return nil, err
	}
	out := make([]float64, 0, len(rows))
	batch := e.batch(p)
	for len(out) < len(rows) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if batch == nil {
			log, err := e.rowLogProb(ctx, p, rows[len(out)])
			if err != nil {
				return nil, err
			}
			out = append(out, e.logs.Score(log, rows[len(out)]))
			continue
		}
		some := rows[len(out):min(len(rows), len(out)+pgmrt.Lanes)]
		for i, row := range some {
			batch.Set(i, e.vars.seen, row)
		}
		batch.Run()
		for i, row := range some {
			out = append(out, e.logs.Score(batch.LogP(i, row), row))
		}
	}
	return out, nil
}

// rowLogProb scores one row.
func (e *Engine) rowLogProb(ctx context.Context, p *program, row []int) (float64, error) {
	e.row.Clear()
	for i, v := range e.vars.seen {
		e.row.State[v] = row[i]
	}
	m, err := e.run(ctx, p, e.row)
	if errors.Is(err, ErrImpossible) {
		return math.Inf(-1), nil
	}
	if err != nil {
		return 0, err
	}
	return e.row.settle(m.LogP()), nil
}

// Batch is the answer to a row of [Engine.Batch].
type Batch struct {
	LogProb float64
	// P holds the posterior of each variable of Engine.Vars; nil if only LogProb was wanted.
	P [][]float64
	// Failed reports that the row is impossible, or that its numbers are too far apart for lanes.
	// Engine.Marginals on just this row returns its answer or its error.
	Failed bool
}

// Batch answers rows of observed states eight at a time: ln P, and if marginals is set the
// posteriors of all variables. ok is false if the model's program has no form for lanes. The answer
// to a row does not depend on the others.
func (e *Engine) Batch(ctx context.Context, rows [][]int, marginals bool) (answers []Batch, ok bool, err error) {
	kind := ir.LogProb
	if marginals {
		kind = ir.Marginals
	}
	p, err := e.find(ctx, &ir.Query{Kind: kind})
	if err != nil {
		return nil, false, err
	}
	batch := e.batch(p)
	if batch == nil {
		return nil, false, nil
	}
	answers = make([]Batch, len(rows))
	for at := 0; at < len(rows); at += pgmrt.Lanes {
		n := min(pgmrt.Lanes, len(rows)-at)
		for lane := range pgmrt.Lanes {
			// Lanes without a row of their own repeat the last.
			batch.Set(lane, e.vars.seen, rows[at+min(lane, n-1)])
		}
		batch.Run()
		for lane := range n {
			a := &answers[at+lane]
			a.LogProb = batch.LogP(lane, rows[at+lane])
			a.Failed = math.IsInf(a.LogProb, -1) || batch.Extreme(lane)
			if marginals && !a.Failed {
				a.P = batch.Posteriors(e.vars.seen, lane)
				for i, v := range e.vars.seen {
					if !e.vars.m.IsReal(v) {
						probabilities(a.P[i])
					}
				}
			}
		}
	}
	return answers, true, nil
}

// batch returns the form of p for lanes; nil if it has none.
func (e *Engine) batch(p *program) *scoring.Lanes {
	l, known := e.batches[p.entry]
	if !known {
		l, _ = scoring.NewLanes(p.Program, p.entry, e.vars.m) // an error means that there is no such form
		e.batches[p.entry] = l
	}
	return l
}

// ScoresInLogSpace reports whether [Engine.LogProbs] scores rows of m in log space if their
// probability underflows: m is one circuit without latent variables. A program for such a model
// need not warn of underflow.
func ScoresInLogSpace(m *model.Model) bool { return scoring.NewLogScorer(m) != nil }

// RowsAtOnce returns the number of rows that [Engine.LogProbs] processes at a time: 1 if the
// model's program has no form for lanes.
func (e *Engine) RowsAtOnce(ctx context.Context) (int, error) {
	p, err := e.find(ctx, &ir.Query{Kind: ir.LogProb})
	if err != nil {
		return 0, err
	}
	if e.batch(p) == nil {
		return 1, nil
	}
	return pgmrt.Lanes, nil
}
