package compiler_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// pseudoLogs returns the pseudo-log-likelihoods of all completions of evidence, the largest first,
// by enumeration.
func pseudoLogs(m *model.Model, e brute.Evidence) (list []float64) {
	all, state := make([]model.VarID, len(m.Vars)), make([]int, len(m.Vars))
	for v := range all {
		all[v] = model.VarID(v)
	}
	for more := true; more; more = m.Next(all, state) {
		sum := 0.0
		for v, s := range e.Hard {
			if state[v] != s {
				sum = math.Inf(-1)
			}
		}
		for _, f := range m.Factors {
			sum += math.Log(m.Value(f, state))
		}
		list = append(list, sum)
	}
	slices.Sort(list)
	slices.Reverse(list)
	return list
}

// comparePseudoMax compares max-marginals with the best completion in which a variable also has the
// state, by enumeration.
func comparePseudoMax(t *testing.T, seed uint64, m *model.Model, e brute.Evidence, given infer.Evidence) {
	engine, err := infer.New(t.Context(), m, infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := engine.MaxMarginals(t.Context(), given)
	if errors.Is(err, infer.ErrImpossible) {
		return
	}
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	for v, x := range got.List {
		for s, log := range x.LogProb {
			with := brute.Evidence{Hard: maps.Clone(e.Hard)}
			want := math.Inf(-1)
			if old, ok := with.Hard[model.VarID(v)]; !ok || old == s {
				with.Hard[model.VarID(v)] = s
				want = pseudoLogs(m, with)[0]
			}
			if !irtest.Near(log, want, 1e-9) {
				t.Errorf("seed %d: max-marginal of state %d of variable %d is %v; want %v", seed, s, v, log, want)
			}
		}
	}
}

// TestPseudoLikelihood compares most probable completions of dependency networks, whose CPDs come
// from one network or from two that contradict each other, with enumeration.
func TestPseudoLikelihood(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(irtest.Count(t, 40, 400)) {
		m, from := dependency(t, seed)
		e := brute.Evidence{Hard: irtest.EvidenceOn(seed, from, 0.3, 0).Hard}
		given := infer.Evidence{}
		for v, s := range e.Hard {
			given[m.Vars[v].Name] = m.States(v)[s]
		}
		want := pseudoLogs(m, e)
		for _, name := range []string{"", "jointree", "search", "trws", "tabu"} {
			engine, err := infer.New(ctx, m, infer.Options{Method: compiler.Named(name), Queries: map[bool][]string{true: {"mpe"}}[name == "" || name == "jointree"]})
			if err != nil {
				t.Fatalf("seed %d, %s: %v", seed, name, err)
			}
			got, err := engine.MPE(ctx, given)
			switch {
			case math.IsInf(want[0], -1):
				if name == "" && !errors.Is(err, infer.ErrImpossible) {
					t.Errorf("seed %d: error %v; want %v", seed, err, infer.ErrImpossible)
				}
				continue
			case err != nil && name == "tabu": // it found no start
				continue
			case err != nil:
				t.Fatalf("seed %d, %s: %v", seed, name, err)
			}
			exact := name != "tabu" && name != "trws"
			if exact && !irtest.Near(got.LogProb, want[0], 1e-9) || got.LogProb > want[0]+1e-9 {
				t.Errorf("seed %d, %q: pseudo-log-likelihood %v; the largest is %v", seed, name, got.LogProb, want[0])
			}
		}
		comparePseudoMax(t, seed, m, e, given)
		engine, err := infer.New(ctx, m, infer.Options{Queries: []string{"mpe"}})
		if err != nil {
			t.Fatal(err)
		}
		list, err := engine.KMPE(ctx, given, 3)
		for i, x := range list {
			if !irtest.Near(x.LogProb, want[i], 1e-9) {
				t.Errorf("seed %d: completion %d has %v; want %v", seed, i, x.LogProb, want[i])
			}
		}
		if possible := want[0] > math.Inf(-1); possible != (err == nil && len(list) > 0) {
			t.Errorf("seed %d: %d completions, error %v", seed, len(list), err)
		}
	}
}

// dependency returns a random dependency network and the network from which it comes. Every second
// one is not consistent.
func dependency(t *testing.T, seed uint64) (m, from *model.Model) {
	t.Helper()
	opt := irtest.Options{MaxVars: 6, MaxStates: 3, MaxJoint: 1 << 8, NoZeros: seed%3 == 0}
	from = irtest.RandomModel(seed, opt)
	for _, v := range from.Vars {
		v.Latent = false
	}
	m, _, err := from.Dependency(1 << 16)
	if err != nil {
		t.Fatal(err)
	}
	if seed%2 == 0 {
		for _, f := range m.Factors {
			if d, ok := f.Dist.(*model.Table); ok && len(f.Scope) > 1 {
				row := d.Values[:m.Card(f.ChildVar())]
				slices.Reverse(row)
			}
		}
	}
	return m, from
}

// A dependency network has no joint distribution. What is most probable in it is the joint state
// with the largest product of its CPDs.
func ExampleCompile_pseudoLikelihood() {
	m, _, err := exampleModel().Dependency(1 << 10)
	if err != nil {
		log.Fatal(err)
	}
	e, err := infer.New(context.Background(), m, infer.Options{Queries: []string{"mpe"}})
	if err != nil {
		log.Fatal(err)
	}
	best, err := e.MPE(context.Background(), infer.Evidence{"dysp": "yes"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(best.Of("bronc"), math.Round(1000*best.LogProb)/1000)
	// Output: yes -0.612
}
