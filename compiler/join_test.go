package compiler_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestJoinAligned compiles all sets of queries about two diagrams, for which some programs are laid
// out for vectors and some are not. It compares the answers with those of programs of one query
// each that are laid out for none, and what is best with sums over all states.
func TestJoinAligned(t *testing.T) {
	queries := []string{"marginals", "logprob", "best", "information", "follow", "policy"}
	for _, m := range []*model.Model{irtest.Diagram(300, 3, 20), irtest.Diagram(100, 30, 30)} {
		want := map[string][]float64{}
		for _, q := range queries {
			for name, answer := range answersTo(t, m, compiler.Options{Queries: []string{q}, Interpreted: true}) {
				want[name] = answer
			}
		}
		if got, sums := want["best d 7"], expected(m, 7); !near(got, sums) {
			t.Errorf("%d options: utilities %v given y; want %v", m.Card(0), got, sums)
		}
		for set := 1; set < 1<<len(queries); set++ {
			var list []string
			for i, q := range queries {
				if set>>i&1 == 1 {
					list = append(list, q)
				}
			}
			for name, got := range answersTo(t, m, compiler.Options{Queries: list}) {
				if !near(got, want[name]) {
					t.Errorf("%d options, queries %v: %s is %v; want %v", m.Card(0), list, name, got, want[name])
				}
			}
		}
	}
}

// expected returns the mean utility of each option of irtest.Diagram given the sign y, and the
// best option.
func expected(m *model.Model, y int) []float64 {
	n, states, signs := m.Card(0), m.Card(1), m.Card(2)
	x, given, u := m.Factors[0].Dist.(*model.Table).Values, m.Factors[1].Dist.(*model.Table).Values, m.Diagram.Utilities[0].Values
	out, sum, best := make([]float64, n), 0.0, 0
	for s := range states {
		p := x[s] * given[s*signs+y]
		sum += p
		for d := range n {
			out[d] += p * u[d*states+s]
		}
	}
	for d := range n {
		if out[d] /= sum; out[d] > out[best] {
			best = d
		}
	}
	return append(out, float64(best))
}

// answersTo returns the answers to the queries without evidence and given two states of y, by the
// name of the query and the state.
func answersTo(t *testing.T, m *model.Model, opt compiler.Options) map[string][]float64 {
	t.Helper()
	r, err := compiler.Compile(t.Context(), m, opt)
	must(t, err)
	machine, out := eval.New(r.Program, r.Model), map[string][]float64{}
	for i := range r.Program.Entries {
		e := &r.Program.Entries[i]
		if e.Query.Kind == ir.Policy {
			for _, choice := range e.Decisions[0].Choice {
				out["policy"] = append(out["policy"], float64(choice))
			}
			continue
		}
		for _, y := range []int{-1, 0, 7} {
			machine.ClearEvidence()
			if k := e.Query.Kind; k == ir.Marginals || k == ir.LogProb {
				must(t, machine.Observe(0, 1))
			}
			if y >= 0 {
				must(t, machine.Observe(2, y))
			}
			must(t, machine.Run(e))
			name := strings.ReplaceAll(e.Query.Name, `"`, "") + fmt.Sprint(" ", y)
			out[name] = answerOf(machine, r.Model, e)
		}
	}
	return out
}

// answerOf returns the numbers of the answer of e.
func answerOf(machine *eval.Machine, m *model.Model, e *ir.Entry) (numbers []float64) {
	switch e.Query.Kind {
	case ir.Best:
		numbers = make([]float64, m.Card(0))
		return append(numbers, float64(machine.BestOption(numbers)))
	case ir.Information:
		for i := range e.Query.Targets[1:] {
			numbers = append(numbers, machine.Information(i))
		}
		return numbers
	}
	for i := range e.Outs {
		numbers = append(numbers, machine.Posterior(i)...)
	}
	for i := range e.Utilities {
		x := machine.Moments(i)
		numbers = append(numbers, x.Mean, x.Variance)
	}
	if e.Root != ir.NoSpan {
		numbers = append(numbers, machine.LogP())
	}
	return numbers
}

// near reports whether numbers are equal up to rounding.
func near(a, b []float64) bool {
	for i := range a {
		if i >= len(b) || !(math.Abs(a[i]-b[i]) <= 1e-11) {
			return false
		}
	}
	return len(a) == len(b) && len(a) > 0
}
