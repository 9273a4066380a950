package edit_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/model/edit"
)

// lagged returns a template of x, which depends on itself one and three slices ago by two latent
// copies. The copies stand before x if early is true.
func lagged(early bool) *model.Model {
	m := &model.Model{Kind: model.Bayes}
	names := []string{"x", "x[-1]", "x[-2]"}
	order := []int{0, 1, 2}
	if early {
		order = []int{2, 1, 0}
	}
	ids := make([]model.VarID, 3)
	for _, k := range order {
		v := m.NewVar(names[k], "g", "b")
		v.Latent, ids[k] = k > 0, v.ID
	}
	m.Transition = &model.Transition{Before: ids}
	ago := func(k int) model.VarID { return model.VarID(3 + k) }
	same := &model.Deterministic{States: []int32{0, 1}}
	for k, v := range ids {
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v}, Dist: &model.Table{Values: []float64{[]float64{.3, .6, .2}[k], []float64{.7, .4, .8}[k]}}})
		f := &model.Factor{Scope: []model.VarID{ago(0), ago(2), v}, Child: 2, Dist: &model.Table{Values: []float64{.9, .1, .5, .5, .4, .6, .15, .85}}}
		if k > 0 {
			f = &model.Factor{Scope: []model.VarID{ago(k - 1), v}, Child: 1, Dist: same}
		}
		m.Transition.Factors = append(m.Transition.Factors, f)
	}
	return m
}

// TestCopiesStates gives x other states, which its copies get as well: the sequence has the same
// distribution.
func TestCopiesStates(t *testing.T) {
	for _, early := range []bool{false, true} {
		m := lagged(early)
		x := id(t, m, "x")
		before := marginals(t, m.Unroll(4))
		got, effects, err := edit.SetStates(m, x, []edit.NewState{{"bad", 1}, {"good", 0}}, limit)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range effects {
			if strings.HasPrefix(e.Of, `CPD of "x[-`) && strings.HasSuffix(e.Of, "transition") {
				t.Errorf("an effect on the CPD of a copy, which stays the identity: %v", e)
			}
		}
		for name, list := range marginals(t, got.Unroll(4)) {
			irtest.Close(t, list, []float64{before[name][1], before[name][0]}, 1e-14)
		}
		more := done(t)(edit.SetStates(m, x, []edit.NewState{{"g", 0}, {"mid", -1}, {"b", 1}}, limit))
		for name, list := range marginals(t, more.Unroll(3)) {
			irtest.Close(t, list, []float64{before[name][0], 0, before[name][1]}, 1e-14)
		}
		renamed := done(t)(edit.SetStates(m, x, []edit.NewState{{"up", 0}, {"down", 1}}, limit))
		for _, v := range renamed.Vars {
			if !slices.Equal(renamed.States(v.ID), []string{"up", "down"}) {
				t.Errorf("%s has the states %v", v.Name, renamed.States(v.ID))
			}
		}
	}
}

// TestCopiesNames renames and removes a variable with copies, and one that has none.
func TestCopiesNames(t *testing.T) {
	m := lagged(true)
	x := id(t, m, "x")
	got := done(t)(edit.Rename(m, x, "y"))
	for k, want := range []string{"y[-2]", "y[-1]", "y"} {
		if got.Vars[k].Name != want {
			t.Errorf("variable %d is %q; want %q", k, got.Vars[k].Name, want)
		}
	}
	taken := done(t)(edit.Add(m, model.Var{Name: "z[-1]", Domain: model.Real{}}))
	if _, _, err := edit.Rename(taken, id(t, taken, "x"), "z"); err == nil || err.Error() != `there is a variable "z[-1]" already; want another name` {
		t.Errorf("got %v", err)
	}
	got, effects, err := edit.Remove(taken, id(t, taken, "x"), nil, limit)
	if err != nil || len(effects) != 0 || len(got.Vars) != 1 || len(got.Transition.Before) != 0 || len(got.Transition.Factors) != 1 {
		t.Errorf("got %v, effects %v", err, effects)
	}
	// A latent variable with another CPD is no copy.
	own := lagged(false)
	own.Transition.Factors[1].Dist = &model.Deterministic{States: []int32{1, 0}}
	if got := done(t)(edit.Rename(own, 0, "y")); got.Vars[1].Name != "x[-1]" {
		t.Errorf("the other variable is %q now", got.Vars[1].Name)
	}
	real := &model.Model{Kind: model.Bayes}
	for _, name := range []string{"r", "r[-1]"} {
		v := real.NewVar(name)
		v.Domain, v.Latent = model.Real{}, v.ID > 0
		real.Factors = append(real.Factors, &model.Factor{Scope: []model.VarID{v.ID}, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{}, Var: []float64{1}}})
	}
	real.Transition = &model.Transition{Before: []model.VarID{0, 1}, Factors: []*model.Factor{
		{Scope: []model.VarID{2, 3, 0}, Child: 2, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{.5, .25}, Var: []float64{1}}},
		{Scope: []model.VarID{2, 1}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{0}}}}}
	if got := done(t)(edit.Rename(real, 0, "q")); got.Vars[1].Name != "q[-1]" {
		t.Errorf("the copy is %q; want q[-1]", got.Vars[1].Name)
	}
	if got := done(t)(edit.Remove(real, 0, nil, limit)); len(got.Vars) != 0 {
		t.Errorf("%d variables stay", len(got.Vars))
	}
}
