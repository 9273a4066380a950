package learn_test

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/em"
	"github.com/pgmc-go/pgmc/learn/hillclimb"
	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// The two data sets of R's bnlearn for real and mixed variables, and the structures in its manual
// that generated them.
const (
	gaussianTest   = "[A][B][E][G][C|A:B][D|B][F|A:D:E:G]"
	clgaussianTest = "[A][B][C][H][D|A:H][F|B:C][E|B:D][G|A:D:E:F]"
)

func gaussianRows(t *testing.T) *data.Set {
	return learnertest.Table(t, "bnlearn-gaussian.test.csv.gz", "A", "B", "C", "D", "E", "F", "G")
}

func clgaussianRows(t *testing.T) *data.Set {
	return learnertest.Table(t, "bnlearn-clgaussian.test.csv.gz", "D", "E", "G", "H")
}

// structure returns a model with the structure of a text such as "[A][B|A]", for fitting.
func structure(vars []data.Var, text string) *model.Model {
	m := &model.Model{}
	for _, v := range vars {
		if v.Real {
			m.NewReal(v.Name)
		} else {
			m.NewVar(v.Name, v.States...)
		}
	}
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == '[' || r == ']' }) {
		child, list, _ := strings.Cut(part, "|")
		var discrete, real []model.VarID
		for _, name := range strings.FieldsFunc(list, func(r rune) bool { return r == ':' }) {
			if v, _ := m.VarByName(name); m.IsReal(v.ID) {
				real = append(real, v.ID)
			} else {
				discrete = append(discrete, v.ID)
			}
		}
		v, _ := m.VarByName(child)
		f := &model.Factor{Scope: append(slices.Concat(discrete, real), v.ID), Child: len(discrete) + len(real)}
		rows, _ := m.TableSize(discrete)
		if m.IsReal(v.ID) {
			f.Dist = &model.Gaussian{Mean: make([]float64, rows), Coef: make([]float64, rows*len(real)), Var: slices.Repeat([]float64{1}, rows)}
		} else {
			card := m.Card(v.ID)
			f.Dist = &model.Table{Values: slices.Repeat([]float64{1 / float64(card)}, rows*card)}
		}
		m.Factors = append(m.Factors, f)
	}
	return m
}

// fitted fits a structure by maximum likelihood.
func fitted(t *testing.T, s *data.Set, text string, opt mle.Options) *learner.Result {
	t.Helper()
	r, err := learn.FitParameters(context.Background(), &learner.Job{Init: structure(s.Vars, text), Train: s, Cores: 1}, learn.ParameterOptions{RunOptions: em.RunOptions{Options: opt}})
	if err != nil {
		t.Fatal(err)
	}
	if list := r.Models[0].Check(); list.HasErrors() {
		t.Fatal(list.Err())
	}
	return r
}

// digits compares a number with one that R prints with seven digits.
func digits(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 6e-7*math.Abs(want)) {
		t.Errorf("%s: got %.9g; want %.7g", what, got, want)
	}
}

