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
	for _, seed := range irtest.Cases(t, 30, 300) {
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

// TestReplacedSignatures compares signatures of programs that were compiled for other parameters
// with exact rationals. The last program answers other queries too, which share the parameters.
func TestReplacedSignatures(t *testing.T) {
	asked := 0
	for _, seed := range irtest.Cases(t, 10, 150) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{Decades: 2, MaxVars: 6, Zeros: .3 * float64(seed%2), NoDiscrete: seed%5 == 4})
		var words []string
		for _, q := range irtest.HybridSignatures(seed, m, 4) {
			word := compiler.Specification(m, q)
			if slices.Contains(words, word) {
				continue
			}
			words = append(words, word)
			queries := []string{word}
			if len(words) == 4 {
				queries = append(words, "marginals", "gradient")
			}
			s := compileBy(t, standardized(m), compiler.Options{Queries: queries, Params: ir.Var, Check: true})
			cut := mutilated(m, q.Do)
			r := rand.New(rand.NewPCG(seed, 10))
			for range 2 {
				state, x := irtest.HybridSample(r, cut)
				asked++
				s.m = m
				if d := s.replacedSignature(t, q, cut, state, x, slices.Index(queries, word)); d != "" {
					t.Errorf("seed %d: %s: %s", seed, word, d)
				}
			}
		}
	}
	if asked < 50 {
		t.Errorf("asked %d; want more", asked)
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
	return s.compareSignature(t, s.set(t, q, state, x), &s.p.Entries[0], q, cut, state, x)
}

// replacedSignature is signature of a program whose parameters are set to those of s.m.
// number counts the signatures of the program before it.
func (s *subject) replacedSignature(t *testing.T, q *ir.Query, cut *model.Model, state []int, x []float64, number int) string {
	t.Helper()
	mc := s.set(t, q, state, x)
	setParams(t, mc, s.p, s.m)
	for i := range s.p.Entries {
		if s.p.Entries[i].Query.Kind != ir.Signature {
			continue
		}
		if number == 0 {
			return s.compareSignature(t, mc, &s.p.Entries[i], q, cut, state, x)
		}
		number--
	}
	return "there is no such signature"
}

func (s *subject) compareSignature(t *testing.T, mc *eval.Machine, entry *ir.Entry, q *ir.Query, cut *model.Model, state []int, x []float64) string {
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
	if err := mc.Run(entry); err != nil {
		return err.Error()
	}
	return strings.Join(s.posteriorDifferences(q.Targets[0], mc.Posterior(0), want, prior, s.tolerance(want, prior)), "; ")
}
