package verify

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// functionDigits is the largest relative difference between the value of a function and of its
// variable, which are both rounded.
const functionDigits = 1e-9

// logDensity returns ln of the product of the factors of a Bayesian network and of the soft
// evidence at the states and values of all variables, by VarID. A row of variance 0 contributes
// nothing if the variable has the value of its function up to rounding.
func logDensity(m *model.Model, f *infer.Findings, state []int, x []float64) (sum float64) {
	for v, soft := range f.Soft {
		switch {
		case soft == nil:
		case m.IsReal(model.VarID(v)):
			sum += model.Normal{Mean: soft[0], Var: soft[1]}.LogDensity(x[v], 0)
		default:
			sum += pgmrt.Ln(soft[state[v]])
		}
	}
	for _, cpd := range m.Factors {
		if mean, variance, size := conditional(m, cpd, state, x); variance == 0 && cpd.Gaussian() != nil {
			if math.Abs(x[cpd.ChildVar()]-mean) > functionDigits*size {
				return math.Inf(-1)
			}
			continue
		}
		sum += m.LogFactor(cpd, state, x)
	}
	return sum
}

// conditional returns the mean and the variance of a Gaussian CPD given its parents, and the sum of
// the sizes of the terms of the mean. They are 0 for other factors.
func conditional(m *model.Model, cpd *model.Factor, state []int, x []float64) (mean, variance, size float64) {
	d := cpd.Gaussian()
	if d == nil {
		return 0, 0, 0
	}
	discrete, parents := m.SplitParents(cpd)
	row := 0
	for _, p := range discrete {
		row = row*m.Card(p) + state[p]
	}
	mean, coef, variance := d.Row(row)
	size = math.Abs(mean)
	for k, p := range parents {
		mean += float64(coef[k] * x[p])
		size += math.Abs(coef[k] * x[p])
	}
	return mean, variance, size
}

// determined reports whether a variable that is a function of others is observed, and a real
// parent of it is not. The density of a completion then depends on the variables that it is a
// density of, and is not compared.
func determined(m *model.Model, f *infer.Findings) bool {
	return slices.ContainsFunc(m.Factors, func(cpd *model.Factor) bool {
		d := cpd.Gaussian()
		if d == nil || !d.HasZeros() || math.IsNaN(f.Value[cpd.ChildVar()]) {
			return false
		}
		_, parents := m.SplitParents(cpd)
		return slices.ContainsFunc(parents, func(p model.VarID) bool { return math.IsNaN(f.Value[p]) })
	})
}
