package ep_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/method/ep"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// softmaxModel returns A with P(a1 | x) = 1/(1+exp(c1 x + c0)), X standard normal.
func softmaxModel(c1, c0 float64) *model.Model {
	b := newBuilder()
	x := b.normal("X", &model.Gaussian{Mean: []float64{0}, Var: []float64{1}})
	a := b.NewVar("A", "a0", "a1").ID
	b.add(&model.Softmax{Bias: []float64{c0, 0}, Coef: []float64{c1, 0}}, x, a)
	return b.Model
}

// TestSoftmax checks example 14.20 of Koller and Friedman, with numbers by numeric integration, and
// those of a rule of ten points.
func TestSoftmax(t *testing.T) {
	for _, c := range []struct {
		opt  ep.Options
		want [3][2]float64 // Z, mean, variance of a1
		tol  float64
	}{
		{ep.Options{}, [3][2]float64{{.5752425, .4247575}, {-.5166985, .6997569}, {.6555487, .6152620}}, 2e-4},
		{ep.Options{Rule: "hermite", Points: 64}, [3][2]float64{{.5752425, .4247575}, {-.5166985, .6997569}, {.6555487, .6152620}}, 1e-6},
		{ep.Options{Rule: "hermite", Points: 10}, [3][2]float64{{1 - .4250322, .4250322}, {0, .6997759}, {0, .6131218}}, 1e-7},
	} {
		c.opt.Tolerance = 1e-12
		s := compile(t, softmaxModel(-2, .5), c.opt)
		of, _, _ := s.answers(brute.HybridEvidence{})
		s.near(of, "A", c.tol, c.want[0][:]...)
		for state := range 2 {
			of, mc, r := s.answers(brute.HybridEvidence{States: map[model.VarID]int{1: state}})
			if c.want[1][state] != 0 {
				s.near(of, "X", c.tol, c.want[1][state], c.want[2][state])
			}
			if got := math.Exp(mc.LogP()); math.Abs(got-c.want[0][state]) > c.tol || r.Status != pgmrt.Converged || s.improper(mc) != 0 {
				t.Errorf("P(a%d) is %v; want %v; %+v", state, got, c.want[0][state], r)
			}
		}
	}
}

// TestSoftmaxTotal checks example 14.20 for rules that are exact to degree 2: the states' weights,
// first and second moments add up to those of the prior, whatever the rule makes of each.
func TestSoftmaxTotal(t *testing.T) {
	for _, opt := range []ep.Options{{Rule: "hermite", Points: 2}, {Rule: "hermite", Points: 5}, {Rule: "unscented", Spread: 3}, {Rule: "precision5"}} {
		s := compile(t, softmaxModel(-2, .5), opt)
		var weight, first, second float64
		for state := range 2 {
			of, mc, _ := s.answers(brute.HybridEvidence{States: map[model.VarID]int{1: state}})
			p, x := math.Exp(mc.LogP()), of["X"]
			weight, first, second = weight+p, first+p*x[0], second+p*(x[1]+x[0]*x[0])
		}
		if math.Abs(weight-1) > 1e-9 || math.Abs(first) > 1e-9 || math.Abs(second-1) > 1e-9 {
			t.Errorf("%s: weights %v, first moments %v, second moments %v; want 1, 0 and 1", opt.Rule, weight, first, second)
		}
	}
}

