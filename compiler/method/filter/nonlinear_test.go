package filter_test

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/filter"
	"github.com/pgmc-go/pgmc/compiler/method/particle"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// nonlinear lists the nonlinear filters.
var nonlinear = map[string]method.Options{
	"ekf": filter.NewEKFOptions(), "ukf": filter.NewUKFOptions(), "ukf, wide": &filter.UKFOptions{Spread: 4},
	"ghf": filter.NewGHFOptions(), "ghf, 2": &filter.GHFOptions{Points: 2},
}

// filtered and smoothed return the marginals of each slice by a method.
func filtered(t *testing.T, m *model.Model, by method.Options, sequence []infer.Given) (out []*infer.Marginals) {
	t.Helper()
	e, err := infer.New(t.Context(), m, infer.Options{Method: by})
	if err != nil {
		t.Fatal(err)
	}
	f, err := e.Filter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, given := range sequence {
		one, err := f.Step(t.Context(), given)
		if err != nil {
			t.Fatalf("slice %d: %v", i, err)
		}
		out = append(out, one)
	}
	return out
}

func smoothed(t *testing.T, m *model.Model, by method.Options, sequence []infer.Given) (out []*infer.Marginals) {
	t.Helper()
	e, err := infer.New(t.Context(), m, infer.Options{Method: by})
	if err != nil {
		t.Fatal(err)
	}
	list, err := e.Smooth(t.Context(), sequence)
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		out = append(out, &list[i])
	}
	return out
}

// near compares numbers relative to 1 and their size.
func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*(1+math.Abs(want))) {
		t.Errorf("%s is %.12g; want %.12g", what, got, want)
	}
}

// disguised returns a template with the same distributions whose means are not linear in form: each
// parent x of a Gaussian CPD is max(x, x-1).
func disguised(t *testing.T, m *model.Model) *model.Model {
	t.Helper()
	out, next := *m, *m.Transition
	out.Transition = &next
	for _, list := range []*[]*model.Factor{&out.Factors, &next.Factors} {
		var factors []*model.Factor
		for _, f := range *list {
			mean, coef, variance := f.Gaussian().Row(0)
			text := fmt.Sprint(mean)
			for i, c := range coef {
				axis := i
				if i >= f.Child {
					axis++
				}
				text += fmt.Sprintf(" + %v*max(x%d, x%[2]d - 1)", c, axis)
			}
			nodes, err := model.ParseFunc(text, model.FuncNames{Axis: func(name string) (int, bool) {
				axis, err := strconv.Atoi(name[1:])
				return axis, err == nil
			}})
			if err != nil {
				t.Fatal(err)
			}
			g := *f
			g.Dist = &model.Func{Nodes: nodes, Var: []float64{variance}}
			factors = append(factors, &g)
		}
		*list = factors
	}
	return &out
}

// TestLinear compares each nonlinear filter and smoother with those of Kalman on random linear
// templates, whose means also have a form that is not linear.
func TestLinear(t *testing.T) {
	compared := 0
	for _, seed := range irtest.Cases(t, 6, 100) {
		m := irtest.RandomTemplate(seed, irtest.TemplateOptions{All: true, Givens: seed%2 == 1})
		var sequence []infer.Given
		of, _ := irtest.RandomSequence(m, 5, seed)
		for _, slice := range of {
			sequence = append(sequence, infer.Evidence(slice))
		}
		for _, run := range []func(*testing.T, *model.Model, method.Options, []infer.Given) []*infer.Marginals{filtered, smoothed} {
			want := run(t, m, filter.NewOptions(), sequence)
			for name, by := range nonlinear {
				for form, m := range map[string]*model.Model{"linear": m, "disguised": disguised(t, m)} {
					for i, got := range run(t, m, by, sequence) {
						what := fmt.Sprintf("%s, %s, seed %d, slice %d: ", name, form, seed, i)
						near(t, what+"ln P", got.LogProb, want[i].LogProb, 1e-9)
						for _, d := range want[i].List {
							for k, x := range d.Numbers() {
								near(t, what+d.Var, got.Of(d.Var).Numbers()[k], x, 1e-9)
								compared++
							}
						}
					}
				}
			}
		}
	}
	if compared == 0 {
		t.Error("nothing was compared")
	}
}

