package filter_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestWork counts the operations of a step that computes the belief alone. Two coordinates that
// move apart have no covariances: a position and a velocity each, of which the position is
// measured. A measurement takes one division for its gains, and the density one more for all; a
// maximum for each coordinate keeps the variance of the velocity from falling below 0, and another
// that of the next position. That the noise of a position depends on that of its velocity takes no
// operation. A hidden Markov model multiplies by the transition and by the emission once.
func TestWork(t *testing.T) {
	work := func(m *model.Model) (ops, divisions, products int) {
		t.Helper()
		r, err := compiler.Compile(t.Context(), m, compiler.Options{Queries: []string{"filter"}})
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range r.Program.Entry(ir.FilterBelief).Blocks {
			for _, step := range r.Program.Blocks[b].Steps {
				products += step.Products()
				if m, ok := step.(*ir.Map); ok {
					for _, x := range m.Code {
						if ops++; x.Op == circuit.Quot || x.Op == circuit.Ratio {
							divisions++
						}
					}
				}
			}
		}
		return ops, divisions, products
	}
	if ops, divisions, _ := work(plane()); ops > 67 || divisions != 3 {
		t.Errorf("a step in the plane takes %d operations with %d divisions; want at most 67 with 3", ops, divisions)
	}
	const states, signs = 8, 4
	if _, _, products := work(hidden(states, signs)); products > states*(states+signs)+4*states {
		t.Errorf("a step of a hidden Markov model takes %d products; want at most %d", products, states*(states+signs)+4*states)
	}
}

// TestLaidOut checks that a program of few products is laid out for vectors if most of them are
// those of a step, which runs often.
func TestLaidOut(t *testing.T) {
	for states, want := range map[int]bool{4: false, 8: true} {
		r, err := compiler.Compile(t.Context(), hidden(states, 4), compiler.Options{Queries: []string{"filter"}})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Program.Align > 0; got != want {
			t.Errorf("%d states: laid out for vectors: %v; want %v", states, got, want)
		}
	}
}

// plane returns a model of constant velocity in the plane.
func plane() *model.Model {
	m := &model.Model{Name: "plane", Transition: &model.Transition{}}
	normal := func(variance float64, coef []float64, scope ...model.VarID) *model.Factor {
		return &model.Factor{Scope: scope, Child: len(scope) - 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: coef, Var: []float64{variance}}}
	}
	for i, axis := range []string{"x", "y"} {
		p, v, z := m.NewReal("p"+axis).ID, m.NewReal("v"+axis).ID, m.NewReal("z"+axis).ID
		sensor := normal(1, []float64{1}, p, z)
		m.Factors = append(m.Factors, normal(100, nil, p), normal(1, nil, v), sensor)
		before := model.VarID(6 + 2*i) // the velocity before, then the position before
		m.Transition.Before = append(m.Transition.Before, v, p)
		m.Transition.Factors = append(m.Transition.Factors, normal(.1, []float64{1}, before, v), normal(.01, []float64{.5, 1, .5}, before, before+1, v, p), sensor)
	}
	return m
}

// hidden returns a hidden Markov model.
func hidden(states, signs int) *model.Model {
	names := func(n int) []string { return []string{"a", "b", "c", "d", "e", "f", "g", "h"}[:n] }
	table := func(rows, n int) *model.Table {
		d := &model.Table{}
		for r := range rows {
			for k := range n {
				d.Values = append(d.Values, (1+float64((r+k)%n))*2/float64(n*(n+1)))
			}
		}
		return d
	}
	m := &model.Model{Name: "hidden"}
	x, y := m.NewVar("x", names(states)...).ID, m.NewVar("y", names(signs)...).ID
	sensor := &model.Factor{Scope: []model.VarID{x, y}, Child: 1, Dist: table(states, signs)}
	m.Factors = []*model.Factor{{Scope: []model.VarID{x}, Dist: table(1, states)}, sensor}
	m.Transition = &model.Transition{Before: []model.VarID{x}, Factors: []*model.Factor{{Scope: []model.VarID{2, x}, Child: 1, Dist: table(states, states)}, sensor}}
	return m
}
