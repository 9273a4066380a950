package edit_test

import (
	"math"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/model/edit"
)

// partial returns an influence diagram in which b=1 cannot be if a=0: the row of c is row.
func partial(row ...float64) *model.Model {
	m := &model.Model{Kind: model.Bayes}
	a, b, c := m.NewVar("a", "0", "1").ID, m.NewVar("b", "0", "1").ID, m.NewVar("c", "0", "1").ID
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{a}, Dist: &model.Table{Values: []float64{.5, .5}}},
		{Scope: []model.VarID{a, b}, Child: 1, Dist: &model.Table{Values: []float64{1, 0, .3, .7}}},
		{Scope: []model.VarID{a, b, c}, Child: 2, Dist: &model.Table{Values: slices.Concat([]float64{.2, .8}, row, []float64{.5, .5, .6, .4})}},
	}
	m.Diagram = &model.Diagram{}
	return m
}

// TestMissingRows leaves rows of zeros and undefined rows out of means, and keeps them if states
// change.
func TestMissingRows(t *testing.T) {
	same := func(got, want []float64) bool {
		return slices.EqualFunc(got, want, func(x, y float64) bool { return math.Abs(x-y) < 1e-14 || math.IsNaN(x) && math.IsNaN(y) })
	}
	for _, x := range []float64{0, math.NaN()} {
		m := partial(x, x)
		for _, c := range []struct {
			name    string
			m       *model.Model
			want    []float64
			invalid bool
		}{
			{"equal weights", done(t)(edit.RemoveEdge(m, 0, 2, nil, limit)), []float64{.35, .65, .6, .4}, false},
			{"marginal", done(t)(edit.RemoveEdge(m, 0, 2, []float64{.25, .75}, limit)), []float64{.425, .575, .6, .4}, false},
			{"missing rows have all weight", done(t)(edit.RemoveEdge(m, 0, 2, []float64{1, 0}, limit)), []float64{.2, .8, .6, .4}, false},
			{"variable", done(t)(edit.Remove(m, 0, nil, limit)), []float64{.35, .65, .6, .4}, false},
			{"new state", done(t)(edit.SetStates(m, 2, []edit.NewState{{"1", 1}, {"new", -1}, {"0", 0}}, limit)), []float64{.8, 0, .2, x, x, x, .5, 0, .5, .4, 0, .6}, false},
			{"less states", done(t)(edit.SetStates(m, 2, []edit.NewState{{"1", 1}}, limit)), []float64{1, x, 1, 1}, false},
			{"reached", done(t)(edit.RemoveEdge(m, 0, 1, nil, limit)), []float64{.2, .8, x, x, .5, .5, .6, .4}, true},
		} {
			got := values(t, c.m, "c")
			if !same(got, c.want) {
				t.Errorf("%s, rows of %v: got %v; want %v", c.name, x, got, c.want)
			}
			if _, list := c.m.NormalizeRows(model.RowsNormalize); list.HasErrors() != c.invalid {
				t.Errorf("%s, rows of %v: got %v", c.name, x, list.Err())
			}
		}
		all := partial(x, x)
		all.Factors[2].Dist = &model.Table{Values: []float64{.2, .8, x, x, .5, .5, x, x}}
		if got, want := values(t, done(t)(edit.RemoveEdge(all, 0, 2, nil, limit)), "c"), []float64{.35, .65, x, x}; !same(got, want) {
			t.Errorf("without any row: got %v; want %v", got, want)
		}
	}
}

// TestUndefinedGaussian leaves an undefined row out of a mean of Gaussian rows.
func TestUndefinedGaussian(t *testing.T) {
	m, nan := &model.Model{Kind: model.Bayes}, math.NaN()
	a, r := m.NewVar("a", "0", "1", "2").ID, m.NewVar("r").ID
	m.Vars[r].Domain = model.Real{}
	m.Factors = []*model.Factor{{Scope: []model.VarID{a}, Dist: &model.Table{Values: []float64{.2, .6, .2}}},
		{Scope: []model.VarID{a, r}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0, nan, 4}, Coef: []float64{}, Var: []float64{1, nan, 3}}}}
	d := done(t)(edit.RemoveEdge(m, a, r, []float64{.2, .6, .2}, limit)).CPD(r).Gaussian()
	irtest.Close(t, []float64{d.Mean[0], d.Var[0]}, []float64{2, 6}, 1e-14) // the means differ by 4, which adds 4 to the variance 2
}

// TestRestrictedEdge refuses to remove the edge of a restriction and of a revelation.
func TestRestrictedEdge(t *testing.T) {
	m := network()
	_, _, err := edit.RemoveEdge(m, id(t, m, "test"), id(t, m, "result"), nil, limit)
	if want := `"test" restricts or reveals "result"; want an edge between variables that do neither`; err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

// TestSoftmaxStates moves and removes states of a softmax CPD.
func TestSoftmaxStates(t *testing.T) {
	m := &model.Model{Kind: model.Bayes}
	a, r, s := m.NewVar("a", "y", "n").ID, m.NewVar("r").ID, m.NewVar("s", "p", "q", "t").ID
	m.Vars[r].Domain = model.Real{}
	m.Factors = []*model.Factor{{Scope: []model.VarID{a}, Dist: &model.Table{Values: []float64{.5, .5}}},
		{Scope: []model.VarID{r}, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{}, Var: []float64{1}}},
		{Scope: []model.VarID{a, r, s}, Child: 2, Dist: &model.Softmax{Bias: []float64{0, 1, 2, 3, 4, 5}, Coef: []float64{1, .5, -1, .25, 2, -2}}}}
	was := make([]float64, 3)
	for _, c := range []struct {
		list []edit.NewState // the others keep their proportions
	}{
		{[]edit.NewState{{"q", 1}, {"p", 0}, {"t", 2}}},
		{[]edit.NewState{{"t", 2}, {"q", 1}}},
		{[]edit.NewState{{"only", 1}}},
	} {
		d := done(t)(edit.SetStates(m, s, c.list, limit)).CPD(s).Dist.(*model.Softmax)
		for row := range 2 {
			m.CPD(s).Dist.(*model.Softmax).Logs(row, []float64{.7}, was)
			got, want, sum := make([]float64, len(c.list)), make([]float64, len(c.list)), 0.0
			d.Logs(row, []float64{.7}, got)
			for i, x := range c.list {
				want[i] = math.Exp(was[x.From])
				sum += want[i]
			}
			for i := range want {
				got[i], want[i] = math.Exp(got[i]), want[i]/sum
			}
			irtest.Close(t, got, want, 1e-14)
		}
	}
	_, _, err := edit.SetStates(m, s, []edit.NewState{{"p", 0}, {"q", 1}, {"t", 2}, {"new", -1}}, limit)
	if want := `the CPD of "s" is of kind softmax, which has no probability 0 for a new state; want a new variable`; err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}
