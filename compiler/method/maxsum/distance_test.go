package maxsum_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// The ways to write the energies of pairs: as a formula, as its table, and as a table that has no
// formula, since one value differs by 1e-7.
const (
	formula = iota
	table
	perturbed
)

// lattice returns a network of three by three variables whose neighbours have potentials of d.
func lattice(states int, d model.Pairwise, way int) *model.Model {
	r := rand.New(rand.NewPCG(3, uint64(states)))
	m := &model.Model{Name: "lattice", Kind: model.Markov}
	var names []string
	for s := range states {
		names = append(names, fmt.Sprint(s))
	}
	add := func(dist model.Dist, scope ...model.VarID) {
		m.Factors = append(m.Factors, &model.Factor{Scope: scope, Child: -1, Dist: dist})
	}
	for v := range model.VarID(9) {
		m.NewVar(fmt.Sprint("x", v), names...)
		own := &model.Table{}
		for range states {
			own.Values = append(own.Values, math.Exp(2*r.NormFloat64()))
		}
		add(own, v)
		if v%3 > 0 {
			add(pairOf(states, d, way), v-1, v)
		}
		if v >= 3 {
			add(pairOf(states, d, way), v, v-3)
		}
	}
	return m
}

func pairOf(states int, d model.Pairwise, way int) model.Dist {
	if way == formula {
		return &d
	}
	out := &model.Table{}
	for i := range states {
		for j := range states {
			out.Values = append(out.Values, math.Exp(-d.Energy(i, j)))
		}
	}
	if way == perturbed {
		out.Values[states] *= 1 + 1e-7
	}
	return out
}

// TestDistances checks that energies by distances lead to the same states and bounds as tables, and
// that programs then hold no table of pairs.
func TestDistances(t *testing.T) {
	for _, d := range []model.Pairwise{
		{Weight: .7}, {Weight: -.4}, {Metric: model.Linear, Weight: .35}, {Metric: model.Linear, Weight: .8, Cap: 2.5}, {Metric: model.Linear, Weight: -.2},
		{Metric: model.Quadratic, Weight: .15}, {Metric: model.Quadratic, Weight: .4, Cap: 5},
	} {
		for _, name := range []string{"maxprod", "trws", "mplp"} {
			t.Run(fmt.Sprintf("%s/%v", name, d), func(t *testing.T) {
				var options []string
				if name == "mplp" {
					options = []string{"cycles=0"}
				}
				var logp, bound [3]float64
				for way := range 3 {
					m := lattice(5, d, way)
					tables := 0
					logp[way], bound[way], tables = decode(t, m, name, options...)
					if (tables > 0) != (way == perturbed) {
						t.Errorf("way %d: %d tables of pairs", way, tables)
					}
				}
				for way := range perturbed {
					if math.Abs(logp[way]-logp[perturbed]) > 1e-5 || !math.IsInf(bound[way], 1) && math.Abs(bound[way]-bound[perturbed]) > 1e-5 {
						t.Errorf("way %d: ln of the value %v and bound %v; want %v and %v", way, logp[way], bound[way], logp[perturbed], bound[perturbed])
					}
				}
			})
		}
	}
}

// TestNoDistances has energies whose minimum over pairs is no lower envelope: they keep tables.
func TestNoDistances(t *testing.T) {
	for _, d := range []model.Pairwise{{Metric: model.Quadratic, Weight: -.1}, {Metric: model.Linear, Weight: -.3, Cap: 2.5}} {
		if _, _, tables := decode(t, lattice(5, d, formula), "trws"); tables == 0 {
			t.Errorf("%+v has no table", d)
		}
	}
}

// TestTightenDistances checks that pairs which cycles change do have tables.
func TestTightenDistances(t *testing.T) {
	d := model.Pairwise{Weight: -3}
	_, loose, _ := decode(t, lattice(3, d, formula), "mplp", "cycles=0")
	logp, bound, _ := decode(t, lattice(3, d, formula), "mplp")
	if bound > loose+1e-9 || bound < logp-1e-9 {
		t.Errorf("bound %v with cycles, %v without, value %v", bound, loose, logp)
	}
}

// decode runs a method, and counts the tables of pairs of its program.
func decode(t *testing.T, m *model.Model, name string, options ...string) (logp, bound float64, tables int) {
	t.Helper()
	c, err := compiler.Compile(context.Background(), m, compiler.Options{Method: compiler.Named(name, options...), Check: true})
	if err != nil {
		t.Fatal(err)
	}
	states := c.Model.Card(0)
	for i := range c.Program.Spans {
		if s := &c.Program.Spans[i]; s.Elem == ir.Float64 && s.Len == states*states {
			tables++
		}
	}
	machine, entry := eval.New(c.Program, c.Model), &c.Program.Entries[0]
	went, err := machine.RunLoop(context.Background(), entry, pgmrt.LoopOptions{Iterations: 12, Tolerance: -1})
	if err != nil {
		t.Fatal(err)
	}
	return machine.LogP(), machine.Decoded(entry, went).Bound, tables
}

// TestManyStates solves a chain over 20,000 states, for which a table of a pair would take 3 GB.
// The ends want to be as far from each other as the pairs allow.
func TestManyStates(t *testing.T) {
	const states = 20_000
	m := &model.Model{Name: "levels", Kind: model.Markov}
	names := make([]string, states)
	for s := range names {
		names[s] = fmt.Sprint(s)
	}
	for v := range model.VarID(3) {
		m.NewVar(fmt.Sprint("x", v), names...)
		if v > 0 {
			m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v - 1, v}, Child: -1, Dist: &model.Pairwise{Metric: model.Linear, Weight: .25, Cap: 100}})
		}
	}
	for v, want := range map[model.VarID]int{0: 0, 2: 300} {
		own := &model.Table{Values: slices.Repeat([]float64{1}, states)}
		own.Values[want] = math.Exp(60)
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v}, Child: -1, Dist: own})
	}
	logp, bound, _ := decode(t, m, "trws")
	if math.Abs(logp-95) > 1e-6 || math.Abs(bound-95) > 1e-6 {
		t.Errorf("ln of the value %v and bound %v; want 95, for both wishes less one cap", logp, bound)
	}
}
