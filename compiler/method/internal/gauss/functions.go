package gauss

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// FunctionNoise is the variance, in units of the prior variance, that stands for 0 in methods with
// precisions as numbers. Its inverse leaves half of the digits of a float64.
const FunctionNoise = 1e-8

// CheckFunctions warns that the linear functions of m get noise in a method with precisions as
// numbers, and refuses CPDs that are functions in some rows only.
func CheckFunctions(list *diag.List, m *model.Model, self diag.Option, by method.Peers) {
	var functions []model.VarID
	for _, v := range m.Reals() {
		f := m.CPD(v)
		if f == nil || f.Gaussian() == nil || !f.Gaussian().HasZeros() {
			continue
		}
		if slices.ContainsFunc(f.Gaussian().Var, func(x float64) bool { return x > 0 }) {
			list.Errorf(at(m, f), "variable %q has variance 0 in some rows and not in others: an observed value has a probability in the ones and a density in the others, which %v cannot compare; try %v, or %v with %v",
				m.Vars[v].Name, self, by(method.MixedGaussians), by(method.ForwardSamples), diag.Option{Name: "collapsed"})
			return
		}
		functions = append(functions, v)
	}
	if len(functions) > 0 {
		list.Warnf(at(m, m.CPD(functions[0])), "variable %q has variance 0, which no precision holds (%d such variables): %v gives it %g of its prior variance; %v is exact",
			m.Vars[functions[0]].Name, len(functions), self, FunctionNoise, by(method.MixedGaussians))
	}
}

// WithNoise returns m with FunctionNoise in place of variances of 0 of Gaussian CPDs, and whether
// there were any. m is not changed.
func WithNoise(m *model.Model) (with *model.Model, functions bool) {
	if !slices.ContainsFunc(m.Factors, func(f *model.Factor) bool { return f.Gaussian() != nil && f.Dist.HasZeros() }) {
		return m, false
	}
	_, scale := Units(m)
	copied := *m
	copied.Factors = slices.Clone(m.Factors)
	for i, f := range m.Factors {
		d := f.Gaussian()
		if d == nil || !d.HasZeros() {
			continue
		}
		s := scale[f.ChildVar()]
		noisy, g := *d, *f
		noisy.Var = slices.Clone(d.Var)
		for r, v := range noisy.Var {
			if v == 0 {
				noisy.Var[r] = FunctionNoise * s * s
			}
		}
		g.Dist = &noisy
		copied.Factors[i] = &g
	}
	return &copied, true
}

// at returns the place of a factor in the file of m.
func at(m *model.Model, f *model.Factor) diag.Pos {
	return diag.Pos{File: m.File, Line: f.Pos.Line, Col: f.Pos.Col}
}
