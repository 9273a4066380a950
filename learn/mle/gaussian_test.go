package mle_test

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// line is a regression of u = 0, 1, 2, 3 and x = 1, 3, 5, 8: the intercept is 0.8, the slope 2.3,
// and the residuals sum to 0.3.
var line = data.Moment{Weight: 4, Mean: []float64{1.5, 4.25}, Cross: []float64{5, 11.5, 26.75}}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-12*max(1, math.Abs(want))) {
		t.Errorf("%s: got %.15g; want %.15g", what, got, want)
	}
}

func TestGaussian(t *testing.T) {
	for _, c := range []struct {
		name            string
		o               mle.Gaussian
		mean, slope, va float64
	}{
		{"maximum likelihood", mle.Gaussian{}, 0.8, 2.3, 0.075},
		{"unbiased", mle.Gaussian{Unbiased: true}, 0.8, 2.3, 0.15},
		{"floor", mle.Gaussian{Least: 2}, 0.8, 2.3, 2},
		// Two pseudo-rows add half of the squares and none of the products: 7.5, 11.5 and 40.125.
		{"posterior mean", mle.Gaussian{Size: 2}, 4.25 - 1.5*11.5/7.5, 11.5 / 7.5, (40.125 - 11.5*11.5/7.5) / 4},
		{"posterior mode", mle.Gaussian{Size: 2, Mode: true}, 4.25 - 1.5*11.5/7.5, 11.5 / 7.5, (40.125 - 11.5*11.5/7.5) / 8},
	} {
		d, dropped := c.o.Fit([]data.Moment{line})
		near(t, c.name+", mean", d.Mean[0], c.mean)
		near(t, c.name+", slope", d.Coef[0], c.slope)
		near(t, c.name+", variance", d.Var[0], c.va)
		if dropped != 0 {
			t.Errorf("%s: dropped %d coefficients", c.name, dropped)
		}
	}
}

// TestGaussianRows fits rows without data, with one row of data, and with a constant parent.
func TestGaussianRows(t *testing.T) {
	none := data.Moment{Mean: []float64{0, 0}, Cross: []float64{0, 0, 0}}
	single := data.Moment{Weight: 1, Mean: []float64{2, 5}, Cross: []float64{0, 0, 0}}
	constant := data.Moment{Weight: 4, Mean: []float64{2, 5}, Cross: []float64{0, 0, 8}}
	d, dropped := mle.Gaussian{}.Fit([]data.Moment{line, none, single, constant})
	all := line.Merge(&single)
	all = all.Merge(&constant)
	pooled := all.Cross[2] / all.Weight
	for i, want := range [][3]float64{{0.8, 2.3, 0.075}, {all.Mean[1], 0, pooled}, {5, 0, pooled}, {5, 0, 2}} {
		near(t, "mean", d.Mean[i], want[0])
		near(t, "slope", d.Coef[i], want[1])
		near(t, "variance", d.Var[i], want[2])
	}
	if dropped != 2 {
		t.Errorf("dropped %d coefficients; want 2", dropped)
	}
	if d, _ := (mle.Gaussian{}).Fit([]data.Moment{{Weight: 4, Mean: []float64{3}, Cross: []float64{0}}}); d.Mean[0] != 3 || d.Var[0] != 0 {
		t.Errorf("a constant has mean %v and variance %v; want 3 and 0", d.Mean[0], d.Var[0])
	}
}

// TestGaussianPrior checks that a prior of one network is refused, and that priors of tables have
// their sizes a row.
func TestGaussianPrior(t *testing.T) {
	m := &model.Model{}
	m.NewVar("d", "0", "1")
	m.NewReal("x")
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{0}, Dist: &model.Table{Values: []float64{.5, .5}}},
		{Scope: []model.VarID{0, 1}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0, 0}, Var: []float64{1, 1}}},
	}
	s, err := data.NewReal(data.VarsOf(m), [][]float64{{0, 1}, {0, 2}, {0, 6}, {1, 4}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"bdeu", "pooled", "k2"} {
		e := estimator(t, m, mle.Options{Prior: prior(t, kind, 3)})
		n, _, err := e.Count(s, []int{0, 1})
		if err != nil {
			t.Fatal(err)
		}
		size := map[string]float64{"bdeu": 1.5, "pooled": 3, "k2": 1}[kind]
		want, _ := mle.Gaussian{Size: size}.Fit(data.NewMoments(s, 1).Of([]int{0}, []int{1}))
		got := e.Fit(n, m).Factors[1].Gaussian()
		for r := range want.Mean {
			near(t, kind+", mean", got.Mean[r], want.Mean[r])
			near(t, kind+", variance", got.Var[r], want.Var[r])
		}
	}
	if _, err := mle.New(m, mle.Options{Prior: mle.Prior{Kind: mle.BDe, Size: 1, Joint: func(vars []model.VarID) ([]float64, error) { return []float64{.5, .5}, nil }}}); err == nil {
		t.Error("the prior of a network is taken for a Gaussian CPD")
	}
}
