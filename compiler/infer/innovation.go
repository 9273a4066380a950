package infer

import (
	"context"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pgmc-go/pgmc/compiler/method/filter"
	"github.com/pgmc-go/pgmc/ir"
)

// Innovation compares the values that are observed in a slice with their prediction from the
// evidence on the slices before it.
type Innovation struct {
	Vars     []string    // the observed variables, in the order of the model
	Residual []float64   // the observed values less the predicted means
	Cov      [][]float64 // the covariances of the residuals
	// Distance is the normalised squared distance, Residual'·Cov⁻¹·Residual. If the model holds, it
	// has a chi-squared distribution with len(Vars) degrees of freedom. It is +Inf if a value
	// differs from one that is known exactly.
	Distance float64
}

// Limit returns the distance that a share of the measurements of a model does not exceed: the
// quantile of the chi-squared distribution with len(Vars) degrees of freedom. The share is above 0
// and below 1.
func (x *Innovation) Limit(share float64) float64 {
	if len(x.Vars) == 0 {
		return 0
	}
	return distuv.ChiSquared{K: float64(len(x.Vars))}.Quantile(share)
}

// Passes reports whether the distance is at most Limit(share): the gate of trackers, beyond which a
// measurement is taken for clutter or an outlier. A slice without a measurement passes.
func (x *Innovation) Passes(share float64) bool { return x.Distance <= x.Limit(share) }

// Innovation compares the evidence on the next slice with its prediction and leaves f as it is. All
// variables of the model must be real. A variable whose prediction has an infinite variance, since
// the evidence before does not determine a diffuse prior, is left out.
func (f *Filter) Innovation(ctx context.Context, given Given) (*Innovation, error) {
	found, err := f.e.own(given)
	if err != nil {
		return nil, err
	}
	name, in := ir.InnovationFirst, [][]float64(nil)
	if f.n > 0 {
		name, in = ir.InnovationNext, f.belief
	}
	p, m, err := f.e.slice(ctx, ir.Innovation, name, found, in)
	if err != nil {
		return nil, err
	}
	numbers, vars := outOf(p, m)[0], filter.Predicted(f.e.vars.m)
	at := func(i, j int) float64 { return numbers[len(vars)+max(i, j)*(max(i, j)+1)/2+min(i, j)] }
	out := &Innovation{}
	var seen []int
	for i, v := range vars {
		x := found.Value[v]
		if math.IsNaN(x) || math.IsInf(at(i, i), 1) {
			continue
		}
		seen = append(seen, i)
		out.Vars, out.Residual = append(out.Vars, f.e.vars.m.Vars[v].Name), append(out.Residual, x-numbers[i])
	}
	for _, i := range seen {
		var row []float64
		for _, j := range seen {
			row = append(row, at(i, j))
		}
		out.Cov = append(out.Cov, row)
	}
	out.Distance = distance(out.Residual, out.Cov)
	return out, nil
}

// leastSpread is the least variance of a residual given others, relative to its own, that is not
// rounding error.
const leastSpread = 1e-12

// distance returns x'·cov⁻¹·x by conditioning on one number after the other. A number that those
// before it determine adds nothing, or +Inf if it is not near 0.
func distance(x []float64, cov [][]float64) (sum float64) {
	n := len(x)
	left, c := make([]float64, n), make([][]float64, n)
	copy(left, x)
	for i := range n {
		c[i] = append([]float64(nil), cov[i]...)
	}
	for k := range n {
		spread := c[k][k]
		if spread <= leastSpread*cov[k][k] {
			if left[k]*left[k] > leastSpread*(cov[k][k]+x[k]*x[k]) {
				return math.Inf(1)
			}
			continue
		}
		sum += left[k] * left[k] / spread
		for i := k + 1; i < n; i++ {
			gain := c[i][k] / spread
			left[i] -= gain * left[k]
			for j := k + 1; j < n; j++ {
				c[i][j] -= gain * c[k][j]
			}
		}
	}
	return sum
}