// TestGaussianParameters fits R's gaussian.test. Deviations are those of R, which divides by the
// degrees of freedom, and those of maximum likelihood.
func TestGaussianParameters(t *testing.T) {
	s := gaussianRows(t)
	r := fitted(t, s, gaussianTest, mle.Options{Unbiased: true}).Models[0]
	m := fitted(t, s, gaussianTest, mle.Options{})
	for name, want := range map[string][]float64{
		"A": {1.007493, 1.004233, 1.004132},
		"B": {2.039499, 3.034111, 3.033807},
		"C": {2.001083, 1.995901, 1.999108, 0.5089772, 0.5088245},
		"D": {5.995036, 1.498395, 0.3286672, 0.3286014},
		"E": {3.493906, 1.98986, 1.989661},
		"F": {-0.006047321, 1.994853, 1.005637, 1.002577, 1.494373, 0.9961475, 0.9956493},
		"G": {5.028076, 1.983631, 1.983432},
	} {
		v, _ := r.VarByName(name)
		d, biased := r.CPD(v.ID).Gaussian(), m.Models[0].CPD(v.ID).Gaussian()
		n := len(want) - 3
		digits(t, name, d.Mean[0], want[0])
		for k := range n {
			digits(t, name+" coefficient", d.Coef[k], want[1+k])
		}
		digits(t, name+" deviation", math.Sqrt(d.Var[0]), want[n+1])
		digits(t, name+" biased deviation", math.Sqrt(biased.Var[0]), want[n+2])
	}
	if math.Abs(m.Report.Total+53131.91515882) > 1e-8 || m.Report.Params != 21 {
		t.Errorf("log-likelihood %.9f with %d parameters; want -53131.91515882 and 21", m.Report.Total, m.Report.Params)
	}
	sum := 0.0
	x := make([]float64, len(s.Vars))
	for i := range s.Len() {
		for v := range x {
			x[v] = s.Real(v)[i]
		}
		sum += m.Models[0].LogDensity(make([]int, len(x)), x)
	}
	if math.Abs(sum-m.Report.Total) > 1e-7 {
		t.Errorf("the density of the rows is e^%v; the report says %v", sum, m.Report.Total)
	}
}

// TestMixedParameters fits R's clgaussian.test.
func TestMixedParameters(t *testing.T) {
	s := clgaussianRows(t)
	m := fitted(t, s, clgaussianTest, mle.Options{Unbiased: true}).Models[0]
	for name, want := range map[string][][]float64{ // by row: intercept, coefficients, deviation; F varies fastest
		"H": {{2.341019, 0.1214347}},
		"D": {{5.29193, 0.8817193, 0.5099208}, {10.04105, 0.9834474, 0.3073215}},
		"E": {{0.9953554, 2.351606, 0.5084347}, {4.34404, 1.151068, 0.9916523}, {7.919164, 0.6742652, 1.519139}},
		"G": {{4.949135, 2.252665, 1.002022, 0.05456809}, {3.485634, 2.989924, 1.003836, 0.2627261},
			{2.38471, 4.06643, 1.000199, 0.149463}, {2.14017, 5.806728, 1.001002, 0.3518296}},
	} {
		v, _ := m.VarByName(name)
		d := m.CPD(v.ID).Gaussian()
		for r, row := range want {
			mean, coef, variance := d.Row(r)
			digits(t, name, mean, row[0])
			for k, x := range coef {
				digits(t, name+" coefficient", x, row[1+k])
			}
			digits(t, name+" deviation", math.Sqrt(variance), row[len(row)-1])
		}
	}
	for name, want := range map[string][]float64{"A": {.0948, .9052}, "B": {.4098, .1882, .4020}, "C": {.2492, .2506, .3984, .1018}} {
		v, _ := m.VarByName(name)
		for k, p := range want {
			digits(t, name, m.CPD(v.ID).Dist.Numbers()[k], p)
		}
	}
}

// TestRegression regresses (Y|X) of pgmpy's table on X1 and X2. The tests of pgmpy want the numbers
// to a thousandth.
func TestRegression(t *testing.T) {
	s := learnertest.Columns(t, learnertest.Table(t, "pgmpy-gbn_values_1.csv.gz", "X1", "X2", "P_X", "(Y|X)"), "X1", "X2", "(Y|X)")
	x := data.NewMoments(s, 1).Of(nil, []int{0, 1, 2})[0]
	d, _ := mle.Gaussian{}.Fit([]data.Moment{x})
	for i, got := range []float64{d.Mean[0], d.Coef[0], d.Coef[1]} {
		if want := []float64{2.361152, 0.693147, 0.276383}[i]; !(math.Abs(got-want) <= 1e-3*want) {
			t.Errorf("number %d is %v; want %v", i, got, want)
		}
	}
}

