package model_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestBalanced compares the product of random networks with numbers from 10^-308 to 10^307, with
// zeros, before and after: they differ by the constant at each joint state.
func TestBalanced(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 7))
	changed, constants := 0, 0
	for range irtest.Count(t, 200, 2000) {
		m := &model.Model{Kind: model.Markov}
		for range 3 {
			m.NewVar(string(rune('a'+len(m.Vars))), []string{"0", "1", "2"}[:1+r.IntN(3)]...)
		}
		for range r.IntN(8) {
			var scope []model.VarID
			n := 1
			for _, v := range r.Perm(3)[:r.IntN(3)] {
				scope, n = append(scope, model.VarID(v)), n*m.Card(model.VarID(v))
			}
			values := make([]float64, n)
			for i := range values {
				if r.IntN(8) > 0 {
					values[i] = math.Pow(10, float64(r.IntN(616)-308)*float64(r.IntN(2)))
				}
			}
			m.Factors = append(m.Factors, &model.Factor{Scope: scope, Child: -1, Dist: &model.Table{Values: values}})
		}
		got, logarithm := m.Balanced()
		if got != m {
			changed++
		}
		for _, f := range got.Factors {
			if values := f.Dist.(*model.Table).Values; len(f.Scope) == 0 && got != m && values[0] != 0 {
				constants++
			}
		}
		states, n := make([]int, 3), m.Card(0)*m.Card(1)*m.Card(2)
		for range n {
			if x, y := logOf(m, states), logOf(got, states)+logarithm; x != y && math.Abs(x-y) > 1e-9 {
				t.Fatalf("ln of the product at %v is %v; %v of\n%v", states, y, x, m.Factors)
			}
			m.Next([]model.VarID{0, 1, 2}, states)
		}
	}
	if changed < 50 || constants > 0 {
		t.Errorf("%d networks are changed, and have %d constants; want 50 and none", changed, constants)
	}
}

// logOf returns ln of the product at a joint state. math.Log is wrong by up to .5 for numbers below
// 2^-1022 on some processors, so that it gets the fraction.
func logOf(m *model.Model, states []int) float64 {
	sum := 0.0
	for _, f := range m.Factors {
		x, e := math.Frexp(m.Value(f, states))
		sum += math.Log(x) + float64(e)*math.Ln2
	}
	return sum
}

// TestBalancedNot has networks whose numbers are left alone: ordinary ones, and CPDs.
func TestBalancedNot(t *testing.T) {
	for _, kind := range []model.Kind{model.Markov, model.Bayes} {
		m := &model.Model{Kind: kind}
		v := m.NewVar("a", "0", "1")
		f := &model.Factor{Scope: []model.VarID{v.ID}, Child: -1, Dist: &model.Table{Values: []float64{.25, .75}}}
		if m.Factors = []*model.Factor{f, f, f}; kind == model.Bayes {
			f.Child, m.Factors = 0, []*model.Factor{f}
			f.Dist = &model.Table{Values: []float64{1e-300, 1}}
		}
		if got, logarithm := m.Balanced(); got != m || logarithm != 0 {
			t.Errorf("%v: %v, and %v", kind, got.Factors, logarithm)
		}
	}
}

// TestBalancedTogether checks that many tables of one variable, whose product at every state is far
// below the smallest number, become one without loss.
func TestBalancedTogether(t *testing.T) {
	m := &model.Model{Kind: model.Markov}
	v := m.NewVar("a", "0", "1")
	for i := range 2000 {
		values := []float64{.5, .1}
		if i%2 == 1 {
			values = []float64{.1, .5}
		}
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v.ID}, Child: -1, Dist: &model.Table{Values: values}})
	}
	got, logarithm := m.Balanced()
	want := 1000 * math.Log(.05)
	for k := range 2 {
		if x := logOf(got, []int{k}) + logarithm; len(got.Factors) != 1 || !irtest.Near(x, want, 1e-12) {
			t.Errorf("%d factors, ln %v; want 1 and %v", len(got.Factors), x, want)
		}
	}
}
