package importance_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// TestAgainstBruteForceLW checks that ln P and posteriors are those of brute force within standard
// errors, for every kind of CPD. Impossible evidence must be reported, and no other.
func TestAgainstBruteForceLW(t *testing.T) {
	var models []*model.Model
	for seed := uint64(0); len(models) < 200; seed++ {
		if m := irtest.RandomModel(seed, irtest.Options{MaxJoint: 1 << 10, NoZeros: seed%2 == 0}); m.Kind == model.Bayes {
			models = append(models, m)
		}
	}
	if agreed := methodtest.Weighted(t, "lw", models, "iterations=4000"); agreed < 500 {
		t.Errorf("samples were enough in %d runs; want most of 600", agreed)
	}
}

// TestNetworksLW compares with the clique tree on networks of bnlearn's repository.
func TestNetworksLW(t *testing.T) {
	methodtest.WeightedNetwork(t, "lw", "alarm", map[string]int{"BP": 0, "CVP": 0, "HRBP": 2})
	methodtest.WeightedNetwork(t, "lw", "insurance", map[string]int{"PropCost": 3, "Accident": 3})
	methodtest.WeightedNetwork(t, "lw", "hailfinder", nil)
	methodtest.WeightedNetwork(t, "lw", "win95pts", map[string]int{"Problem1": 1})
}

// TestNoisyOr has a noisy-or of 40 causes, whose table would have 2^41 numbers. Each is present
// with probability 1/2 and then active with probability 1/10. So there is no effect with
// probability 0.95^40, and given no effect a cause is present with probability 0.45/0.95.
func TestNoisyOr(t *testing.T) {
	const causes = 40
	m := &model.Model{Name: "noisy", Kind: model.Bayes}
	effect := &model.Factor{Child: causes}
	d := &model.NoisyMax{Leak: []float64{1, 0}}
	for i := range causes {
		v := m.NewVar(fmt.Sprint("c", i), "no", "yes").ID
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v}, Dist: &model.Table{Values: []float64{.5, .5}}})
		effect.Scope = append(effect.Scope, v)
		d.Cause = append(d.Cause, []float64{1, 0, .9, .1})
	}
	x := m.NewVar("effect", "no", "yes").ID
	effect.Scope, effect.Dist = append(effect.Scope, x), d
	m.Factors = append(m.Factors, effect)
	r, err := compiler.Compile(context.Background(), m, compiler.Options{Method: compiler.Named("lw"), Check: true})
	if err != nil {
		t.Fatal(err)
	}
	machine := eval.New(r.Program, r.Model)
	if err := machine.Observe(x, 0); err != nil {
		t.Fatal(err)
	}
	report, err := machine.RunTrials(context.Background(), &r.Program.Entries[0], pgmrt.TrialOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := machine.LogP(), causes*math.Log(.95); math.Abs(got-want) > 4*report.LogError {
		t.Errorf("ln P = %v; want %v within 4 times %v", got, want, report.LogError)
	}
	for i, id := range r.Program.Entries[0].Outs {
		if v := r.Program.Spans[id].Var; v != x && math.Abs(machine.Posterior(i)[1]-.45/.95) > 5*report.Residual {
			t.Errorf("cause %d: %v; want 0.45/0.95 within 5 times %v", v, machine.Posterior(i), report.Residual)
		}
	}
}

// TestRareEvidence has a chain that begins at 0, stays there with probability 1/2 at each step, and
// never returns. That it ends at 0 is possible, and far too rare for a hundred samples.
func TestRareEvidence(t *testing.T) {
	m := &model.Model{Name: "rare", Kind: model.Bayes}
	last := m.NewVar("c0", "0", "1").ID
	m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{last}, Dist: &model.Table{Values: []float64{.5, .5}}})
	for i := range 20 {
		v := m.NewVar(fmt.Sprint("c", i+1), "0", "1").ID
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{last, v}, Child: 1, Dist: &model.Table{Values: []float64{.5, .5, 0, 1}}})
		last = v
	}
	r, err := compiler.Compile(context.Background(), m, compiler.Options{Method: compiler.Named("lw", "iterations=100"), Check: true})
	if err != nil {
		t.Fatal(err)
	}
	machine := eval.New(r.Program, r.Model)
	if err := machine.Observe(last, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := machine.RunTrials(context.Background(), &r.Program.Entries[0], pgmrt.TrialOptions{}); !errors.Is(err, pgmrt.ErrWeights) {
		t.Errorf("%v; want %v", err, pgmrt.ErrWeights)
	}
}
