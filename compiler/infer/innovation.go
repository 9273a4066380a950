package infer

import (
	"context"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pgmc-go/pgmc/compiler/method/filter"
	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
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
// variables of the model must be real. A variable with a prediction of infinite variance, since the
// evidence before does not determine a diffuse prior, is left out.
func (f *Filter) Innovation(ctx context.Context, given Given) (*Innovation, error) {
	found, err := f.e.own(given)
	if err != nil {
		return nil, err
	}
	p, m, err := f.e.slice(ctx, sliceEntries{ir.Innovation, ir.InnovationFirst, ir.InnovationNext}, f.n, found, f.belief)
	if err != nil {
		return nil, err
	}
	vars := filter.Predicted(f.e.vars.m)
	n := len(vars)
	x, seen, cov := make([]float64, n), make([]bool, n), make([]float64, n*n)
	moments := outOf(p, m)[0]
	for i, v := range vars {
		x[i] = found.Value[v]
		if period := f.e.vars.m.Period(v); period != 0 {
			x[i] = pgmrt.NearestTo(moments[i], x[i], period)
		}
		seen[i] = !math.IsNaN(x[i])
	}
	out := &Innovation{Distance: pgmrt.Innovation(moments, seen, x, cov, make([]float64, n+n*n))}
	for i, v := range vars {
		if !seen[i] {
			continue
		}
		out.Vars, out.Residual = append(out.Vars, f.e.vars.m.Vars[v].Name), append(out.Residual, x[i])
		var row []float64
		for j := range vars {
			if seen[j] {
				row = append(row, cov[n*i+j])
			}
		}
		out.Cov = append(out.Cov, row)
	}
	return out, nil
}
