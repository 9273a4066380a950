package lanes_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/lanes"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// TestGaussian answers eight rows of evidence on linear Gaussian networks at once, and compares
// each with the interpreter. Lanes may add the terms of a sum in another order, so that the
// difference grows with the ratio of prior to posterior variances, as that of rounding does.
// Networks in which real variables depend on discrete ones are refused: lanes have no step
// ir.Antilog.
func TestGaussian(t *testing.T) {
	for _, seed := range irtest.Cases(t, 30, 300) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{NoDiscrete: true, MaxVars: 12, Decades: 3})
		r := compile(t, m, compiler.Options{Queries: []string{"logprob", "marginals"}})
		for _, query := range []string{"logprob", "marginals"} {
			p, entry := r.Program, r.Program.Entry(query)
			run := newRunner(t, p, query, lanes.Compile)
			want := make([][]float64, pgmrt.Lanes)
			for lane := range want {
				machine := eval.New(p, r.Model)
				for v, x := range irtest.HybridEvidence(seed*100+uint64(lane), m, float64(lane)/pgmrt.Lanes).Reals {
					if err := machine.ObserveReal(v, x); err != nil {
						t.Fatal(err)
					}
				}
				if err := machine.Run(entry); errors.Is(err, eval.ErrImpossible) || errors.Is(err, pgmrt.ErrState) {
					want[lane] = []float64{math.NaN()}
				} else if err != nil {
					t.Fatal(err)
				} else {
					want[lane] = numbers(p, entry, machine.Span)
				}
				for i := range p.Spans {
					if s := &p.Spans[i]; s.Role == ir.RoleIn {
						copy(run.s[s.Offset:], machine.Span(ir.SpanID(i)))
					}
				}
				pgmrt.SetLane(run.l, lane, run.s, lanes.Moves(run.prog.In))
			}
			run.run()
			for lane, w := range want {
				pgmrt.GetLane(run.l, lane, run.s, lanes.Moves(run.prog.Out))
				got := numbers(p, entry, func(id ir.SpanID) []float64 { return run.s[p.Spans[id].Offset:][:p.Spans[id].Len] })
				if math.IsNaN(w[0]) {
					if got[0] > 0 {
						t.Errorf("seed %d: %s, lane %d: root %v; want 0 or no number", seed, query, lane, got[0])
					}
					continue
				}
				for i, x := range w {
					if math.Abs(got[i]-x) > 1e-9*max(1, math.Abs(x)) {
						t.Errorf("seed %d: %s, lane %d: number %d is %v; want %v", seed, query, lane, i, got[i], x)
					}
				}
			}
		}
	}
	refused := 0
	for seed := range uint64(10) {
		r := compile(t, irtest.RandomHybrid(seed, irtest.HybridOptions{}), compiler.Options{Queries: []string{"logprob"}})
		if _, err := lanes.Compile(r.Program, r.Program.Entry("logprob"), all); errors.Is(err, lanes.ErrStep) {
			refused++
		} else if err != nil {
			t.Error(err)
		}
	}
	if refused == 0 {
		t.Error("no network with real children of discrete variables is refused")
	}
}

// numbers returns the answers of an entry: the root, the logarithms and the posteriors.
func numbers(p *ir.Program, e *ir.Entry, span func(ir.SpanID) []float64) (list []float64) {
	for _, id := range e.Answers() {
		list = append(list, slices.Clone(span(id))...)
	}
	return list
}
