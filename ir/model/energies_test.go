package model_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
)

// pair returns a network of one potential over two variables with so many states.
func pair(rows, columns int, d model.Dist) *model.Model {
	m := &model.Model{Kind: model.Markov}
	for i, n := range []int{rows, columns} {
		var states []string
		for s := range n {
			states = append(states, fmt.Sprint(s))
		}
		m.NewVar(fmt.Sprint("x", i), states...)
	}
	m.Factors = []*model.Factor{{Scope: []model.VarID{0, 1}, Child: -1, Dist: d}}
	return m
}

// ofEnergies returns the table of exp(-e) for energies e, as a file with 17 digits has it.
func ofEnergies(energies ...float64) *model.Table {
	t := &model.Table{}
	for _, e := range energies {
		t.Values = append(t.Values, math.Exp(-e))
	}
	return t
}

// TestEnergiesOf has one potential of each class. The classes are those of Koller and Friedman, box
// 4.D, and Boykov, Veksler and Zabih 2001, section 1.
func TestEnergiesOf(t *testing.T) {
	inf := math.Inf(1)
	formula := func(n int, d model.Pairwise) *model.Table {
		var energies []float64
		for i := range n {
			for j := range n {
				energies = append(energies, 3+d.Energy(i, j)) // the shift must not matter
			}
		}
		return ofEnergies(energies...)
	}
	for _, c := range []struct {
		name          string
		rows, columns int
		dist          model.Dist
		want          model.Energies
	}{
		{"potts", 3, 3, formula(3, model.Pairwise{Weight: 2}), model.Energies{Semimetric: true, Metric: true, Shape: &model.Pairwise{Weight: 2}}},
		{"repelling potts", 3, 3, formula(3, model.Pairwise{Weight: -2}), model.Energies{Shape: &model.Pairwise{Weight: -2}}},
		{"binary potts", 2, 2, formula(2, model.Pairwise{Weight: .5}), model.Energies{Submodular: true, Semimetric: true, Metric: true, Convex: true, Shape: &model.Pairwise{Weight: .5}}},
		{"linear", 4, 4, formula(4, model.Pairwise{Metric: model.Linear, Weight: .3}), model.Energies{Submodular: true, Semimetric: true, Metric: true, Convex: true, Shape: &model.Pairwise{Metric: model.Linear, Weight: .3}}},
		{"truncated linear", 4, 4, formula(4, model.Pairwise{Metric: model.Linear, Weight: .3, Cap: 2}),
			model.Energies{Semimetric: true, Metric: true, Truncated: true, Shape: &model.Pairwise{Metric: model.Linear, Weight: .3, Cap: 2}}},
		{"quadratic", 4, 4, formula(4, model.Pairwise{Metric: model.Quadratic, Weight: .3}),
			model.Energies{Submodular: true, Semimetric: true, Convex: true, Shape: &model.Pairwise{Metric: model.Quadratic, Weight: .3}}},
		{"truncated quadratic", 4, 4, formula(4, model.Pairwise{Metric: model.Quadratic, Weight: .3, Cap: 5}),
			model.Energies{Semimetric: true, Truncated: true, Shape: &model.Pairwise{Metric: model.Quadratic, Weight: .3, Cap: 5}}},
		{"pairwise", 4, 4, &model.Pairwise{Metric: model.Quadratic, Weight: .3}, model.Energies{Submodular: true, Semimetric: true, Convex: true, Shape: &model.Pairwise{Metric: model.Quadratic, Weight: .3}}},
		{"implication", 2, 2, &model.Table{Values: []float64{1, 0, 1, 1}}, model.Energies{Submodular: true, Convex: true}},
		{"exclusion", 2, 2, &model.Table{Values: []float64{1, 1, 1, 0}}, model.Energies{}},
		{"two zeros on one side", 2, 2, &model.Table{Values: []float64{0, 0, 1, 1}}, model.Energies{Submodular: true}},
		{"more zeros for equal states", 2, 2, &model.Table{Values: []float64{0, 0, 1, 0}}, model.Energies{}},
		{"equality", 2, 2, &model.Table{Values: []float64{1, 0, 0, 1}}, model.Energies{Submodular: true, Semimetric: true, Metric: true, Convex: true}},
		{"product", 2, 2, &model.Table{Values: []float64{.03, .07, .27, .63}}, model.Energies{Submodular: true}},
		{"wide", 2, 3, ofEnergies(0, 1, 3, 1, 1, 1), model.Energies{Submodular: true}},
		{"no triangle", 3, 3, ofEnergies(0, 1, 9, 1, 0, 1, 9, 1, 0), model.Energies{Submodular: true, Semimetric: true, Convex: true}},
		{"directed", 3, 3, ofEnergies(0, 1, 4, 0, 0, 1, 0, 0, 0), model.Energies{Submodular: true, Convex: true}},
		{"far apart", 3, 3, ofEnergies(0, 1, inf, 1, 0, 1, inf, 1, 0), model.Energies{Submodular: true, Semimetric: true, Convex: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := pair(c.rows, c.columns, c.dist)
			got, ok := m.EnergiesOf(m.Factors[0], 1<<20)
			if !ok {
				t.Fatal("not classified")
			}
			shape, want := got.Shape, c.want.Shape
			if (shape == nil) != (want == nil) || shape != nil && (shape.Metric != want.Metric || math.Abs(shape.Weight-want.Weight) > 1e-12 || math.Abs(shape.Cap-want.Cap) > 1e-12) {
				t.Errorf("formula %+v; want %+v", shape, want)
			}
			got.Shape, got.Shift, c.want.Shape = nil, 0, nil
			if got != c.want {
				t.Errorf("%+v; want %+v", got, c.want)
			}
		})
	}
}

