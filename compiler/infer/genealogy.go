package infer

import (
	"context"
	"math"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
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
	b := &backward{BackHistories: pgmrt.NewBackHistories(f.e.cards(), f.e.historiesFit(last)), e: f.e}
	b.Start(&last.HistoryFrame)
	for t := f.n - 1; t >= from; t-- {
		var before *histories // nil in slice 0
		if t > 0 {
			before = past[t-1-first].past
		}
		if b.errors = nil; f.rand != nil && last.sampled {
			b.errors = &squares{}
		}
		if err := b.over(ctx, &past[t-first], before); err != nil {
			return &SliceError{t, err}
		}
		out := &Marginals{List: f.e.mixed(&b.Posteriors), LogProb: f.logP}
		if b.errors != nil {
			out.Report = f.drawnReport()
			out.Report.ESS, out.Report.Residual = 1/b.errors.after, b.errors.largest(out.List, 1)
			sampledReport(out.Report)
		}
		each(t, out)
		b.Enter()
	}
	return nil
}

// historiesFit returns how many histories like those of h fit into half of the memory that is
// allowed.
func (e *Engine) historiesFit(h *histories) int {
	moments := 0
	if h.Size() > 0 {
		moments = len(h.Moments(0))
	}
	return int(min(e.maxMem()/2/int64(ir.HistoryBytes(moments)), math.MaxInt32))
}

// backward goes back over slices.
type backward struct {
	*pgmrt.BackHistories
	e      *Engine
	errors *squares // nil if nothing was drawn
}

// over goes back over a slice along all ways to its histories.
func (b *backward) over(ctx context.Context, here *sliceState, before *histories) error {
	b.Slice(&here.past.HistoryFrame)
	for b.Next() {
		from, after := b.Edge(), b.After()
		p, m, err := b.e.along(ctx, smoothEntries, here.found, before, from, after)
		if err != nil {
			return err
		}
		list := b.e.distributions(p, m)
		if b.errors != nil {
			b.errors.add(list, from.Weight)
		}
		for i := range list {
			b.Mix(list[i].Numbers())
		}
		if before == nil {
			continue
		}
		var smoothed []float64
		if len(after) > 0 {
			smoothed = outOf(p, m)[0]
		}
		if err := b.Leave(smoothed); err != nil {
			return err
		}
	}
	return nil
}

// along runs an entry about a slice on the way back along an edge. There are no histories before
// slice 0. The moments are those of the real variables that persist, given all later slices.
func (e *Engine) along(ctx context.Context, x sliceEntries, found *Findings, before *histories, from pgmrt.HistoryEdge, moments []float64) (*program, *eval.Machine, error) {
	t := 0
	if before != nil {
		t = 1
	}
	p, err := e.of(ctx, x, t)
	if err != nil {
		return nil, nil, err
	}
	ids, in := p.entry.Stream.In, [][]float64(nil)
	if before != nil {
		in = append(in, oneHot(p.Spans[ids[0]].Len, int(before.State(int(from.From)))))
		if len(moments) > 0 { // real variables persist
			in = append(in, before.Moments(int(from.From)))
		}
	}
	if len(moments) > 0 {
		in = append(in, moments)
	}
	if len(ids) > len(in) {
		in = append(in, oneHot(p.Spans[ids[len(in)]].Len, int(from.Element)))
	}
	return e.slice(ctx, x, t, found, in)
}