// TestExpression checks moments of expressions: examples 14.11 to 14.15 of Koller and Friedman.
func TestExpression(t *testing.T) {
	plane := func(mean1, mean2, variance float64, text string) *model.Model {
		b := newBuilder()
		x := b.normal("X", &model.Gaussian{Mean: []float64{mean1}, Var: []float64{variance}})
		y := b.normal("Y", &model.Gaussian{Mean: []float64{mean2}, Var: []float64{variance}})
		b.function(t, "F", text, []float64{0}, x, y)
		return b.Model
	}
	power := func(n int) *model.Model {
		b := newBuilder()
		x := b.normal("X", &model.Gaussian{Mean: []float64{0}, Var: []float64{1}})
		b.function(t, "F", fmt.Sprint("X^", n), []float64{0}, x)
		return b.Model
	}
	square := func() *model.Model { return power(2) }
	const distance = "sqrt(X^2 + Y^2)"
	for _, c := range []struct {
		name           string
		m              *model.Model
		opt            ep.Options
		mean, variance float64
		tol            float64
		improper       int
	}{
		{"square, 2 points", square(), ep.Options{Rule: "hermite", Points: 2}, 1, 0, 1e-7, 0},
		{"square, 3 points", square(), ep.Options{Rule: "hermite", Points: 3}, 1, 2, 1e-7, 0},
		{"square, unscented 3", square(), ep.Options{Rule: "unscented", Spread: 3}, 1, 2, 1e-7, 0},
		{"square, unscented 2", square(), ep.Options{Rule: "unscented", Spread: 2}, 1, 1, 1e-7, 0},
		{"square, unscented .5", square(), ep.Options{Rule: "unscented", Spread: .5}, 1, 0, 1e-7, 1},
		{"square, taylor", square(), ep.Options{Rule: "taylor"}, 0, 0, 1e-7, 0},
		{"Rayleigh, unscented 3", plane(0, 0, 4, distance), ep.Options{Rule: "unscented", Spread: 3}, 2.309401, 2.666667, 1e-6, 0},
		{"Rayleigh, unscented 2", plane(0, 0, 4, distance), ep.Options{Rule: "unscented", Spread: 2}, 4 / math.Sqrt2, 0, 1e-6, 0},
		{"Rayleigh, unscented 1", plane(0, 0, 4, distance), ep.Options{Rule: "unscented", Spread: 1}, 4, 0, 1e-6, 1},
		{"Rayleigh", plane(0, 0, 4, distance), ep.Options{}, 2 * math.Sqrt(math.Pi/2), 4 * (2 - math.Pi/2), 1e-6, 0},
		{"product", plane(1, -2, .25, "X^2*Y"), ep.Options{}, -2 * 1.25, 4*(.25*4+2*.0625) + .25*1.25*1.25 + .25*(.25*4+2*.0625), 1e-6, 0},
		{"range", plane(3, 4, .5, distance), ep.Options{}, 5.050258, .494894, 1e-6, 0},
		{"Rayleigh, precision 5", plane(0, 0, 4, distance), ep.Options{Rule: "precision5"}, 2.083932, 3.657228, 1e-6, 0},
		{"range, hermite 20", plane(3, 4, .5, distance), ep.Options{Rule: "hermite", Points: 20}, 5.050258, .494894, 1e-6, 0},
		{"range, taylor", plane(3, 4, .5, distance), ep.Options{Rule: "taylor"}, 5, .5, 1e-7, 0},
		{"range, unscented 2", plane(3, 4, .5, distance), ep.Options{Rule: "unscented", Spread: 2}, 5.050646, .490978, 1e-6, 0},
		{"range, unscented 3", plane(3, 4, .5, distance), ep.Options{Rule: "unscented", Spread: 3}, 5.050964, .487766, 1e-6, 0},
		{"polynomial of degree 4", plane(1, 0, .25, "X + sqrt(2)*X*Y"), ep.Options{Rule: "precision5"}, 1, .25 + 2*.25*1.25, 1e-7, 0},
		{"fourth power, 3 points", power(4), ep.Options{Rule: "hermite", Points: 3}, 3, 18, 1e-7, 0},
		{"fourth power, 5 points", power(4), ep.Options{Rule: "hermite", Points: 5}, 3, 96, 1e-7, 0},
		{"linear, taylor", plane(1, 2, .25, "3 + X - 2*Y"), ep.Options{Rule: "taylor"}, 0, 1.25, 1e-7, 0},
		{"linear, unscented", plane(1, 2, .25, "3 + X - 2*Y"), ep.Options{Rule: "unscented", Spread: .7}, 0, 1.25, 1e-7, 0},
	} {
		s := compile(t, c.m, c.opt)
		of, mc, r := s.answers(brute.HybridEvidence{})
		want := pgmrt.Converged
		if c.improper > 0 {
			want = pgmrt.Incomplete
		}
		if r.Status != want || s.improper(mc) != c.improper {
			t.Errorf("%s: %+v, %d improper; want %d", c.name, r, s.improper(mc), c.improper)
		}
		if got := of["F"]; math.Abs(got[0]-c.mean) > c.tol || math.Abs(got[1]-c.variance) > c.tol {
			t.Errorf("%s: %v; want %v, %v", c.name, got, c.mean, c.variance)
		}
	}
}

// TestReducedDimension observes an expression of one of two correlated variables. The first pass
// linearises it in that variable alone, and the other one follows from their covariance (example
// 14.9 of Koller and Friedman): F = X + X^2 has mean 1, variance 3 and covariance 1 with X.
func TestReducedDimension(t *testing.T) {
	b := newBuilder()
	x := b.normal("X", &model.Gaussian{Mean: []float64{0}, Var: []float64{1}})
	b.normal("Z", &model.Gaussian{Mean: []float64{0}, Coef: []float64{2}, Var: []float64{1}}, x)
	f := b.function(t, "F", "X + X^2", []float64{.5}, x)
	s := compile(t, b.Model, ep.Options{Rule: "hermite", Points: 3, Iterations: 1})
	of, _, _ := s.answers(brute.HybridEvidence{Reals: map[model.VarID]float64{f: 2.4}})
	s.near(of, "X", 1e-7, 1.4/3.5, 1-1/3.5)
	s.near(of, "Z", 1e-7, 2*1.4/3.5, 5-4/3.5)
}

// TestLinearExpression compares a network of linear expressions, each rule, with the same network
// of Gaussian CPDs.
func TestLinearExpression(t *testing.T) {
	make := func(function bool) *model.Model {
		b := newBuilder()
		d := b.binary("D", .3)
		x := b.normal("X", &model.Gaussian{Mean: []float64{1, -2}, Var: []float64{1, 2}}, d)
		y := b.normal("Y", &model.Gaussian{Mean: []float64{0}, Coef: []float64{.5}, Var: []float64{3}}, x)
		if function {
			b.function(t, "Z", `if(D = "D0", 2*X - Y, 1 + X)`, []float64{.5, .7}, d, x, y)
		} else {
			b.normal("Z", &model.Gaussian{Mean: []float64{0, 1}, Coef: []float64{2, -1, 1, 0}, Var: []float64{.5, .7}}, d, x, y)
		}
		return b.Model
	}
	for _, rule := range []string{"auto", "hermite", "unscented", "precision5", "taylor"} {
		for _, e := range []brute.HybridEvidence{{}, {Reals: map[model.VarID]float64{3: 2.5}}, {Reals: map[model.VarID]float64{1: .5, 3: 2.5}}} {
			s := compile(t, make(true), ep.Options{Rule: rule, Tolerance: 1e-13})
			of, mc, _ := s.answers(e)
			want, err := brute.NewHybrid(make(false), e)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(mc.LogP()-want.LogDensity) > 1e-9 {
				t.Errorf("%s: ln p %v; want %v", rule, mc.LogP(), want.LogDensity)
			}
			s.near(of, "D", 1e-9, want.Posterior(0)...)
			for v := model.VarID(1); v < 4; v++ {
				mean, variance := want.Moments(v)
				s.near(of, s.m.Vars[v].Name, 1e-9, mean, variance)
			}
		}
	}
}