// TestBNLearn checks that searches find the structures that generated R's data, up to equivalence.
func TestBNLearn(t *testing.T) {
	for _, c := range []struct {
		learner           string
		args              []string
		gaussian, mixed   bool // which data
		score, mixedScore string
	}{
		{"hillclimb", nil, true, true, "bic-g", "bic-cg"},
		{"hillclimb", []string{"-score", "bge"}, true, false, "bge", ""},
		{"hillclimb", []string{"-tabu", "10"}, true, true, "bic-g", "bic-cg"},
		{"hillclimb", []string{"-restarts", "10"}, true, true, "bic-g", "bic-cg"},
		{"exact", []string{"-score", "bic"}, true, true, "bic", "bic"},
		{"boss", nil, true, true, "bic-g", "bic-cg"},
		{"boss", []string{"-score", "bge"}, true, false, "bge", ""},
		{"ges", nil, true, false, "bic-g", ""},
		{"pc", nil, true, true, "bic-g", "bic-cg"},
		{"k2", []string{"-order", "G,E,B,A,D,F,C", "-score", "bic-g"}, true, false, "bic-g", ""},
		{"knownorder", []string{"-order", "H,C,B,A,D,F,E,G", "-max-parents", "4"}, false, true, "", "bic-cg"},
	} {
		if c.gaussian {
			finds(t, gaussianRows(t), gaussianTest, c.learner, c.score, c.args)
		}
		if c.mixed {
			finds(t, clgaussianRows(t), clgaussianTest, c.learner, c.mixedScore, c.args)
		}
	}
}

// finds checks that a learner finds a structure, or an equivalent one.
func finds(t *testing.T, s *data.Set, want, name, score string, args []string) {
	t.Helper()
	l, err := learn.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	r := learnertest.Learn(t, *l, &learner.Job{Train: s, Cores: 2}, args...)
	got, truth := graph.Of(data.Parents(r.Models[0], s.Vars)), graph.Of(data.Parents(structure(s.Vars, want), s.Vars))
	if !got.Equal(truth) {
		t.Errorf("%s %v: %s; want %s", name, args, learnertest.Parents(r), want)
	}
	if r.Report.Score != score {
		t.Errorf("%s %v: by score %s; want %s", name, args, r.Report.Score, score)
	}
}

