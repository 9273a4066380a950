package clg_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// subject is a model and its compiled program.
type subject struct {
	m    *model.Model
	p    *ir.Program
	lose float64 // how many times the rounding error may be that of CPDs
}

func compile(t *testing.T, m *model.Model, queries ...string) *subject {
	t.Helper()
	return compileBy(t, m, compiler.Options{Queries: queries, Check: true})
}

func compileBy(t *testing.T, m *model.Model, opt compiler.Options) *subject {
	t.Helper()
	res, err := compiler.Compile(context.Background(), m, opt)
	if err != nil {
		t.Fatal(err)
	}
	return &subject{res.Model, res.Program, 1}
}

// machine returns a machine with the evidence e.
func (s *subject) machine(t *testing.T, e brute.HybridEvidence) *eval.Machine {
	t.Helper()
	mc := eval.New(s.p, s.m)
	for _, v := range s.m.Vars {
		var err error
		if state, ok := e.States[v.ID]; ok {
			err = mc.Observe(v.ID, state)
		}
		if x, ok := e.Reals[v.ID]; ok {
			err = mc.ObserveReal(v.ID, x)
		}
		if x, ok := e.Measured[v.ID]; ok {
			err = errors.Join(err, mc.Likelihood(v.ID, []float64{x.Mean, x.Var}))
		}
		if l := e.Soft[v.ID]; l != nil {
			err = errors.Join(err, mc.Likelihood(v.ID, l))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return mc
}

// near reports whether got is within tol of want, relative to want and to unit.
func near(got, want, unit, tol float64) bool {
	return math.Abs(got-want) <= tol*math.Max(math.Abs(want), unit)
}

// givens returns the part of e that is about given variables.
func givens(m *model.Model, e brute.HybridEvidence) brute.HybridEvidence {
	out := brute.HybridEvidence{States: map[model.VarID]int{}, Reals: map[model.VarID]float64{}}
	for _, v := range m.Vars {
		if x, ok := e.Reals[v.ID]; ok && v.Given {
			out.Reals[v.ID] = x
		}
		if state, ok := e.States[v.ID]; ok && v.Given {
			out.States[v.ID] = state
		}
	}
	return out
}

// check compares the answers of all entries with those of exact rationals.
func (s *subject) check(t *testing.T, e brute.HybridEvidence) {
	t.Helper()
	want, err := brute.NewHybrid(s.m, e)
	if err != nil {
		t.Fatal(err)
	}
	prior, err := brute.NewHybrid(s.m, givens(s.m, e))
	if err != nil {
		t.Fatal(err)
	}
	mc := s.machine(t, e)
	for i := range s.p.Entries {
		entry := &s.p.Entries[i]
		err := mc.Run(entry)
		if len(want.Parts) == 0 {
			if !errors.Is(err, eval.ErrImpossible) {
				t.Errorf("%s: %v; want impossible", entry.Query.Name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", entry.Query.Name, err)
			continue
		}
		for k, d := range s.differences(mc, entry, want, prior) {
			t.Errorf("%s %d: %s", entry.Query.Name, k, d)
		}
	}
}

// tolerance returns the tolerance of answers. It grows with the largest ratio of the prior variance
// to a posterior variance of a component of the mixture.
func (s *subject) tolerance(want, prior *brute.Hybrid) float64 {
	r := 1.0
	for _, v := range s.m.Reals() {
		_, before := prior.Moments(v)
		for i := range want.Parts {
			if after := want.Parts[i].Cov(v, v); after > 0 {
				r = math.Max(r, before/after)
			}
		}
	}
	return 1e-12 * r * s.lose
}

// differences lists the answers of an entry that differ.
func (s *subject) differences(mc *eval.Machine, entry *ir.Entry, want, prior *brute.Hybrid) (list []string) {
	tol := s.tolerance(want, prior)
	if got := mc.LogP(); !near(got, want.LogDensity, 1, tol) {
		list = append(list, fmt.Sprintf("ln p %v; want %v", got, want.LogDensity))
	}
	if k := entry.Query.Kind; k == ir.Joint || k == ir.Mixture {
		return append(list, s.jointDifferences(mc.Posterior(0), entry.Query, want, prior, tol)...)
	}
	for k, id := range entry.Outs {
		if entry.Query.Kind.Answer() == ir.AnswerStates {
			break // TestMPE and TestSamples compare assignments
		}
		list = append(list, s.posteriorDifferences(s.p.Spans[id].Var, mc.Posterior(k), want, prior, tol)...)
	}
	return list
}

// posteriorDifferences lists the differences of a posterior.
func (s *subject) posteriorDifferences(v model.VarID, got []float64, want, prior *brute.Hybrid, tol float64) (list []string) {
	if !s.m.IsReal(v) {
		for i, p := range want.Posterior(v) {
			if !near(got[i], p, 1, tol) {
				return []string{fmt.Sprintf("P(%s) %v; want %v", s.m.Vars[v].Name, got, want.Posterior(v))}
			}
		}
		return nil
	}
	mean, variance := want.Moments(v)
	_, before := prior.Moments(v)
	if !near(got[0], mean, math.Sqrt(before), tol) || !near(got[1], variance, 0, tol) && !near(got[1], variance, spread(before, mean*mean), 1e-13) {
		list = append(list, fmt.Sprintf("%s: mean %v, variance %v; want %v, %v", s.m.Vars[v].Name, got[0], got[1], mean, variance))
	}
	return list
}

// TestRandom compares answers with exact rationals on random networks and evidence.
func TestRandom(t *testing.T) {
	for _, seed := range irtest.Cases(t, 15, 300) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{})
		s := compile(t, m, append([]string{"marginals", "logprob", "posteriors"}, joints(m, seed)...)...)
		for k := range uint64(4) {
			e := irtest.HybridEvidence(seed*10+k, m, float64(k)/4)
			s.check(t, e)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// TestFunctions compares answers with exact rationals on random networks in which many variables
// are functions of others, observed or not.
func TestFunctions(t *testing.T) {
	determined := 0
	for _, seed := range irtest.Cases(t, 25, 300) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{Zeros: .4, Decades: 2, NoDiscrete: seed%2 == 0})
		s := compile(t, m, append([]string{"marginals", "logprob", "posteriors"}, joints(m, seed)...)...)
		for k := range uint64(8) {
			e := irtest.HybridEvidence(seed*10+k, m, float64(k)/8)
			if h, err := brute.NewHybrid(m, e); err == nil && h.Functions > 0 {
				determined++
			}
			s.check(t, e)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if determined < 20 {
		t.Errorf("%d posteriors with values that others determine; want more", determined)
	}
}
