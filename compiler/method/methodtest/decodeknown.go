package methodtest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Known is a small Markov network over binary variables with known best states.
type Known struct {
	Name  string
	Pairs [][2]int // the scopes of its potentials
	Same  float64  // their value if both variables have the same state
	Other float64  // their value if the states differ
	Best  float64  // the largest product
	// Found is the product of the states that decoding finds if all messages are uniform and each
	// variable takes the first of its best states.
	Found float64
	// Loose is the least upper bound of Best by locally consistent pair distributions: the optimum
	// of the linear relaxation.
	Loose float64
}

// Knowns are examples of the literature. Their values were computed by hand.
var Knowns = []Known{
	// Koller and Friedman, exercise 13.10: the best states differ, and each single variable has two
	// equally good states.
	{"differ", [][2]int{{0, 1}}, .1, .4, .4, .4, .4},
	// Example 13.11: each pair prefers to differ, which two of three can; the pseudomarginal of one
	// half for each state lets all three differ.
	{"triangle", [][2]int{{0, 1}, {1, 2}, {0, 2}}, 1, 2, 4, 4, 8},
	// Exercise 13.12: each pair prefers to agree, which all can in two ways.
	{"agree", [][2]int{{0, 1}, {1, 2}, {0, 2}}, 2, 1, 8, 8, 8},
	// An even cycle is not frustrated.
	{"square", [][2]int{{0, 1}, {1, 2}, {2, 3}, {0, 3}}, 1, 2, 16, 16, 16},
	// Two triangles with a common edge. Each must lose an edge. The best states lose the common
	// one; the decoded states lose two others.
	{"diamond", [][2]int{{0, 1}, {1, 2}, {0, 2}, {1, 3}, {2, 3}}, 1, 3, 81, 27, 243},
	// No odd cycle has a proper colouring with two colours.
	{"odd", [][2]int{{0, 1}, {1, 2}, {0, 2}}, 0, 1, 0, 0, 1},
}

// Model returns the network.
func (k *Known) Model() *model.Model {
	m := &model.Model{Name: k.Name, Kind: model.Markov}
	for _, pair := range k.Pairs {
		for len(m.Vars) <= max(pair[0], pair[1]) {
			m.NewVar(fmt.Sprintf("x%d", len(m.Vars)), "0", "1")
		}
	}
	for _, pair := range k.Pairs {
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{model.VarID(pair[0]), model.VarID(pair[1])}, Child: -1,
			Dist: &model.Table{Values: []float64{k.Same, k.Other, k.Other, k.Same}}})
	}
	return m
}

// Solve returns the report of a method on the network, and ln of the value of its states.
func (k *Known) Solve(t *testing.T, m method.Method, options ...string) (pgmrt.DecodeReport, float64) {
	t.Helper()
	r, err := compiler.Compile(context.Background(), k.Model(), compiler.Options{Method: compiler.Named(m.Name, options...), Check: true})
	if err != nil {
		t.Fatal(err)
	}
	machine, entry := eval.New(r.Program, r.Model), &r.Program.Entries[0]
	went, err := machine.RunLoop(context.Background(), entry, pgmrt.LoopOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return machine.Decoded(entry, went), machine.LogP()
}

// KnownBounds checks a bounding method on all Knowns. The bound must be the optimum of the linear
// relaxation, which the method reaches on networks so small, the status must follow from it, and
// local search must find the best states.
func KnownBounds(t *testing.T, m method.Method, options ...string) {
	for _, k := range Knowns {
		t.Run(k.Name, func(t *testing.T) {
			report, logp := k.Solve(t, m, options...)
			want := pgmrt.DecodeConverged
			switch {
			case k.Best == 0:
				want = pgmrt.DecodeInfeasible
			case k.Loose > k.Best:
				want = pgmrt.DecodeAmbiguous
			}
			if report.Status != want || !irtest.Near(report.Bound, pgmrt.Ln(k.Loose), 1e-8) {
				t.Errorf("%+v; want %v with bound %v", report, want, pgmrt.Ln(k.Loose))
			}
			if best := pgmrt.Ln(k.Best); logp != best && !irtest.Near(logp, best, 1e-12) {
				t.Errorf("states of %v; want %v", logp, best)
			}
		})
	}
}

// Impossible checks that a method reports detectable impossible evidence: the same state for two
// neighbours that must differ. And a network with a factor 0 without variables has no states.
func Impossible(t *testing.T, m method.Method) {
	impossibleConstant(t, m)
	k := Known{Pairs: [][2]int{{0, 1}, {1, 2}}, Same: 0, Other: 1}
	r, err := compiler.Compile(context.Background(), k.Model(), compiler.Options{Method: compiler.Named(m.Name)})
	if err != nil {
		t.Fatal(err)
	}
	machine, entry := eval.New(r.Program, r.Model), &r.Program.Entries[0]
	for _, v := range []model.VarID{0, 1} {
		if err := machine.Observe(v, 0); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := machine.RunLoop(context.Background(), entry, pgmrt.LoopOptions{}); !errors.Is(err, pgmrt.ErrImpossible) {
		t.Errorf("%v; want %v", err, pgmrt.ErrImpossible)
	}
	if logp := machine.LogP(); !math.IsInf(logp, -1) {
		t.Errorf("ln P %v; want -Inf", logp)
	}
	machine.ClearEvidence()
	went, err := machine.RunLoop(context.Background(), entry, pgmrt.LoopOptions{})
	if report := machine.Decoded(entry, went); err != nil || machine.LogP() != 0 || report.Gap != 0 {
		t.Errorf("%+v, ln P %v, %v; want a proof of 0", report, machine.LogP(), err)
	}
}

func impossibleConstant(t *testing.T, m method.Method) {
	t.Helper()
	x := (&Known{Pairs: [][2]int{{0, 1}}, Same: 1, Other: 2}).Model()
	x.Factors = append(x.Factors, &model.Factor{Child: -1, Dist: &model.Table{Values: []float64{0}}})
	r, err := compiler.Compile(context.Background(), x, compiler.Options{Method: compiler.Named(m.Name)})
	if err != nil {
		t.Fatal(err)
	}
	machine, entry := eval.New(r.Program, r.Model), &r.Program.Entries[0]
	went, err := machine.RunLoop(context.Background(), entry, pgmrt.LoopOptions{})
	if report := machine.Decoded(entry, went); !errors.Is(err, pgmrt.ErrImpossible) && report.Status != pgmrt.DecodeInfeasible || !math.IsInf(machine.LogP(), -1) {
		t.Errorf("a factor 0: %+v, ln P %v, %v; want no states", report, machine.LogP(), err)
	}
}