// TestUpdateGaussians fits to rows in two parts: the counts that the model keeps give the numbers
// of all rows, after a round through a file.
func TestUpdateGaussians(t *testing.T) {
	s := clgaussianRows(t)
	var first, second []int
	for i := range s.Len() {
		if i%5 == 0 {
			first = append(first, i)
		} else {
			second = append(second, i)
		}
	}
	whole := fitted(t, s, clgaussianTest, mle.Options{}).Models[0]
	part := fitted(t, s.Subset(first), clgaussianTest, mle.Options{}).Models[0]
	path := filepath.Join(t.TempDir(), "part.json")
	if err := format.Write(compiler.Formats, path, "", part); err != nil {
		t.Fatal(err)
	}
	read, list := format.Read(compiler.Formats, path, "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	r, err := learn.FitParameters(context.Background(), &learner.Job{Init: read, Train: s.Subset(second), Cores: 1}, learn.ParameterOptions{Update: true})
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range whole.Factors {
		got := r.Models[0].Factors[i].Dist.Numbers()
		for k, x := range f.Dist.Numbers() {
			if !(math.Abs(got[k]-x) <= 1e-9*max(1, math.Abs(x))) {
				t.Errorf("%s, number %d: %v from two parts; want %v", whole.FactorName(f), k, got[k], x)
			}
		}
	}
}

// TestTiedGaussians ties two regressions: they have the numbers of their rows together.
func TestTiedGaussians(t *testing.T) {
	s := learnertest.Columns(t, gaussianRows(t), "B", "D")
	var vars []data.Var
	var rows [][]float64
	for _, name := range []string{"B1", "D1", "B2", "D2"} {
		vars = append(vars, data.Var{Name: name, Real: true})
	}
	for i := 0; i+1 < s.Len(); i += 2 {
		rows = append(rows, []float64{s.Real(0)[i], s.Real(1)[i], s.Real(0)[i+1], s.Real(1)[i+1]})
	}
	pairs, err := data.NewReal(vars, rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := fitted(t, pairs, "[B1][D1|B1][B2][D2|B2]", mle.Options{Tied: [][]model.VarID{{0, 2}, {1, 3}}}).Models[0]
	want := fitted(t, s, "[B][D|B]", mle.Options{}).Models[0]
	for i, f := range m.Factors {
		for k, x := range want.Factors[i%2].Dist.Numbers() {
			if got := f.Dist.Numbers()[k]; !(math.Abs(got-x) <= 1e-10) {
				t.Errorf("%s, number %d: %v; want %v", m.FactorName(f), k, got, x)
			}
		}
	}
}

// sampled draws rows of a network of real variables alone.
func sampled(tb testing.TB, m *model.Model, n int) *data.Set {
	tb.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	order := graph.Order(data.Parents(m, data.VarsOf(m)))
	rows := make([][]float64, n)
	for i := range rows {
		x := make([]float64, len(m.Vars))
		for _, v := range order {
			f := m.CPD(model.VarID(v))
			mean, coef, variance := f.Gaussian().Row(0)
			for k, u := range f.Parents() {
				mean += coef[k] * x[u]
			}
			x[v] = mean + math.Sqrt(variance)*rng.NormFloat64()
		}
		rows[i] = x
	}
	s, err := data.NewReal(data.VarsOf(m), rows, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// BenchmarkArth150 learns a network from 5,000 rows drawn from arth150, by bic.
func BenchmarkArth150(b *testing.B) {
	m, list := format.Read(compiler.Formats, filepath.Join(irtest.Shared(b), "data", "gauss", "arth150.json"), "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		b.Fatal(err)
	}
	s := sampled(b, m, 5000)
	for b.Loop() {
		r, err := learn.Fit(context.Background(), hillclimb.Options{}, &learner.Job{Train: s, Cores: 2})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(r.Report.Steps), "steps")
	}
}

// TestSoftmax fits a network in which a discrete variable has a discrete and a real parent. The
// log-likelihood of its softmax CPD is part of the report.
func TestSoftmax(t *testing.T) {
	s := clgaussianRows(t)
	m := &model.Model{}
	for _, v := range s.Vars {
		if v.Real {
			m.NewReal(v.Name)
		} else {
			m.NewVar(v.Name, v.States...)
		}
	}
	of := func(name string) model.VarID {
		v, _ := m.VarByName(name)
		return v.ID
	}
	for _, v := range m.Vars {
		f := &model.Factor{Scope: []model.VarID{v.ID}}
		switch {
		case m.IsReal(v.ID):
			f.Dist = &model.Gaussian{Mean: []float64{0}, Var: []float64{1}}
		case v.Name == "B":
			f.Scope, f.Child = []model.VarID{of("A"), of("D"), v.ID}, 2
			f.Dist = &model.Softmax{Bias: make([]float64, 6), Coef: make([]float64, 6)}
		default:
			n := m.Card(v.ID)
			f.Dist = &model.Table{Values: slices.Repeat([]float64{1 / float64(n)}, n)}
		}
		m.Factors = append(m.Factors, f)
	}
	r, err := learn.FitParameters(context.Background(), &learner.Job{Init: m, Train: s}, learn.ParameterOptions{RunOptions: em.RunOptions{Options: mle.Options{Softmax: .5}}})
	if err != nil {
		t.Fatal(err)
	}
	b := int(of("B"))
	want, err := s.FitSoftmax(b, []int{int(of("A"))}, []int{int(of("D"))}, .5)
	if err != nil {
		t.Fatal(err)
	}
	got := r.Models[0].Factors[b].Dist.(*model.Softmax)
	irtest.Close(t, got.Bias, want.Bias, 1e-12)
	irtest.Close(t, got.Coef, want.Coef, 1e-12)
	log, states, values := 0.0, make([]int, len(m.Vars)), make([]float64, len(m.Vars))
	for row := range s.Len() {
		s.Row(row, states)
		s.Values(row, values)
		logs := make([]float64, 3)
		got.Logs(states[of("A")], []float64{values[of("D")]}, logs)
		log += logs[states[b]]
	}
	irtest.CloseTo(t, r.Report.Families[b].Score, log, 1e-6)
}
