package em

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// setOf returns a set of columns of either kind.
func setOf(t *testing.T, vars []data.Var, rows [][]float64) *data.Set {
	t.Helper()
	s, err := data.NewReal(vars, rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// regressions returns a network of a hidden class c whose distribution depends on a given switch g,
// and of x, a regression on a given number u in each class, and rows of g, u and x, some without x.
func regressions(t *testing.T) (*model.Model, *data.Set) {
	t.Helper()
	m := &model.Model{Name: "regressions"}
	g, c, u, x := m.NewVar("g", "0", "1").ID, m.NewVar("c", "0", "1").ID, m.NewReal("u").ID, m.NewReal("x").ID
	m.Vars[g].Given, m.Vars[u].Given = true, true
	m.Factors = []*model.Factor{{Scope: []model.VarID{g, c}, Child: 1, Dist: &model.Table{Values: []float64{.7, .3, .4, .6}}},
		{Scope: []model.VarID{c, u, x}, Child: 2, Dist: &model.Gaussian{Mean: []float64{0, 3}, Coef: []float64{1, -1}, Var: []float64{1, 1}}}}
	r := rand.New(rand.NewPCG(1, 2))
	var rows [][]float64
	for range 60 {
		row := []float64{float64(r.IntN(2)), 2 * r.NormFloat64(), 0}
		if r.Float64() < .2+.5*row[0] {
			row[2] = 4 - row[1] + .7*r.NormFloat64()
		} else {
			row[2] = .5*row[1] + r.NormFloat64()
		}
		if r.IntN(8) == 0 {
			row[2] = math.NaN()
		}
		rows = append(rows, row)
	}
	return m, setOf(t, []data.Var{{Name: "g", States: []string{"0", "1"}}, {Name: "u", Real: true}, {Name: "x", Real: true}}, rows)
}

// mixtureLogP returns ln of the density of x given g and u in all rows, as a plain sum over c.
func mixtureLogP(m *model.Model, s *data.Set) (sum float64) {
	p := m.Factors[0].Dist.(*model.Table).Values
	d := m.Factors[1].Gaussian()
	state, value := make([]int, 4), make([]float64, 4)
	column := []int{0, -1, 1, 2}
	for row := range s.Len() {
		mle.States(s, row, column, state)
		mle.Values(s, row, column, value)
		if state[3] == data.Missing {
			continue
		}
		all := 0.0
		for c := range 2 {
			all += p[2*state[0]+c] * normal(value[3], d.Mean[c]+d.Coef[c]*value[2], d.Var[c])
		}
		sum += math.Log(all)
	}
	return sum
}

// TestGiven fits a mixture of regressions with given variables: the log-likelihood is that of a
// plain sum, and no change of a parameter makes it larger.
func TestGiven(t *testing.T) {
	m, s := regressions(t)
	fit := run(t, m, s, RunOptions{Tolerance: 1e-14, Steps: 5000}, 1)
	most := mixtureLogP(fit.Model, s)
	if start := fit.Starts[fit.Best]; math.Abs(start.LogP-most) > 1e-8 || most < mixtureLogP(m, s)+1 {
		t.Errorf("log-likelihood %v; want %v, above %v", start.LogP, most, mixtureLogP(m, s))
	}
	p, d := fit.Model.Factors[0].Dist.(*model.Table).Values, fit.Model.Factors[1].Gaussian()
	try := func(name string, change, undo func()) {
		change()
		if now := mixtureLogP(fit.Model, s); now > most+1e-9 {
			t.Errorf("%s: log-likelihood %v; want at most %v", name, now, most)
		}
		undo()
	}
	for _, step := range []float64{1e-3, -1e-3} {
		for g := range 2 {
			try("P(c | g)", func() { p[2*g], p[2*g+1] = p[2*g]+step, p[2*g+1]-step }, func() { p[2*g], p[2*g+1] = p[2*g]-step, p[2*g+1]+step })
		}
		for _, list := range [][]float64{d.Mean, d.Coef, d.Var} {
			for i := range list {
				try("x", func() { list[i] += step }, func() { list[i] -= step })
			}
		}
	}
}

// TestGivenStates compares expected counts of a program with those of listed completions, in a
// network of states with a given one.
func TestGivenStates(t *testing.T) {
	m := &model.Model{Name: "states"}
	g, c, y := m.NewVar("g", "0", "1", "2").ID, m.NewVar("c", "0", "1").ID, m.NewVar("y", "0", "1").ID
	m.Vars[g].Given = true
	m.Factors = []*model.Factor{{Scope: []model.VarID{g, c}, Child: 1, Dist: &model.Table{Values: []float64{.7, .3, .4, .6, .2, .8}}},
		{Scope: []model.VarID{g, c, y}, Child: 2, Dist: &model.Table{Values: []float64{.1, .9, .3, .7, .5, .5, .8, .2, .6, .4, .9, .1}}}}
	s := setOf(t, []data.Var{{Name: "g", States: []string{"0", "1", "2"}}, {Name: "y", States: []string{"0", "1"}}}, [][]float64{{0, 1}, {1, 0}, {2, 1}, {2, math.NaN()}})
	est, err := mle.New(m, mle.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var counts [2]mle.Counts
	var logs [2]float64
	for i, listed := range []int{0, maxListed} {
		x, err := newExpecter(t.Context(), m, est, s, []int{0, -1, 1}, limits{1, 0, listed})
		if err != nil {
			t.Fatal(err)
		}
		if counts[i], logs[i], err = x.expect(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	want := math.Log(.7*.9+.3*.7) + math.Log(.4*.5+.6*.8) + math.Log(.2*.4+.8*.1)
	for i, l := range logs {
		if math.Abs(l-want) > 1e-12 {
			t.Errorf("log-likelihood %v; want %v", l, want)
		}
		for f := range counts[i] {
			for k, x := range counts[i][f] {
				if math.Abs(x-counts[0][f][k]) > 1e-12 {
					t.Errorf("counts %v; want %v", counts[i], counts[0])
				}
			}
		}
	}
}

// TestSoftmax fits a network with a softmax CPD whose family is observed: it is that of a fit to
// the rows, and the rest is as without it.
func TestSoftmax(t *testing.T) {
	build := func(soft bool) *model.Model {
		m := &model.Model{Name: "soft"}
		c, x, a := m.NewVar("c", "0", "1").ID, m.NewReal("x").ID, m.NewVar("a", "0", "1").ID
		m.Factors = []*model.Factor{{Scope: []model.VarID{c}, Dist: &model.Table{Values: []float64{.5, .5}}},
			{Scope: []model.VarID{c, x}, Child: 1, Dist: &model.Gaussian{Mean: []float64{50, 80}, Var: []float64{100, 100}}}}
		if soft {
			m.Factors = slices.Insert(m.Factors, 1, &model.Factor{Scope: []model.VarID{x, a}, Child: 1, Dist: &model.Softmax{Bias: []float64{0, 0}, Coef: []float64{0, 0}}})
		} else {
			m.Vars[a].Given = true
		}
		return m
	}
	r := rand.New(rand.NewPCG(3, 4))
	var rows [][]float64
	for _, x := range faithful {
		a := 0.0
		if r.Float64() < 1/(1+math.Exp(-(x-70)/8)) {
			a = 1
		}
		rows = append(rows, []float64{x, a})
	}
	vars := []data.Var{{Name: "x", Real: true}, {Name: "a", States: []string{"0", "1"}}}
	s := setOf(t, vars, rows)
	with, without := run(t, build(true), s, RunOptions{}, 1), run(t, build(false), s, RunOptions{}, 1)
	soft, err := s.FitSoftmax(1, nil, []int{0}, mle.DefaultSoftmax)
	if err != nil {
		t.Fatal(err)
	}
	got := with.Model.Factors[1].Dist.(*model.Softmax)
	if !slices.Equal(got.Coef, soft.Coef) || !slices.Equal(got.Bias, soft.Bias) || with.Model.Vars[2].Given {
		t.Errorf("softmax %v; want %v", got, soft.Softmax)
	}
	if !slices.Equal(with.Model.Factors[2].Gaussian().Mean, without.Model.Factors[1].Gaussian().Mean) {
		t.Errorf("means %v; want %v", with.Model.Factors[2].Gaussian().Mean, without.Model.Factors[1].Gaussian().Mean)
	}
	a, b := with.Starts[with.Best], without.Starts[without.Best]
	if math.Abs(a.LogP-b.LogP-soft.LogLikelihood) > 1e-9 || with.Families[1] != soft.LogLikelihood {
		t.Errorf("log-likelihood %v, of families %v; want %v", a.LogP, with.Families, b.LogP+soft.LogLikelihood)
	}
	if with.params != without.params+2 {
		t.Errorf("%d parameters; want %d", with.params, without.params+2)
	}
}

// TestMissesGiven checks the errors of rows that miss a value that EM cannot do without.
func TestMissesGiven(t *testing.T) {
	m, _ := regressions(t)
	vars := []data.Var{{Name: "g", States: []string{"0", "1"}}, {Name: "u", Real: true}, {Name: "x", Real: true}}
	missing := math.NaN()
	soft := &model.Model{Name: "soft"}
	x, a := soft.NewReal("x").ID, soft.NewVar("g", "0", "1").ID
	soft.Factors = []*model.Factor{{Scope: []model.VarID{x}, Dist: &model.Gaussian{Mean: []float64{0}, Var: []float64{1}}},
		{Scope: []model.VarID{x, a}, Child: 1, Dist: &model.Softmax{Bias: []float64{0, 0}, Coef: []float64{0, 0}}}}
	for _, c := range []struct {
		m      *model.Model
		column []int
		row    []float64
		want   string
	}{
		{m, []int{0, -1, 1, 2}, []float64{0, missing, 1}, `row 2 misses a value of "u", and it is given; want a value in each row`},
		{m, []int{0, -1, -1, 2}, []float64{0, 0, 1}, `the data has no column "u", and it is given; want a value in each row`},
		{soft, []int{2, 0}, []float64{0, 0, missing}, `row 2 misses a value of "x", and the softmax CPD of "g" has no expectation in closed form without it; want a value in each row`},
	} {
		s := setOf(t, vars, [][]float64{{1, 1, 1}, c.row})
		if _, err := Run(context.Background(), c.m, s, c.column, RunOptions{}, &learner.Job{Cores: 1}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v; want %s", err, c.want)
		}
	}
}
