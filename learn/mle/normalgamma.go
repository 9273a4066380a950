package mle

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// NormalGamma is the distribution of the mean of a real variable and its precision, 1/variance, in
// a row of a Gaussian CPD: the precision has a Gamma distribution, and given the precision the mean
// is normal. The coefficients of real parents are normal around 0 as Strength rows make them, in
// which the parents have the means and variances of all rows.
type NormalGamma struct {
	Mean     float64 // the expected mean, at the means of the parents
	Strength float64 // the precision of the mean is Strength times the variable's: as many rows
	Shape    float64 // of the precision: half the number of rows with the belief in the variance
	Scale    float64 // half the sum of their squares; Shape / Scale is the expected precision
}

// Check returns an error unless the numbers are those of a distribution.
func (p *NormalGamma) Check() error {
	if !(math.Abs(p.Mean) <= model.MaxReal) {
		return fmt.Errorf("mean %v; want a number of at most %g", p.Mean, float64(model.MaxReal))
	}
	for _, x := range []struct {
		name  string
		value float64
	}{{"strength", p.Strength}, {"shape", p.Shape}, {"scale", p.Scale}} {
		if !(x.value >= 1/model.MaxReal && x.value <= model.MaxReal) {
			return fmt.Errorf("%s %v; want a number from %.3g to %g", x.name, x.value, 1/float64(model.MaxReal), float64(model.MaxReal))
		}
	}
	return nil
}

// Posterior is the distribution of the numbers of a row of a Gaussian CPD given data.
type Posterior struct {
	NormalGamma           // Mean is the intercept: the expected mean if all parents are 0
	Coef        []float64 // the expected coefficients, which are 0 for Dropped
	Dropped     []int     // the parents that are constant or linear functions of earlier ones
	rows        data.Moment
}

// Posterior returns the distribution given a row of data with moments x, of real parents and the
// variable. all holds the moments of all rows.
func (p *NormalGamma) Posterior(x, all *data.Moment) Posterior {
	n := len(x.Mean) - 1
	prior := data.Moment{Weight: p.Strength, Mean: make([]float64, n+1), Cross: make([]float64, len(x.Cross))}
	prior.Mean[n] = p.Mean
	for i := range n {
		if all.Weight > 0 {
			prior.Mean[i], prior.Cross[data.Packed(i, i)] = all.Mean[i], p.Strength*all.Cross[data.Packed(i, i)]/all.Weight
		}
	}
	rows := prior.Merge(x)
	r := rows.Regress()
	return Posterior{NormalGamma{r.Intercept, rows.Weight, p.Shape + x.Weight/2, p.Scale + r.Residual/2}, r.Coef, r.Dropped, rows}
}

// Variance returns the expected variance or, if mode is set or the expectation is infinite, the
// mode of its distribution.
func (p *NormalGamma) Variance(mode bool) float64 {
	if mode || p.Shape <= 1 {
		return p.Scale / (p.Shape + 1)
	}
	return p.Scale / (p.Shape - 1)
}

// Predictive returns the distribution of the variable in a further row, given its real parents:
// Student's t, to which the uncertainty of the mean, the coefficients and the variance gives wider
// tails than a normal distribution has.
func (p *Posterior) Predictive(parents ...float64) distuv.StudentsT {
	n := len(p.Coef)
	mean := p.Mean
	for i, x := range parents {
		mean += float64(p.Coef[i] * x)
	}
	// A further row that is 1 off the line leaves 1 / (1 + leverage) of its square unexplained.
	known := data.Moment{Weight: p.rows.Weight, Mean: slices.Clone(p.rows.Mean), Cross: slices.Clone(p.rows.Cross)}
	known.Mean[n] = 0
	for i := range n + 1 {
		known.Cross[data.Packed(n, i)] = 0
	}
	further := data.Moment{Weight: 1, Mean: append(slices.Clone(parents), 1), Cross: make([]float64, len(known.Cross))}
	known = known.Merge(&further)
	scale := p.Scale / p.Shape / known.Regress().Residual
	return distuv.StudentsT{Mu: mean, Sigma: math.Sqrt(scale), Nu: 2 * p.Shape}
}