// function sets the distribution of a factor to normal with the mean of an expression.
func function(t *testing.T, m *model.Model, f *model.Factor, text string, variance float64) *model.Factor {
	t.Helper()
	nodes, err := model.ParseFunc(text, m.ScopeNames(f))
	if err != nil {
		t.Fatal(err)
	}
	f.Dist = &model.Func{Nodes: nodes, Var: []float64{variance}}
	return f
}

// curve returns a system x' = f(x), of which y = h(x) is seen. The expressions are of x.
func curve(t *testing.T, f, h string, noise float64) *model.Model {
	m := &model.Model{Name: "curve"}
	x, y := m.NewReal("x").ID, m.NewReal("y").ID
	sensor := function(t, m, &model.Factor{Scope: []model.VarID{x, y}, Child: 1}, h, .5)
	m.Factors = []*model.Factor{{Scope: []model.VarID{x}, Dist: &model.Gaussian{Mean: []float64{.5}, Var: []float64{1}}}, sensor}
	next := function(t, m, &model.Factor{Scope: []model.VarID{x}}, f, noise)
	next.Scope, next.Child = []model.VarID{2, x}, 1
	m.Transition = &model.Transition{Before: []model.VarID{x}, Factors: []*model.Factor{next, sensor}}
	return m
}

// curveOf is a function of one variable, with its derivative.
type curveOf func(x float64) (y, slope float64)

// tangent returns the mean and variance of g(x) and its covariance with x, of the tangent.
func tangent(g curveOf, mean, variance float64) (to, spread, cross float64) {
	y, slope := g(mean)
	return y, slope * slope * variance, slope * variance
}

// three returns the same from three points.
func three(g curveOf, mean, variance float64) (to, spread, cross float64) {
	z := math.Sqrt(3 * variance)
	low, _ := g(mean - z)
	mid, _ := g(mean)
	high, _ := g(mean + z)
	to = low/6 + 2*mid/3 + high/6
	return to, (low-to)*(low-to)/6 + 2*(mid-to)*(mid-to)/3 + (high-to)*(high-to)/6, z * (high - low) / 6
}

// TestGrowth compares filters with the recursions of the textbook in one dimension, for the model
// of growth of Netto, Gimeno and Mendes 1978 without its input. One variable's unscented points of
// spread 3 are those of Gauss and Hermite. Innovations are those of the same recursions.
func TestGrowth(t *testing.T) {
	m := curve(t, "x/2 + 5*x/(1 + x^2)", "x^2/4", .7)
	f := func(x float64) (y, slope float64) {
		d := 1 + x*x
		return x/2 + 5*x/d, .5 + 5/d - 10*x*x/(d*d)
	}
	h := func(x float64) (y, slope float64) { return x * x / 4, x / 2 }
	sequence := []infer.Given{infer.Evidence{"y": .4}, infer.Evidence{"y": 1.5}, nil, infer.Evidence{"y": 2.4}}
	for name, c := range map[string]struct {
		by   method.Options
		rule func(g curveOf, mean, variance float64) (to, spread, cross float64)
	}{
		"ekf": {filter.EKFOptions{}, tangent}, "ukf": {filter.UKFOptions{Spread: 3}, three}, "ghf": {filter.GHFOptions{Points: 3}, three},
	} {
		e, err := infer.New(t.Context(), m, infer.Options{Method: c.by})
		if err != nil {
			t.Fatal(err)
		}
		filter, err := e.Filter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		mean, variance, logP := .5, 1., 0.
		for i, given := range sequence {
			what := fmt.Sprintf("%s, slice %d: ", name, i)
			if i > 0 {
				mean, variance, _ = c.rule(f, mean, variance)
				variance += .7
			}
			if seen, ok := given.(infer.Evidence); ok {
				y, spread, cross := c.rule(h, mean, variance)
				spread += .5
				off := seen["y"].(float64) - y
				in, err := filter.Innovation(t.Context(), given)
				if err != nil {
					t.Fatal(what, err)
				}
				near(t, what+"residual", in.Residual[0], off, 1e-12)
				near(t, what+"variance of the residual", in.Cov[0][0], spread, 1e-12)
				near(t, what+"distance", in.Distance, off*off/spread, 1e-12)
				logP -= .5 * (off*off/spread + math.Log(2*math.Pi*spread))
				mean, variance = mean+cross/spread*off, variance-cross*cross/spread
			}
			got, err := filter.Step(t.Context(), given)
			if err != nil {
				t.Fatal(what, err)
			}
			near(t, what+"mean", got.Of("x").Mean, mean, 1e-12)
			near(t, what+"variance", got.Of("x").Variance, variance, 1e-12)
			near(t, what+"ln P", got.LogProb, logP, 1e-12)
		}
	}
}

