package infer_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// binary returns a Markov network of variables with states 0 and 1, without factors.
func binary(names ...string) *model.Model {
	m := &model.Model{Name: "binary", Kind: model.Markov}
	for _, name := range names {
		m.NewVar(name, "0", "1")
	}
	return m
}

// potential adds a table over variables.
func potential(m *model.Model, values []float64, scope ...model.VarID) {
	m.Factors = append(m.Factors, &model.Factor{Scope: scope, Child: -1, Dist: &model.Table{Values: values}})
}

// TestMisconception has the max-marginals and the best completions of the Misconception example
// (Koller and Friedman, figure 13.3). Its partition function is 7,201,840.
func TestMisconception(t *testing.T) {
	m := misconception()
	logZ := math.Log(7201840)
	for _, name := range []string{"jointree", "circuit"} {
		e := engine(t, m, infer.Options{Method: compiler.Named(name)})
		for v, want := range map[string][2]float64{"A": {5e6, 1e6}, "B": {1e6, 5e6}, "C": {1e6, 5e6}, "D": {5e6, 1e6}} {
			for k := range want {
				best, err := e.MPE(t.Context(), infer.Evidence{v: fmt.Sprint(k)})
				if err != nil {
					t.Fatal(err)
				}
				irtest.CloseTo(t, best.LogProb+logZ, math.Log(want[k]), 1e-12)
			}
		}
		misconceptionCliques(t, e, logZ)
		list, err := e.KMPE(t.Context(), nil, 16)
		values := []float64{5e6, 1e6, 3e5, 3e5, 3e5, 1e5, 1e5, 1e5, 500, 500, 500, 100, 100, 100, 30, 10}
		if err != nil || len(list) != len(values) {
			t.Fatalf("%s: %d completions, %v", name, len(list), err)
		}
		for i, want := range values {
			irtest.CloseTo(t, list[i].LogProb+logZ, math.Log(want), 1e-12)
		}
		for v, want := range map[string]string{"A": "0", "B": "1", "C": "1", "D": "0"} {
			if got := list[0].Of(v); got != want {
				t.Errorf("%s: the best completion has %s=%s; want %s", name, v, got, want)
			}
		}
	}
}

// misconceptionCliques checks the max-marginals of both cliques and of what they share, by the best
// completions of their states, and that cliques divided by that have the weight of each joint
// state.
func misconceptionCliques(t *testing.T, e *infer.Engine, logZ float64) {
	t.Helper()
	best := func(scope string, k int) float64 {
		given := infer.Evidence{}
		for i, v := range scope {
			given[string(v)] = fmt.Sprint(k >> (len(scope) - 1 - i) & 1)
		}
		x, err := e.MPE(t.Context(), given)
		if err != nil {
			t.Fatal(err)
		}
		return x.LogProb + logZ
	}
	beliefs := map[string][]float64{
		"ABD": {3e5, 3e5, 5e6, 500, 100, 1e6, 1e5, 1e5},
		"BD":  {3e5, 1e6, 5e6, 1e5},
		"BCD": {3e5, 1e6, 3e5, 100, 500, 1e5, 5e6, 1e5},
	}
	for scope, values := range beliefs {
		for k, want := range values {
			irtest.CloseTo(t, best(scope, k), math.Log(want), 1e-12)
		}
	}
	for k := range 16 {
		b, c, d := k>>2&1, k>>1&1, k&1
		product := beliefs["ABD"][k>>3<<2|b<<1|d] * beliefs["BCD"][b<<2|c<<1|d] / beliefs["BD"][b<<1|d]
		irtest.CloseTo(t, best("ABCD", k), math.Log(product), 1e-12)
	}
}

// TestMarginalMAP has a most probable state of one variable that the most probable joint state does
// not have.
func TestMarginalMAP(t *testing.T) {
	m := binary("y", "w")
	potential(m, []float64{.3, .25, .4, .05}, 0, 1)
	for _, name := range []string{"jointree", "circuit"} {
		e := engine(t, m, infer.Options{Method: compiler.Named(name)})
		joint, err := e.MPE(t.Context(), nil)
		if err != nil || joint.Of("y") != "1" || joint.Of("w") != "0" {
			t.Errorf("%s: %+v, %v", name, joint, err)
		}
		for _, ask := range []func() (*infer.Completion, error){
			func() (*infer.Completion, error) { return e.MAP(t.Context(), nil, "y") },
			func() (*infer.Completion, error) { return e.Search(t.Context(), nil, "y") },
		} {
			one, err := ask()
			if err != nil || one.Of("y") != "0" || math.Abs(one.LogProb-math.Log(.55)) > 1e-12 {
				t.Errorf("%s: %+v, %v", name, one, err)
			}
		}
	}
}

