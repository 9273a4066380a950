package edit_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/model/edit"
)

// moments returns the mean and the variance of the Gaussian CPD f at a point.
func moments(m *model.Model, f *model.Factor, state []int, x []float64) (mean, variance float64) {
	d := f.Gaussian()
	discrete, _ := m.SplitParents(f)
	row := 0
	for _, v := range discrete {
		row = row*m.Card(v) + state[v]
	}
	return d.MeanAt(m, f, state, x), d.Var[row]
}

// without returns the moments at a point if the parent v is averaged out: a mixture over its states
// at values 0 of real parents, or its mean and variance in place of a value.
func without(m *model.Model, f *model.Factor, v model.VarID, weights []float64, state []int, x []float64) (mean, variance float64) {
	state, x = slices.Clone(state), slices.Clone(x)
	if m.IsReal(v) {
		x[v] = 0
		at0, _ := moments(m, f, state, x)
		x[v] = 1
		at1, variance := moments(m, f, state, x)
		coef := at1 - at0
		return at0 + coef*weights[0], variance + coef*coef*weights[1]
	}
	zero := make([]float64, len(x))
	square, middle := 0.0, 0.0
	for s, w := range weights {
		state[v] = s
		at, spread := moments(m, f, state, x)
		at0, _ := moments(m, f, state, zero)
		mean, variance = mean+w*at, variance+w*spread
		middle, square = middle+w*at0, square+w*at0*at0
	}
	return mean, variance + square - middle*middle
}

// TestHybrid adds and removes parents of Gaussian CPDs, and compares means and variances at random
// points with the definitions of the operations.
func TestHybrid(t *testing.T) {
	added, removed := 0, map[bool]int{}
	for seed := range uint64(200) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{})
		r := rand.New(rand.NewPCG(seed, 5))
		state, x := make([]int, len(m.Vars)), make([]float64, len(m.Vars))
		for v := range m.Vars {
			if x[v] = r.NormFloat64(); m.Card(model.VarID(v)) > 0 {
				state[v] = r.IntN(m.Card(model.VarID(v)))
			}
		}
		for _, f := range m.Factors {
			if f.Gaussian() == nil {
				continue
			}
			to := f.ChildVar()
			for _, from := range f.Parents() {
				weights := []float64{r.NormFloat64(), r.Float64()}
				if n := m.Card(from); n > 0 {
					weights = slices.Repeat([]float64{.5 / float64(n)}, n)
					weights[r.IntN(n)] += .5
				}
				got := done(t)(edit.RemoveEdge(m, from, to, weights, limit))
				mean, variance := without(m, f, from, weights, state, x)
				near(t, got, to, state, x, mean, variance)
				removed[m.IsReal(from)]++
			}
			if got, _, err := edit.AddEdge(m, model.VarID(r.IntN(len(m.Vars))), to, limit); err == nil {
				mean, variance := moments(m, f, state, x)
				near(t, got, to, state, x, mean, variance)
				added++
			}
		}
	}
	if added < 50 || removed[true] < 50 || removed[false] < 50 {
		t.Errorf("%d parents were added, and %v removed; want 50", added, removed)
	}
}

// near compares the moments of v, within the cancellation of large means.
func near(t *testing.T, m *model.Model, v model.VarID, state []int, x []float64, mean, variance float64) {
	t.Helper()
	gotMean, gotVar := moments(m, m.CPD(v), state, x)
	size := 1 + math.Abs(mean) + variance
	irtest.CloseTo(t, gotMean/size, mean/size, 1e-11)
	irtest.CloseTo(t, gotVar/size, variance/size, 1e-11)
}

// TestSoftmax makes a table a softmax CPD by a real parent, and a table again with the same
// numbers.
func TestSoftmax(t *testing.T) {
	m := irtest.Student()
	m = done(t)(edit.Add(m, model.Var{Name: "x", Domain: model.Real{}}))
	x, grade := id(t, m, "x"), id(t, m, "grade")
	soft := done(t)(edit.AddEdge(m, x, grade, limit))
	if kind := soft.CPD(grade).Dist.Kind(); kind != "softmax" {
		t.Errorf("the CPD is of kind %s", kind)
	}
	set := done(t)(edit.SetParameters(soft, grade, 1, is(t, m, "difficulty=d1"), []edit.Parameter{{Kind: model.Coefficient, Parent: x, Value: 2}}))
	back := done(t)(edit.RemoveEdge(set, x, grade, nil, limit)) // x is 0
	irtest.Close(t, values(t, back, "grade"), values(t, m, "grade"), 1e-14)
	shifted := done(t)(edit.RemoveEdge(set, x, grade, []float64{math.Log(3) / 2, 1}, limit))
	list, was := values(t, shifted, "grade"), values(t, m, "grade")
	irtest.Close(t, list[:3], was[:3], 1e-14) // intelligence i0, difficulty d0
	irtest.Close(t, list[6:9], was[6:9], 1e-14)
	for _, at := range []int{3, 9} { // of d1, the weight of state 1 is three times as large
		irtest.CloseTo(t, list[at+1]/list[at], 3*was[at+1]/was[at], 1e-13)
	}
}

