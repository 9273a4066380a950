package data

import (
	"math"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Regression is a least-squares fit of the last variable of a Moment to the others.
type Regression struct {
	Weight    float64   // of the rows
	Intercept float64   // the mean of the target if all others are 0
	Coef      []float64 // by predictor; 0 for a dropped one
	Residual  float64   // the weighted sum of squared residuals
	// Dropped lists the predictors that are constant or linear functions of earlier ones.
	Dropped []int
	LogDet  float64 // ln of the determinant of the cross products of the predictors that are not dropped
}

// collinear is the share of a predictor's variance that earlier ones must leave unexplained. Less
// is rounding: with normal equations, a few hundred roundings of the cross products.
const collinear = 1e-12

// Regress solves the normal equations by an LDL' factorisation, one predictor after the other.
// The weight of x must be positive.
func (x *Moment) Regress() *Regression {
	n := len(x.Mean) - 1
	r := &Regression{Weight: x.Weight, Coef: make([]float64, n)}
	l, d := make([]float64, len(x.Cross)), make([]float64, n+1) // unit lower triangle and pivots
	for i := range n + 1 {
		row := l[Packed(i, 0):]
		d[i] = x.Cross[Packed(i, i)]
		for j := range i {
			if d[j] == 0 {
				continue // dropped
			}
			sum := x.Cross[Packed(i, j)]
			for k := range j {
				sum -= float64(float64(row[k]*d[k]) * l[Packed(j, k)])
			}
			row[j] = sum / d[j]
			d[i] -= float64(sum * row[j])
		}
		if i < n && !(d[i] > collinear*x.Cross[Packed(i, i)]) {
			d[i] = 0
			r.Dropped = append(r.Dropped, i)
		} else if i < n {
			r.LogDet += pgmrt.Ln(d[i])
		}
	}
	r.Residual = max(0, d[n])
	r.solve(l, x.Mean)
	return r
}

// solve computes the coefficients from the triangle, with a last row that holds them before the
// substitution, and the intercept from the means.
func (r *Regression) solve(l, mean []float64) {
	n := len(r.Coef)
	copy(r.Coef, l[Packed(n, 0):Packed(n, n)])
	r.Intercept = mean[n]
	for j := n - 1; j >= 0; j-- {
		for k := range j {
			r.Coef[k] -= float64(r.Coef[j] * l[Packed(j, k)])
		}
		r.Intercept -= float64(r.Coef[j] * mean[j])
	}
}

// Parameters returns the number of fitted numbers of the mean: the intercept and the coefficients
// that are not dropped.
func (r *Regression) Parameters() float64 { return float64(1 + len(r.Coef) - len(r.Dropped)) }

// Variance returns the residual variance: the maximum likelihood estimate or, if unbiased is set,
// the estimate that divides by the weight less the number of fitted numbers of the mean. If there
// are no more rows than such numbers, residuals say nothing; the result then is at least fallback.
// It is never below least.
func (r *Regression) Variance(unbiased bool, fallback, least float64) float64 {
	rest := r.Weight - r.Parameters()
	switch {
	case rest <= 0:
		return max(r.Residual/r.Weight, fallback, least)
	case unbiased:
		return max(r.Residual/rest, least)
	}
	return max(r.Residual/r.Weight, least)
}

// LogLikelihood returns ln of the density of the targets in the rows under a variance.
func (r *Regression) LogLikelihood(variance float64) float64 {
	return -0.5 * (r.Weight*pgmrt.Ln(2*math.Pi*variance) + r.Residual/variance)
}

// Without returns the moments without variable i.
func (x *Moment) Without(i int) Moment {
	y := Moment{Weight: x.Weight}
	for j, mean := range x.Mean {
		if j == i {
			continue
		}
		y.Mean = append(y.Mean, mean)
		for k := range j + 1 {
			if k != i {
				y.Cross = append(y.Cross, x.Cross[Packed(j, k)])
			}
		}
	}
	return y
}

// Merge returns the moments of the rows of x and of y, which have no row in common (Chan, Golub and
// LeVeque 1983).
func (x *Moment) Merge(y *Moment) Moment {
	switch {
	case x.Weight == 0:
		return *y
	case y.Weight == 0:
		return *x
	}
	z := Moment{x.Weight + y.Weight, make([]float64, len(x.Mean)), make([]float64, len(x.Cross))}
	share := y.Weight / z.Weight
	for i := range z.Mean {
		apart := y.Mean[i] - x.Mean[i]
		z.Mean[i] = x.Mean[i] + float64(apart*share)
		for j := range i + 1 {
			at := Packed(i, j)
			z.Cross[at] = x.Cross[at] + y.Cross[at] + float64(float64(x.Weight*share)*float64(apart*(y.Mean[j]-x.Mean[j])))
		}
	}
	return z
}