// TestRunnersUp derives the second and the third best completions from best ones under evidence,
// and the best from those given each state of a variable (Koller and Friedman, exercises 13.5,
// 13.6 and 13.21).
func TestRunnersUp(t *testing.T) {
	asked := 0
	for _, seed := range irtest.Cases(t, 20, 300) {
		m := irtest.RandomModel(seed, irtest.Options{MaxVars: 6, TablesOnly: true})
		for _, v := range m.Vars {
			v.Latent = false
		}
		e := engine(t, m, infer.Options{})
		list, err := e.KMPE(t.Context(), nil, 3)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) < 3 {
			continue
		}
		asked++
		best := func(known infer.Evidence) float64 {
			c, err := e.MPE(t.Context(), known)
			if errors.Is(err, infer.ErrImpossible) {
				return math.Inf(-1)
			} else if err != nil {
				t.Fatal(err)
			}
			return c.LogProb
		}
		second, given := math.Inf(-1), math.Inf(-1)
		for i, a := range list[0].States {
			for k, state := range m.States(model.VarID(i)) {
				value := best(infer.Evidence{a.Var: state})
				if k != a.Index {
					second = max(second, value)
				}
				if i == 0 {
					given = max(given, value)
				}
			}
		}
		irtest.CloseTo(t, given, list[0].LogProb, 1e-11)
		irtest.CloseTo(t, second, list[1].LogProb, 1e-11)
		irtest.CloseTo(t, third(m, list, best), list[2].LogProb, 1e-11)
	}
	if asked < 10 {
		t.Errorf("%d models; want at least 10", asked)
	}
}

// third returns the value of the third best completion. The space is split where the first two
// differ, at the second's state of a variable; the third is the runner-up of one of the parts.
func third(m *model.Model, list []infer.Completion, best func(infer.Evidence) float64) float64 {
	at := 0
	for list[0].States[at].Index == list[1].States[at].Index {
		at++
	}
	split := list[1].States[at]
	out := math.Inf(-1)
	for part, top := range []*infer.Completion{&list[0], &list[1]} {
		var allowed infer.States
		for k, state := range m.States(model.VarID(at)) {
			if (k == split.Index) == (part == 1) {
				allowed = append(allowed, state)
			}
		}
		for i, a := range top.States {
			var others infer.States
			for k, state := range m.States(model.VarID(i)) {
				if k != a.Index && (i != at || (k == split.Index) == (part == 1)) {
					others = append(others, state)
				}
			}
			known := infer.Evidence{split.Var: allowed}
			if known[a.Var] = others; len(others) > 0 {
				out = max(out, best(known))
			}
		}
	}
	return out
}

// TestRing checks that on a single cycle, states on which all beliefs of max-product messages agree
// are the best (Koller and Friedman, exercise 13.11).
func TestRing(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 11))
	proven := 0
	for range irtest.Count(t, 30, 500) {
		m := binary("a", "b", "c", "d", "e")
		for v := range model.VarID(5) {
			var values []float64
			for range 4 {
				values = append(values, math.Exp(r.NormFloat64()))
			}
			potential(m, values, v, (v+1)%5)
		}
		j, err := brute.New(m)
		if err != nil {
			t.Fatal(err)
		}
		got, err := engine(t, m, infer.Options{Method: compiler.Named("maxprod")}).MPE(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got.Report.Gap > 0 {
			continue
		}
		proven++
		want, _ := j.MPE(brute.Evidence{})
		irtest.CloseTo(t, got.LogProb, want+j.LogPartition(), 1e-9)
	}
	if proven < 10 {
		t.Errorf("%d proofs; want at least 10", proven)
	}
}

// TestDualMonotone stops methods that bound after every number of iterations: no bound is above the
// one before, nor below the best value.
func TestDualMonotone(t *testing.T) {
	for _, name := range []string{"trws", "mplp"} {
		moved := false
		for _, seed := range irtest.Cases(t, 3, 50) {
			m := grid(4, rand.New(rand.NewPCG(seed, 15)))
			j, err := brute.New(m)
			if err != nil {
				t.Fatal(err)
			}
			best, _ := j.MPE(brute.Evidence{})
			best += j.LogPartition()
			e := engine(t, m, infer.Options{Method: compiler.Named(name)})
			last := math.Inf(1)
			for n := 1; n <= 12; n++ {
				e.SetRunOptions(infer.RunOptions{Iterations: n, Tolerance: -1})
				got, err := e.MPE(t.Context(), nil)
				if err != nil {
					t.Fatal(err)
				}
				bound := got.Report.Bound
				if bound > last+1e-9 || bound < best-1e-7 {
					t.Fatalf("%s, seed %d: bound %v after %d iterations, %v before; the best value is %v", name, seed, bound, n, last, best)
				}
				moved = moved || n > 1 && bound < last-1e-6
				last = bound
			}
		}
		if !moved {
			t.Errorf("%s: no bound moved", name)
		}
	}
}

// TestDecided compares the states that roof duality decides with all best completions of random
// networks of pairs.
func TestDecided(t *testing.T) {
	decided, open := 0, 0
	for _, seed := range irtest.Cases(t, 40, 500) {
		m := irtest.RandomModel(seed, irtest.Options{MaxVars: 8, MaxStates: 2, MaxParents: 1})
		ev := irtest.RandomEvidence(seed, m)
		j, err := brute.New(m)
		if err != nil {
			t.Fatal(err)
		}
		got, err := engine(t, m, infer.Options{Method: compiler.Named("cut")}).MPE(t.Context(), given(m, ev))
		if errors.Is(err, infer.ErrImpossible) {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		all := make([]model.VarID, len(m.Vars))
		for v := range all {
			all[v] = model.VarID(v)
		}
		_, best := j.MAP(all, ev)
		for i, is := range got.Decided {
			if !is {
				open++
				continue
			}
			decided++
			for _, states := range best {
				if v := j.Observable()[i]; states[v] != got.States[i].Index {
					t.Errorf("seed %d: %s is decided to be %d; best are %v", seed, got.States[i].Var, got.States[i].Index, best)
				}
			}
		}
	}
	if decided < 20 || open == 0 {
		t.Errorf("%d states are decided and %d open; want 20 and some", decided, open)
	}
}