// TestInStep changes a template of a sequence: its transition keeps the variables of the slice
// before that are named, in their order.
func TestInStep(t *testing.T) {
	m := &model.Model{Kind: model.Bayes}
	a, b := m.NewVar("a", "y", "n").ID, m.NewVar("b", "y", "n").ID
	half, rows := &model.Table{Values: []float64{.5, .5}}, &model.Table{Values: []float64{.9, .1, .2, .8}}
	m.Factors = []*model.Factor{{Scope: []model.VarID{a}, Dist: half}, {Scope: []model.VarID{a, b}, Child: 1, Dist: rows}}
	m.Transition = &model.Transition{Before: []model.VarID{a}, Factors: []*model.Factor{{Scope: []model.VarID{2, a}, Child: 1, Dist: rows}, {Scope: []model.VarID{a, b}, Child: 1, Dist: rows}}}
	both := done(t)(edit.InStep(m, func(step *model.Model) (*model.Model, []edit.Effect, error) {
		return edit.AddEdge(step, id(t, step, "b@-1"), a, limit)
	}))
	if !slices.Equal(both.Transition.Before, []model.VarID{a, b}) || !slices.Equal(both.Transition.Factors[0].Scope, []model.VarID{2, 3, a}) {
		t.Errorf("kept %v, scope %v", both.Transition.Before, both.Transition.Factors[0].Scope)
	}
	one := done(t)(edit.InStep(both, func(step *model.Model) (*model.Model, []edit.Effect, error) {
		return edit.RemoveEdge(step, id(t, step, "a@-1"), a, nil, limit)
	}))
	if !slices.Equal(one.Transition.Before, []model.VarID{b}) || !slices.Equal(one.Transition.Factors[0].Scope, []model.VarID{2, a}) {
		t.Errorf("kept %v, scope %v", one.Transition.Before, one.Transition.Factors[0].Scope)
	}
	list, _ := one.Transition.Factors[0].Table()
	irtest.Close(t, list, []float64{.55, .45, .55, .45}, 1e-14)
	less := done(t)(edit.Remove(both, a, nil, limit)) // b follows from b before
	if len(less.Vars) != 1 || !slices.Equal(less.Transition.Before, []model.VarID{0}) {
		t.Errorf("%d variables, kept %v", len(less.Vars), less.Transition.Before)
	}
}

// TestRemoveDecision removes a decision: utilities are means over its choices.
func TestRemoveDecision(t *testing.T) {
	m := &model.Model{Kind: model.Bayes}
	d, x := m.NewVar("d", "y", "n"), m.NewVar("x", "y", "n")
	d.Given = true
	m.Factors = []*model.Factor{{Scope: []model.VarID{x.ID}, Dist: &model.Table{Values: []float64{.5, .5}}}}
	m.Diagram = &model.Diagram{Decisions: []*model.Decision{{Var: d.ID, Known: []model.VarID{x.ID}}},
		Utilities: []*model.Utility{{Name: "u", Scope: []model.VarID{d.ID, x.ID}, Values: []float64{1, 2, 3, 6}}}}
	got := done(t)(edit.Remove(m, d.ID, nil, limit))
	if u := got.Diagram.Utilities[0]; !slices.Equal(u.Values, []float64{2, 4}) || !slices.Equal(u.Scope, []model.VarID{0}) || len(got.Diagram.Decisions) != 0 {
		t.Errorf("got %+v and %d decisions", u, len(got.Diagram.Decisions))
	}
	more := done(t)(edit.SetStates(m, d.ID, []edit.NewState{{"n", 1}, {"y", 0}, {"later", -1}}, limit))
	if u := more.Diagram.Utilities[0]; !slices.Equal(u.Values, []float64{3, 6, 1, 2, 0, 0}) {
		t.Errorf("got %v", u.Values)
	}
}
