package clg_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// set enters the evidence of a signature.
func (s *subject) set(t *testing.T, q *ir.Query, state []int, x []float64) *eval.Machine {
	t.Helper()
	mc := eval.New(s.p, s.m)
	for _, v := range q.Evidence {
		var err error
		if s.m.IsReal(v) {
			err = mc.ObserveReal(v, x[v])
		} else {
			err = mc.SetState(v, state[v])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return mc
}

// TestSignatures compares signatures with exact rationals in the mutilated network, at the states
// and values of samples.
func TestSignatures(t *testing.T) {
	asked := map[bool]int{}
	for seed := range uint64(irtest.Count(t, 30, 300)) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{NoDiscrete: seed%5 == 4})
		for _, q := range irtest.HybridSignatures(seed, m, 4) {
			s := compile(t, m, compiler.Specification(m, q))
			cut := mutilated(s.m, q.Do)
			r := rand.New(rand.NewPCG(seed, 10))
			for range 3 {
				state, x := irtest.HybridSample(r, cut)
				asked[m.IsReal(q.Targets[0])]++
				if d := s.signature(t, q, cut, state, x); d != "" {
					t.Errorf("seed %d: %s: %s", seed, compiler.Specification(m, q), d)
				}
			}
		}
	}
	if min(asked[true], asked[false]) < 50 {
		t.Errorf("asked %v; want targets of both kinds", asked)
	}
}

// mutilated returns m without the CPDs of some variables, which are given.
func mutilated(m *model.Model, set []model.VarID) *model.Model {
	out := *m
	out.Vars = slices.Clone(m.Vars)
	out.Factors = slices.DeleteFunc(slices.Clone(m.Factors), func(f *model.Factor) bool { return slices.Contains(set, f.ChildVar()) })
	for _, v := range set {
		given := *m.Vars[v]
		given.Given = true
		out.Vars[v] = &given
	}
	return &out
}

// signature runs a signature and describes how its answer differs from that of exact rationals in
// the network cut; "" if it does not.
func (s *subject) signature(t *testing.T, q *ir.Query, cut *model.Model, state []int, x []float64) string {
	t.Helper()
	all := brute.HybridEvidence{States: map[model.VarID]int{}, Reals: map[model.VarID]float64{}}
	before := brute.HybridEvidence{States: map[model.VarID]int{}, Reals: map[model.VarID]float64{}} // of given variables
	for _, v := range q.Evidence {
		if all.Reals[v] = x[v]; !s.m.IsReal(v) {
			delete(all.Reals, v)
			all.States[v] = state[v]
		}
		if !cut.Vars[v].Given {
			continue
		}
		if before.Reals[v] = x[v]; !s.m.IsReal(v) {
			delete(before.Reals, v)
			before.States[v] = state[v]
		}
	}
	want, err := brute.NewHybrid(cut, all)
	prior, other := brute.NewHybrid(cut, before)
	if err := errors.Join(err, other); err != nil {
		t.Fatal(err)
	}
	mc := s.set(t, q, state, x)
	if err := mc.Run(&s.p.Entries[0]); err != nil {
		return err.Error()
	}
	return strings.Join(s.posteriorDifferences(q.Targets[0], mc.Posterior(0), want, prior, s.tolerance(want, prior)), "; ")
}
