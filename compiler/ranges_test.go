package compiler_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

var rangeQueries = []string{"marginals", "logprob", "mpe", "sample"}

// largeTables are options for random models that have contractions large enough to be narrowed.
var largeTables = irtest.Options{MaxVars: 7, MaxStates: 12, MaxJoint: 1 << 14}

func narrowable(p *ir.Program) bool {
	return ir.RangesOf(p, func(_ int, _ *ir.Contract, may []bool) []bool { return may }) != nil
}

// outcome returns the exact answer of a query as text.
func outcome(t *testing.T, m *eval.Machine, p *ir.Program, query string, e brute.Evidence) string {
	t.Helper()
	m.ClearEvidence()
	m.Rand = pgmrt.NewRand(1)
	for v := range m.State() {
		if s, ok := e.Hard[model.VarID(v)]; ok {
			must(t, m.Observe(model.VarID(v), s))
		}
		if l := e.Soft[model.VarID(v)]; l != nil {
			must(t, m.Likelihood(model.VarID(v), l))
		}
	}
	entry := p.Entry(query)
	if entry.Loop != nil {
		if _, err := m.RunLoop(context.Background(), entry, pgmrt.LoopOptions{Iterations: 5}); err != nil {
			return err.Error()
		}
	} else if err := m.Run(entry); err != nil {
		return err.Error()
	}
	text := fmt.Sprintf("%x", math.Float64bits(m.LogP()))
	for i := range entry.Outs {
		for _, x := range m.Posterior(i) {
			text += fmt.Sprintf(" %x", math.Float64bits(x))
		}
	}
	if query == "mpe" || query == "sample" {
		text += fmt.Sprint(m.State())
	}
	return text
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// poison fills the memory that no query may read before writing it.
func poison(m *eval.Machine, p *ir.Program, x float64) {
	for i := range p.Spans {
		if s := &p.Spans[i]; s.Elem == ir.Float64 && (s.Role == ir.RoleTemp || s.Role == ir.RoleOut || s.Role == ir.RolePersistent && p.Loops()) {
			for k := range m.Span(ir.SpanID(i)) {
				m.Span(ir.SpanID(i))[k] = x
			}
		}
	}
}

// TestRangesLeaveNothing checks that a machine that has answered many queries gives the same bits
// for the next as a new machine, whatever is left in its memory, and as a machine whose loops run
// over all states.
func TestRangesLeaveNothing(t *testing.T) {
	models := 0
	for seed := uint64(1); models < irtest.Count(t, 4, 12); seed++ {
		m := irtest.RandomModel(seed, largeTables)
		r, err := compiler.Compile(context.Background(), m, compiler.Options{Queries: rangeQueries, Rows: model.RowsAsIs})
		must(t, err)
		if !narrowable(r.Program) {
			continue
		}
		models++
		joint, err := brute.New(m)
		must(t, err)
		old, wide := eval.New(r.Program, r.Model), eval.New(r.Program, r.Model)
		wide.NoNarrowing = true
		for i := range uint64(1000) {
			e := irtest.EvidenceOn(seed*1000+i, m, float64(i%5)/4, float64(i%3)/4)
			if i%7 == 0 {
				e = irtest.RandomEvidence(seed*1000+i, m)
			}
			query := rangeQueries[i%4]
			poison(old, r.Program, []float64{math.NaN(), 1e300, 3}[i%3])
			got := outcome(t, old, r.Program, query, e)
			if want := outcome(t, eval.New(r.Program, r.Model), r.Program, query, e); got != want {
				t.Fatalf("seed %d, evidence %d, %s: %s; a new machine has %s", seed, i, query, got, want)
			}
			if want := outcome(t, wide, r.Program, query, e); got != want {
				t.Fatalf("seed %d, evidence %d, %s: %s; over all states %s", seed, i, query, got, want)
			}
			if i%20 == 0 {
				compareBrute(t, old, r.Program, joint, e)
			}
		}
	}
}

// compareBrute compares all answers that are unique with brute force.
func compareBrute(t *testing.T, m *eval.Machine, p *ir.Program, joint *brute.Joint, e brute.Evidence) {
	t.Helper()
	logp := joint.LogProb(e)
	if math.IsInf(logp, -1) {
		return
	}
	outcome(t, m, p, "logprob", e)
	irtest.CloseTo(t, m.LogP(), logp, 1e-12)
	entry := p.Entry("marginals")
	outcome(t, m, p, "marginals", e)
	marginals := joint.Marginals(e)
	for i, id := range entry.Outs {
		v := p.Spans[id].Var
		irtest.Close(t, m.Posterior(i), marginals[v], 1e-12)
		s, observed := e.Hard[v]
		for k, x := range m.Posterior(i) {
			if observed && k != s && x != 0 {
				t.Errorf("posterior of an observed variable is %v; want exactly 0 beside state %d", m.Posterior(i), s)
			}
		}
	}
	outcome(t, m, p, "mpe", e)
	best, states := joint.MPE(e)
	irtest.CloseTo(t, m.LogP(), best, 1e-12)
	var got []int
	for _, s := range m.State() {
		got = append(got, int(s))
	}
	if !slices.ContainsFunc(states, func(s []int) bool { return slices.Equal(s, got) }) {
		t.Errorf("mpe: %v is not among %v", got, states)
	}
}
