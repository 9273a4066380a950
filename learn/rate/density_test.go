package rate_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// hybrid returns a network d -> x -> y with d -> y.
func hybrid() *model.Model {
	m := &model.Model{}
	d, x, y := m.NewVar("d", "0", "1"), m.NewReal("x"), m.NewReal("y")
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{d.ID}, Dist: &model.Table{Values: []float64{.3, .7}}},
		{Scope: []model.VarID{d.ID, x.ID}, Child: 1, Dist: &model.Gaussian{Mean: []float64{1, -1}, Var: []float64{.5, 2}}},
		{Scope: []model.VarID{d.ID, x.ID, y.ID}, Child: 2, Dist: &model.Gaussian{Mean: []float64{0, 3}, Coef: []float64{2, -1}, Var: []float64{.25, 1}}},
	}
	return m
}

// TestDensity scores complete rows, and rows that miss a state or a value, in closed form.
func TestDensity(t *testing.T) {
	normal := func(x, mean, variance float64) float64 {
		return distuv.Normal{Mu: mean, Sigma: math.Sqrt(variance)}.Prob(x)
	}
	whole := func(d int, x, y float64) float64 {
		if d == 0 {
			return .3 * normal(x, 1, .5) * normal(y, 2*x, .25)
		}
		return .7 * normal(x, -1, 2) * normal(y, 3-x, 1)
	}
	s, err := rate.NewScorer(hybrid(), rate.ScorerOptions{Keep: true})
	if err != nil {
		t.Fatal(err)
	}
	const none = data.Missing
	var want []float64
	for _, r := range []struct {
		states []int
		values []float64
		want   float64
	}{
		{[]int{0, 0, 0}, []float64{0, 1.5, 2}, whole(0, 1.5, 2)},
		{[]int{1, 0, 0}, []float64{0, 1.5, 2}, whole(1, 1.5, 2)},
		{[]int{none, 0, 0}, []float64{0, -.5, 2}, whole(0, -.5, 2) + whole(1, -.5, 2)},
		{[]int{none, none, 0}, []float64{0, 0, 2.5}, .3*normal(2.5, 2, 2.25) + .7*normal(2.5, 4, 3)},
		{[]int{1, 0, none}, []float64{0, .5, 0}, .7 * normal(.5, -1, 2)},
	} {
		if err := s.Add(context.Background(), diag.Pos{}, r.states, r.values, 1); err != nil {
			t.Fatal(err)
		}
		want = append(want, math.Log(r.want))
	}
	for i, got := range s.Logs() {
		if !(math.Abs(got-want[i]) <= 1e-12*max(1, math.Abs(want[i]))) {
			t.Errorf("row %d: %.15g; want %.15g", i, got, want[i])
		}
	}
}

// TestOpenForms scores rows under a network whose class is a mixture, and whose last two CPDs have
// no integral in closed form: a softmax function and an expression.
func TestOpenForms(t *testing.T) {
	m := hybrid()
	m.Vars[0].Latent = true
	a, z := m.NewVar("a", "no", "yes"), m.NewReal("z")
	m.Factors = append(m.Factors,
		&model.Factor{Scope: []model.VarID{2, a.ID}, Child: 1, Dist: &model.Softmax{Bias: []float64{0, 1}, Coef: []float64{0, -2}}},
		&model.Factor{Scope: []model.VarID{2, z.ID}, Child: 1, Dist: &model.Func{Nodes: []model.FuncNode{{Op: model.FuncVar}, {Op: model.FuncTanh}}, Var: []float64{.5}}})
	s, err := rate.NewScorer(m, rate.ScorerOptions{Keep: true})
	if err != nil {
		t.Fatal(err)
	}
	normal := func(x, mean, variance float64) float64 {
		return distuv.Normal{Mu: mean, Sigma: math.Sqrt(variance)}.Prob(x)
	}
	const none = data.Missing
	rest := normal(.7, math.Tanh(2), .5) / (1 + math.Exp(-(1 - 2*2)))
	want := []float64{
		math.Log((.3*normal(1.5, 1, .5)*normal(2, 3, .25) + .7*normal(1.5, -1, 2)*normal(2, 1.5, 1)) * rest),
		math.Log((.3*normal(2, 2, 2.25) + .7*normal(2, 4, 3)) * rest),
	}
	for _, states := range [][]int{{0, 0, 1, 0}, {none, 0, 1, 0}} {
		if err := s.Add(context.Background(), diag.Pos{}, states, []float64{1.5, 2, 0, .7}, 1); err != nil {
			t.Fatal(err)
		}
	}
	for i, got := range s.Logs() {
		if !(math.Abs(got-want[i]) <= 1e-12*max(1, math.Abs(want[i]))) {
			t.Errorf("row %d: %.15g; want %.15g", i, got, want[i])
		}
	}
	err = s.Add(context.Background(), diag.Pos{File: "f", Line: 3}, []int{0, none, 1, 0}, []float64{1.5, 0, 0, .7}, 1)
	if want := `f:3: this row misses a value of "y", and the CPD of "a" has no integral in closed form without it`; err == nil || err.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
}

// TestCRPS compares with the integral by which the score is defined.
func TestCRPS(t *testing.T) {
	for _, c := range [][3]float64{{0, 1, 0}, {2, .25, 3}, {-1, 4, -6}} {
		d := distuv.Normal{Mu: c[0], Sigma: math.Sqrt(c[1])}
		square := func(x float64) float64 { return x * x }
		want := quad.Fixed(func(x float64) float64 { return square(d.CDF(x)) }, c[0]-12*d.Sigma, c[2], 2000, quad.Legendre{}, 0) +
			quad.Fixed(func(x float64) float64 { return square(d.Survival(x)) }, c[2], c[0]+12*d.Sigma, 2000, quad.Legendre{}, 0)
		if got := rate.CRPS(c[:2], c[2]); math.Abs(got-want) > 1e-9 {
			t.Errorf("%v: %v; want %v", c, got, want)
		}
	}
	if got := rate.CRPS([]float64{3, 0}, 5); got != 2 {
		t.Errorf("without variance: %v; want the absolute error", got)
	}
	if low, high := rate.Interval([]float64{1, 4}, .95); math.Abs(low-(1-2*1.959963984540054)) > 1e-12 || math.Abs(high+low-2) > 1e-12 {
		t.Errorf("interval from %v to %v", low, high)
	}
}

// TestPIT checks that calibrated predictions fill the histogram evenly.
func TestPIT(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 5))
	v := rate.NewValues("x")
	for range 20000 {
		mean, sd := rng.NormFloat64(), 1+rng.Float64()
		v.Add([]float64{mean, sd * sd}, mean+sd*rng.NormFloat64(), 1)
	}
	r := v.Report()
	for k, share := range r.PIT {
		if math.Abs(share-.1) > .01 {
			t.Errorf("bin %d has %v of the rows; want about a tenth", k, share)
		}
	}
	if len(r.PIT) != 10 || r.CRPS == nil {
		t.Errorf("report %+v", r)
	}
}
