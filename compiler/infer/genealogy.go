package infer

import (
	"context"
	"encoding/binary"
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

// ending is a history with what follows it: its probability, and the moments of the real variables
// that persist, given all evidence.
type ending struct {
	of      int // its place among the histories of its slice
	weight  float64
	moments []float64
}

// bytes returns about how many bytes h takes.
func (h *histories) bytes() int64 {
	const edge = 16
	n := int64(len(h.state)) * int64(ir.HistoryBytes(h.each))
	for _, list := range h.edges {
		n += edge * int64(len(list))
	}
	return n
}

// backHistories goes back over the last slices of a filter, down to slice from, and calls each with
// the posteriors of one given all evidence so far. The slices of past are the last ones, down to
// the one before from if there is one.
func (f *Filter) backHistories(ctx context.Context, past []sliceState, from int, each func(t int, m *Marginals)) error {
	last, first := past[len(past)-1].past, f.n-len(past)
	var list []ending
	for i, w := range last.weight {
		list = append(list, ending{i, w, last.at(i)})
	}
	for t := f.n - 1; t >= from; t-- {
		b := &backward{e: f.e, here: &past[t-first], index: map[string]int{}, Posteriors: pgmrt.NewPosteriors(f.e.cards())}
		if t > 0 {
			b.before = past[t-1-first].past
		}
		if f.rand != nil && last.sampled {
			b.errors = &squares{}
		}
		for i := range list {
			if err := b.end(ctx, &list[i]); err != nil {
				return &SliceError{t, err}
			}
		}
		out := &Marginals{List: f.e.mixed(b.Posteriors), LogProb: f.logP}
		if b.errors != nil {
			out.Report = f.drawnReport()
			out.Report.ESS, out.Report.Residual = 1/b.errors.after, b.errors.largest(out.List, 1)
			sampledReport(out.Report)
		}
		each(t, out)
		list = b.next
	}
	return nil
}

// backward is a step back over one slice.
type backward struct {
	e      *Engine
	here   *sliceState
	before *histories // nil in slice 0
	*pgmrt.Posteriors
	errors *squares // nil if nothing was drawn
	next   []ending
	index  map[string]int // of next, by history and moments
	key    []byte
}

// end goes back from a history of the slice to those that it came from.
func (b *backward) end(ctx context.Context, x *ending) error {
	edges, total := b.here.past.edges[x.of], 0.0
	for _, from := range edges {
		total += from.weight
	}
	for _, from := range edges {
		weight := x.weight * (from.weight / total)
		if weight == 0 {
			continue
		}
		if err := b.along(ctx, from, weight, x.moments); err != nil {
			return err
		}
	}
	return nil
}

// along goes back along an edge.
func (b *backward) along(ctx context.Context, from edge, weight float64, moments []float64) error {
	p, m, err := b.e.along(ctx, ir.Smooth, [2]string{ir.SmoothFirst, ir.SmoothNext}, b.here.found, b.before, from, moments)
	if err != nil {
		return err
	}
	list := b.e.distributions(p, m)
	if b.errors != nil {
		b.errors.add(list, weight)
	}
	b.Begin(weight)
	for i := range list {
		b.Mix(list[i].Numbers())
	}
	if b.before == nil {
		return nil
	}
	var smoothed []float64
	if len(moments) > 0 {
		smoothed = outOf(p, m)[0]
	}
	b.key = keyOf(b.key[:0], from.from, smoothed)
	if at, ok := b.index[string(b.key)]; ok {
		b.next[at].weight += weight
		return nil
	}
	b.index[string(b.key)] = len(b.next)
	b.next = append(b.next, ending{int(from.from), weight, smoothed})
	return nil
}

// along runs an entry about a slice on the way back along an edge: the first of names for slice 0,
// before which there are no histories, and else the second. The moments are those of the real
// variables that persist, given all later slices.
func (e *Engine) along(ctx context.Context, kind ir.QueryKind, names [2]string, found *Findings, before *histories, from edge, moments []float64) (*program, *eval.Machine, error) {
	name, in := names[0], [][]float64(nil)
	if before != nil {
		name, in = names[1], [][]float64{nil}
		if len(moments) > 0 { // real variables persist
			in = append(in, before.at(int(from.from)))
		}
	}
	p, err := e.stream(ctx, kind, name)
	if err != nil {
		return nil, nil, err
	}
	if before != nil {
		in[0] = make([]float64, p.Spans[p.entry.Stream.In[0]].Len)
		in[0][before.state[from.from]] = 1
	}
	if len(moments) > 0 {
		in = append(in, moments)
	}
	if len(p.entry.Stream.In) > len(in) {
		chosen := make([]float64, p.Spans[p.entry.Stream.In[len(in)]].Len)
		chosen[from.element] = 1
		in = append(in, chosen)
	}
	return e.slice(ctx, kind, name, found, in)
}

// keyOf appends the bits of a state and of moments.
func keyOf(key []byte, state int32, moments []float64) []byte {
	key = binary.LittleEndian.AppendUint32(key, uint32(state))
	for _, x := range moments {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(x))
	}
	return key
}