// TestPolar compares moments of Cartesian coordinates with exact ones and, for the extended and the
// unscented filter, with those of the closed forms of their rules.
func TestPolar(t *testing.T) {
	m := &model.Model{Name: "polar"}
	r, a, x, y := m.NewReal("r").ID, m.NewReal("a").ID, m.NewReal("x").ID, m.NewReal("y").ID
	angle := math.Pi / 12
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{r}, Dist: &model.Gaussian{Mean: []float64{1}, Var: []float64{.0004}}},
		{Scope: []model.VarID{a}, Dist: &model.Gaussian{Mean: []float64{math.Pi / 2}, Var: []float64{angle * angle}}},
		function(t, m, &model.Factor{Scope: []model.VarID{r, a, x}, Child: 2}, "r*cos(a)", 0),
		function(t, m, &model.Factor{Scope: []model.VarID{r, a, y}, Child: 2}, "r*sin(a)", 0)}
	m.Transition = &model.Transition{Factors: m.Factors}
	for name, c := range map[string]struct {
		by    method.Options
		wants [3]float64 // the variance of x, and the mean and variance of y
	}{
		"ekf": {filter.EKFOptions{}, [3]float64{.0685389195, 1, .0004}},
		"ukf": {filter.UKFOptions{Spread: 3}, [3]float64{.0639682486, .9663137284, .0026695298}},
		"ghf": {filter.GHFOptions{Points: 12}, [3]float64{.0640744417, .9663110876, .0025684402}}, // exact
	} {
		for _, got := range filtered(t, m, c.by, make([]infer.Given, 2)) {
			near(t, name+": mean of x", got.Of("x").Mean, 0, 1e-9)
			near(t, name+": variance of x", got.Of("x").Variance, c.wants[0], 1e-10)
			near(t, name+": mean of y", got.Of("y").Mean, c.wants[1], 1e-10)
			near(t, name+": variance of y", got.Of("y").Variance, c.wants[2], 1e-10)
		}
	}
}

// TestParticles compares filters with many particles, for a system that is nearly linear.
func TestParticles(t *testing.T) {
	m := curve(t, "x + sin(x)/3", "x + x^2/20", .2)
	var sequence []infer.Given
	for _, y := range []float64{.4, 1.5, 1.1, 2.4, 2.9} {
		sequence = append(sequence, infer.Evidence{"y": y})
	}
	want := filtered(t, m, particle.Options{Particles: 400000, Seed: 1}, sequence)
	for name, by := range nonlinear {
		for i, got := range filtered(t, m, by, sequence) {
			what, x, exact := fmt.Sprintf("%s, slice %d: ", name, i), got.Of("x"), want[i].Of("x")
			if off := (x.Mean - exact.Mean) / math.Sqrt(exact.Variance); math.Abs(off) > .1 {
				t.Errorf("%smean is %v; want %v, within a tenth of the standard deviation", what, x.Mean, exact.Mean)
			}
			if ratio := x.Variance / exact.Variance; ratio < .9 || ratio > 1.1 {
				t.Errorf("%svariance is %v; want %v within a tenth", what, x.Variance, exact.Variance)
			}
			if off := got.LogProb - want[i].LogProb; math.Abs(off) > .1 {
				t.Errorf("%sln P is %v; want %v within .1", what, got.LogProb, want[i].LogProb)
			}
		}
	}
}

