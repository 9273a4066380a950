package mle_test

import (
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// moment returns the moments of values of one variable.
func moment(x ...float64) data.Moment {
	m := data.Moment{Weight: float64(len(x)), Mean: []float64{0}, Cross: []float64{0}}
	for _, v := range x {
		m.Mean[0] += v / float64(len(x))
	}
	for _, v := range x {
		m.Cross[0] += (v - m.Mean[0]) * (v - m.Mean[0])
	}
	return m
}

// The posterior of Koller and Friedman, exercise 17.11, is normal-gamma: with 1, 2 and 6, of mean 3
// and squares 14, a mean of 1 worth 2 rows becomes 11/5, and half of 14 and of 3 2/(3+2) (3-1)^2 is
// added to the scale. Its predictive density is the integral over means and precisions of the
// normal density, by a fine grid.
func TestNormalGamma(t *testing.T) {
	prior := mle.NormalGamma{Mean: 1, Strength: 2, Shape: 3, Scale: 4}
	x := moment(1, 2, 6)
	p := prior.Posterior(&x, &x)
	near(t, "mean", p.Mean, 11./5)
	near(t, "strength", p.Strength, 5)
	near(t, "shape", p.Shape, 4.5)
	near(t, "scale", p.Scale, 4+7+2.4)
	near(t, "variance", p.Variance(false), 13.4/3.5)
	near(t, "mode of the variance", p.Variance(true), 13.4/5.5)

	for _, v := range []float64{-3, 2.2, 9} {
		sum, mass := 0.0, 0.0
		for i := range 2000 {
			tau := (float64(i) + .5) / 800
			deviation := 1 / math.Sqrt(2*tau)
			for k := range 121 { // a trapezoid converges fast for a normal density
				mu := 1 + deviation*(float64(k)-60)/7
				w := math.Exp((3-1)*math.Log(tau)-4*tau-.5*2*tau*(mu-1)*(mu-1)) * math.Sqrt(2*tau) * deviation
				for _, seen := range []float64{1, 2, 6} {
					w *= math.Sqrt(tau) * math.Exp(-.5*tau*(seen-mu)*(seen-mu))
				}
				mass += w
				sum += w * math.Sqrt(tau/(2*math.Pi)) * math.Exp(-.5*tau*(v-mu)*(v-mu))
			}
		}
		irtest.CloseTo(t, p.Predictive().Prob(v), sum/mass, 1e-7)
	}
}

// With a shape so large that the precision is known, 4, the mean has the posterior of exercise
// 17.8, with precision 3*4 + 2*4, and a further row has the precision of exercise 17.9. With a
// known mean, the precision has the posterior of exercise 17.10.
func TestKnownHalf(t *testing.T) {
	prior := mle.NormalGamma{Mean: 1, Strength: 2, Shape: 4e12, Scale: 1e12}
	x := moment(1, 2, 6)
	p := prior.Posterior(&x, &x)
	near(t, "mean", p.Mean, 12./20*3+8./20*1)
	d := p.Predictive()
	irtest.CloseTo(t, d.Sigma*d.Sigma, 1./4+1./20, 1e-11)

	m := &model.Model{}
	v := m.NewReal("x").ID
	m.Factors = []*model.Factor{{Scope: []model.VarID{v}, Dist: &model.Gaussian{Mean: []float64{1}, Var: []float64{1}}}}
	e := estimator(t, m, mle.Options{FixedMean: []model.VarID{v}, NormalGamma: map[model.VarID]mle.NormalGamma{v: {Mean: 7, Strength: 2, Shape: 3, Scale: 4}}})
	got := e.Fit(mle.Counts{{x.Weight, x.Mean[0], x.Cross[0]}}, m).Factors[0].Gaussian()
	near(t, "fixed mean", got.Mean[0], 1)
	near(t, "variance", got.Var[0], (4+.5*(0+1+25))/(3+1.5-1)) // the mean of 1/precision
}

// A regression: the posterior by the normal equations in matrices of two by two, and the predictive
// scale by their inverse.
func TestNormalGammaRegression(t *testing.T) {
	prior := mle.NormalGamma{Mean: 2, Strength: 3, Shape: 2, Scale: 5}
	p := prior.Posterior(&line, &line)
	// Rows of (1, u) and x from the moments, and three pseudo-rows at the mean of u, 1.5, with its
	// variance 5/4 and x = 2, where u has no product with x.
	a, b, c := 4+3., 4*1.5+3*1.5, 5+4*1.5*1.5+3*(1.25+1.5*1.5)
	y, z, square := 4*4.25+3*2., 11.5+4*1.5*4.25+3*1.5*2, 26.75+4*4.25*4.25+3*2*2
	det := a*c - b*b
	intercept, slope := (c*y-b*z)/det, (a*z-b*y)/det
	near(t, "intercept", p.Mean, intercept)
	near(t, "slope", p.Coef[0], slope)
	near(t, "shape", p.Shape, 4)
	near(t, "scale", p.Scale, 5+.5*(square-intercept*y-slope*z))
	const u = 4.
	d := p.Predictive(u)
	near(t, "predictive mean", d.Mu, intercept+slope*u)
	near(t, "predictive scale", d.Sigma*d.Sigma, p.Scale/p.Shape*(1+(c-2*b*u+a*u*u)/det))
	near(t, "degrees of freedom", d.Nu, 8)
}

// Each row of a CPD has the prior, also a row without data. A parent that is constant has the
// coefficient 0.
func TestNormalGammaRows(t *testing.T) {
	m := &model.Model{}
	m.NewVar("d", "0", "1")
	m.NewReal("x")
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{0}, Dist: &model.Table{Values: []float64{.5, .5}}},
		{Scope: []model.VarID{0, 1}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0, 0}, Var: []float64{1, 1}}},
	}
	own := map[model.VarID]mle.NormalGamma{1: {Mean: 1, Strength: 2, Shape: 3, Scale: 4}}
	x := moment(1, 2, 6)
	n := mle.Counts{{3, 0}, {3, 3, x.Cross[0], 0, 0, 0}}
	for _, mode := range []bool{false, true} {
		e := estimator(t, m, mle.Options{NormalGamma: own, Mode: mode})
		got := e.Fit(n, m).Factors[1].Gaussian()
		irtest.Close(t, got.Mean, []float64{11. / 5, 1}, 1e-14)
		want := []float64{13.4 / 3.5, 4. / 2}
		if mode {
			want = []float64{13.4 / 5.5, 4. / 4}
		}
		irtest.Close(t, got.Var, want, 1e-14)
		if p := e.Posteriors(n); p[0] != nil || len(p[1]) != 2 || p[1][1].NormalGamma != own[1] {
			t.Errorf("posteriors %+v", p)
		}
	}
	constant := data.Moment{Weight: 3, Mean: []float64{5, 3}, Cross: []float64{0, 0, 14}}
	prior := own[1]
	p := prior.Posterior(&constant, &constant)
	near(t, "mean", p.Mean, 11./5)
	near(t, "predictive scale", p.Predictive(5).Sigma, math.Sqrt(13.4/4.5*(1+1./5)))
	none := data.Moment{Mean: []float64{0}, Cross: []float64{0}}
	if p := prior.Posterior(&none, &none); p.NormalGamma != prior {
		t.Errorf("without data the posterior is %+v", p.NormalGamma)
	}
	for v, c := range map[model.VarID]struct {
		prior mle.NormalGamma
		want  string
	}{
		0: {prior, `the CPD of "d" is not Gaussian, so that it has no normal-gamma prior`},
		1: {mle.NormalGamma{Strength: 1, Scale: 1}, `has the shape 0; want a number from 1e-30 to 1e+30`},
	} {
		if _, err := mle.New(m, mle.Options{NormalGamma: map[model.VarID]mle.NormalGamma{v: c.prior}}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v; want %s", err, c.want)
		}
	}
}
