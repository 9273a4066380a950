package decide_test

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestLimitedKnown compares strategies with limited memory with the best ones by enumeration: of
// the random diagrams of the collection, and of the tiger if the last observation is known.
func TestLimitedKnown(t *testing.T) {
	dir := filepath.Join(irtest.Shared(t), "data", "decide")
	want := map[string]float64{"tiger3-reactive": -2.89}
	for _, row := range table(t, filepath.Join(dir, "random-diagrams", "answers.tsv")) {
		want["random-diagrams/"+row[0]] = number(t, row[4])
	}
	soluble := 0
	for name, u := range want {
		m := load(t, filepath.Join(dir, name+".pgmc.json"))
		for _, o := range []decide.Options{{Limited: true}, {Limited: true, Best: true}, {Limited: true, Restarts: 30}} {
			s, err := decide.Solve(t.Context(), m, make([][]float64, len(m.Vars)), o)
			if err != nil {
				t.Fatal(err)
			}
			proven := s.Bound == s.Utility
			if proven && !o.Best && o.Restarts == 0 {
				soluble++
			}
			if math.Abs(s.Utility-u) > 1e-9*max(1, math.Abs(u)) && (proven || o.Restarts > 0) || s.Utility > u+1e-9 || o.Best && !proven {
				t.Errorf("%s, %+v: %v, bound %v; want %v", name, o, s.Utility, s.Bound, u)
			}
		}
	}
	if soluble < 30 || soluble > 50 {
		t.Errorf("%d diagrams are soluble; want most of 51, and not all", soluble)
	}
}

// limitedBest returns the largest utility of all strategies with limited memory: the mean, or with
// a tolerance of risk the certainty equivalent.
func limitedBest(m *model.Model, likelihood [][]float64, risk float64) float64 {
	s := &decide.Solution{}
	for _, d := range m.Diagram.Decisions {
		n, _ := m.TableSize(d.Known)
		s.Policies = append(s.Policies, &decide.Policy{Decision: d.Var, Known: d.Known, Choice: make([]int, n)})
	}
	for best := math.Inf(-1); ; {
		p, u := 0.0, 0.0
		for state, q := range followed(m, likelihood, s, -1) {
			if p += q; risk > 0 {
				u -= q * math.Exp(-sumOf(m, state)/risk)
			} else {
				u += q * sumOf(m, state)
			}
		}
		if best = max(best, u/p); !next(m, s.Policies) {
			if risk > 0 {
				return -risk * math.Log(-best)
			}
			return best
		}
	}
}

// next moves to the next strategy, and reports whether there is one.
func next(m *model.Model, policies []*decide.Policy) bool {
	for _, p := range policies {
		for k := range p.Choice {
			if p.Choice[k]++; p.Choice[k] < m.Card(p.Decision) {
				return true
			}
			p.Choice[k] = 0
		}
	}
	return false
}

// forgetful returns a random diagram in which a decision does not know the one before it.
func forgetful(seed uint64) *model.Model {
	m := random(seed, 2+int(seed%2))
	for i, d := range m.Diagram.Decisions {
		if i > 0 {
			before := m.Diagram.Decisions[i-1].Var
			d.Known = slices.DeleteFunc(d.Known, func(v model.VarID) bool { return v == before })
		}
	}
	return m
}

// TestBest compares branch and bound, the test of solubility and a search that starts at the best
// strategy with the enumeration of all strategies.
func TestBest(t *testing.T) {
	soluble, open := 0, 0
	for seed := range uint64(irtest.Count(t, 100, 600)) {
		m, cases := forgetful(seed), 0
		for _, d := range m.Diagram.Decisions {
			n, _ := m.TableSize(d.Known)
			cases += n
		}
		if cases > 9 {
			continue
		}
		likelihood := make([][]float64, len(m.Vars))
		if seed%3 == 1 {
			likelihood[0] = []float64{.25, .75, .5}[:m.Card(0)]
		}
		o := decide.Options{Limited: true, RiskTolerance: 5 * float64(seed%2)}
		want := limitedBest(m, likelihood, o.RiskTolerance)
		tol := 1e-9 * max(1, math.Abs(want))
		solve := func(o decide.Options, optimal bool) *decide.Solution {
			s, err := decide.Solve(t.Context(), m, likelihood, o)
			if err != nil {
				t.Fatal(err)
			}
			if optimal = optimal || s.Bound == s.Utility; s.Utility > want+tol || optimal && s.Utility < want-tol || s.Bound < want-tol {
				t.Errorf("seed %d, %+v: utility %v, bound %v; want %v", seed, o, s.Utility, s.Bound, want)
			}
			if got := achieved(t, m, likelihood, s); o.RiskTolerance == 0 && math.Abs(got-s.Utility) > tol {
				t.Errorf("seed %d, %+v: utility %v, achieved %v", seed, o, s.Utility, got)
			}
			return s
		}
		if first := solve(o, false); first.Bound == first.Utility {
			soluble++
		} else {
			open++
		}
		o.Best = true
		best := solve(o, true)
		o.Best, o.Start = false, best.Policies
		solve(o, true)
	}
	if soluble == 0 || open == 0 {
		t.Errorf("%d diagrams are soluble and %d are not; want some of each", soluble, open)
	}
}

// TestBestDeadline ends a search at once: it returns a strategy and a bound.
func TestBestDeadline(t *testing.T) {
	m := load(t, filepath.Join(irtest.Shared(t), "data", "decide", "tiger3-reactive.pgmc.json"))
	ctx := &afterwards{Context: t.Context(), left: 70}
	s, err := decide.Solve(ctx, m, make([][]float64, len(m.Vars)), decide.Options{Limited: true, Best: true})
	if err != nil || !(s.Utility >= -3 && s.Utility < s.Bound) {
		t.Errorf("%+v, error %v; want a utility of -3 or more, and a bound above it", s, err)
	}
}

// afterwards is a context with a deadline after some calls.
type afterwards struct {
	context.Context
	left int
}

func (c *afterwards) Err() error {
	if c.left--; c.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}