// TestEnergiesByFormulas compares with the definitions, for random integers as energies, whose sums
// are exact.
func TestEnergiesByFormulas(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	seen := map[model.Energies]int{}
	for range 4000 {
		n := 2 + r.IntN(2)
		e := make([]float64, n*n)
		for i := range n {
			for j := range i {
				e[i*n+j] = float64(r.IntN(4))
				e[j*n+i] = e[i*n+j]
			}
		}
		if r.IntN(2) == 0 {
			e[r.IntN(n*n)] = float64(r.IntN(4))
		}
		m := pair(n, n, ofEnergies(e...))
		got, ok := m.EnergiesOf(m.Factors[0], 100)
		want := model.Energies{Submodular: true, Semimetric: true, Metric: true, Convex: got.Convex, Truncated: got.Truncated, Shift: got.Shift}
		for i := range n {
			for j := range n {
				if i+1 < n && j+1 < n && e[i*n+j]+e[(i+1)*n+j+1] > e[i*n+j+1]+e[(i+1)*n+j] {
					want.Submodular = false
				}
				if e[i*n+j] != e[j*n+i] || (i == j) != (e[i*n+j] == e[0]) || e[i*n+j] < e[0] {
					want.Semimetric = false
				}
				for k := range n {
					if e[i*n+j]+e[0] > e[i*n+k]+e[k*n+j] {
						want.Metric = false
					}
				}
			}
		}
		want.Metric = want.Metric && want.Semimetric
		got.Shape = nil
		if !ok || got != want {
			t.Fatalf("%v: %+v; want %+v", e, got, want)
		}
		got.Shift = 0
		seen[got]++
	}
	if len(seen) < 8 {
		t.Errorf("only %v", seen)
	}
}

// TestNoEnergies has factors that are not classified.
func TestNoEnergies(t *testing.T) {
	m := pair(2, 2, &model.Table{Values: make([]float64, 4)})
	if e, ok := m.EnergiesOf(m.Factors[0], 100); ok {
		t.Errorf("values of 0 alone: %+v", e)
	}
	m = pair(2, 2, &model.Pairwise{Weight: 1})
	if e, ok := m.EnergiesOf(m.Factors[0], 3); ok {
		t.Errorf("beyond the limit: %+v", e)
	}
	m = pair(1, 2, &model.Table{Values: []float64{1, 2}})
	if e, ok := m.EnergiesOf(m.Factors[0], 100); ok {
		t.Errorf("one variable with a single state: %+v", e)
	}
}

func ExampleModel_CountEnergies() {
	m := &model.Model{Kind: model.Markov}
	for _, name := range []string{"a", "b", "c"} {
		m.NewVar(name, "low", "middle", "high")
	}
	for i, d := range []*model.Pairwise{{Weight: 1}, {Metric: model.Linear, Weight: 2, Cap: 1.5}} {
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{model.VarID(i), model.VarID(i + 1)}, Child: -1, Dist: d})
	}
	c := m.CountEnergies(1 << 20)
	fmt.Println(c.String())
	fmt.Println("one cut:", c.Cuts())
	// Output:
	// 2 pairs: all metric, all semimetric, 1 Potts, 1 linear, 1 truncated
	// one cut: false
}