// TestNonlinearRefusals checks what the nonlinear filters say of what they do not take.
func TestNonlinearRefusals(t *testing.T) {
	plain := &model.Model{}
	plain.Factors = []*model.Factor{{Scope: []model.VarID{plain.NewReal("x").ID}, Dist: &model.Gaussian{Mean: []float64{0}, Var: []float64{1}}}}
	bent := curve(t, "x^2", "x", 1)
	wide := &model.Model{Transition: &model.Transition{}}
	all := &model.Factor{Child: 6}
	for k := range 6 {
		v := wide.NewReal(fmt.Sprintf("x%d", k)).ID
		all.Scope = append(all.Scope, v)
		wide.Factors = append(wide.Factors, &model.Factor{Scope: []model.VarID{v}, Dist: &model.Gaussian{Mean: []float64{0}, Var: []float64{1}}})
	}
	all.Scope = append(all.Scope, wide.NewReal("y").ID)
	wide.Factors = append(wide.Factors, function(t, wide, all, "sin(x0+x1+x2+x3+x4+x5)", 1))
	wide.Transition.Factors = wide.Factors
	for _, c := range []struct {
		m     *model.Model
		by    method.Options
		query string
		want  string
	}{
		{plain, filter.EKFOptions{}, "filter", "method ekf needs a network with a transition"},
		{bent, filter.UKFOptions{Spread: 3}, "viterbi", "method ukf does not answer viterbi; want filter, smooth or innovation"},
		{bent, filter.UKFOptions{Spread: -1}, "filter", "found spread -1; want a number above 0, and 1e6 at most"},
		{bent, filter.UKFOptions{Spread: math.NaN()}, "filter", "found spread NaN; want a number above 0"},
		{wide, filter.GHFOptions{Points: 5}, "filter", `the values of the mean of "y" at points of 6 variables take 7.5e+05 operations; limit: 50000`},
		{bent, filter.GHFOptions{Points: 1}, "filter", "found 1 points by variable; want 2 to 64"},
		{irtest.RandomTemplate(1, irtest.TemplateOptions{}), filter.EKFOptions{}, "filter", "method ekf needs real variables alone; found states of"},
	} {
		_, err := compiler.Compile(context.Background(), c.m, compiler.Options{Method: c.by, Queries: []string{c.query}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v; want %s", c.query, err, c.want)
		}
	}
}

// TestNegativeVariance checks a sum of squares of four variables, whose variance is 8. The weight
// of the mean in the rule of spread 3 is -1/3, which makes it -4: it is taken for 0.
func TestNegativeVariance(t *testing.T) {
	m := &model.Model{Name: "squares", Transition: &model.Transition{}}
	sum := &model.Factor{Child: 4}
	for k := range 4 {
		v := m.NewReal(fmt.Sprintf("x%d", k)).ID
		sum.Scope = append(sum.Scope, v)
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v}, Dist: &model.Gaussian{Mean: []float64{0}, Var: []float64{1}}})
	}
	sum.Scope = append(sum.Scope, m.NewReal("y").ID)
	m.Factors = append(m.Factors, function(t, m, sum, "x0^2 + x1^2 + x2^2 + x3^2", .1))
	m.Transition.Factors = m.Factors
	for _, c := range []struct {
		by       method.Options
		variance float64
	}{
		{filter.UKFOptions{Spread: 3}, .1}, {filter.GHFOptions{Points: 3}, 8.1},
	} {
		got := filtered(t, m, c.by, []infer.Given{nil})[0].Of("y")
		near(t, c.by.MethodName()+": mean", got.Mean, 4, 1e-12)
		near(t, c.by.MethodName()+": variance", got.Variance, c.variance, 1e-12)
	}
}
