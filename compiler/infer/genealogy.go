package infer

import (
	"context"
	"math"

	"github.com/pgmc-go/pgmc/compiler/infer/internal/temporal"
	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// This file smooths beliefs that are mixtures over histories: it goes back over the slices along
// each history that remains after the last one. Along a history the system is linear Gaussian, so
// that the smoother of Rauch, Tung and Striebel is exact. If all histories were kept, so are the
// posteriors, mixtures over them. If some were left out or drawn, the histories of early slices are
// the ancestors of those that remain (Kitagawa 1996, "Monte Carlo filter and smoother for
// non-Gaussian nonlinear state space models"): fewer, the further back.

// backHistories goes back over the last slices of a filter, down to slice from, and calls each with
// the posteriors of one given all evidence so far. The slices of past are the last ones, down to
// the one before from if there is one.
func (f *Filter) backHistories(ctx context.Context, past []sliceState, from int, each func(t int, m *Marginals)) error {
	last, first := past[len(past)-1].past, f.n-len(past)
	b := pgmrt.NewBackHistories(f.e.cards(), f.e.historiesFit(last))
	b.Start(last)
	for t := f.n - 1; t >= from; t-- {
		var before *pgmrt.HistoryFrame // nil in slice 0
		if t > 0 {
			before = past[t-1-first].past
		}
		var errors *temporal.Squares
		if f.state.Sampled {
			errors = &temporal.Squares{}
		}
		x, err := f.e.along(ctx, smoothEntries, t, past[t-first].found, true, errors)
		if err == nil {
			err = b.Over(&x.HistoryProgram, past[t-first].past, before)
		}
		if err != nil {
			return &SliceError{t, err}
		}
		out := &Marginals{List: f.e.mixed(x), LogProb: f.logP}
		if errors != nil {
			out.Report = f.drawnReport()
			out.Report.ESS, out.Report.Residual = 1/errors.After, errors.Largest(probabilitiesOf(out.List), 1)
			sampledReport(out.Report)
		}
		each(t, out)
	}
	return nil
}

// historiesFit returns how many histories like those of h fit into half of the memory that is
// allowed.
func (e *Engine) historiesFit(h *pgmrt.HistoryFrame) int {
	moments := 0
	if h.Size() > 0 {
		_, _, of := h.History(0)
		moments = len(of)
	}
	return int(min(e.maxMem()/2/int64(ir.HistoryBytes(moments)), math.MaxInt32))
}
