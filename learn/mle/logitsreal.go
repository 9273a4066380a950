package mle

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Coordinates of a row of a Gaussian CPD are, in units of the marginal distributions of its
// variables: the mean at the means of the parents, relative to the mean of the child; the
// coefficients; and ln of the variance. If means are fixed, only the last. They need
// Options.Marginals.

// units returns the deviation of the child of a group, and the deviations of its parents over it.
func (e *Estimator) units(g *realGroup) (child float64, parents []float64) {
	k := len(g.real) - 1
	child = math.Sqrt(e.opt.Marginals[g.real[k]].Var)
	for _, v := range g.real[:k] {
		parents = append(parents, math.Sqrt(e.opt.Marginals[v].Var)/child)
	}
	return child, parents
}

// realLogits appends the coordinates of the rows of a group.
func (e *Estimator) realLogits(g *realGroup, m *model.Model, out []float64) []float64 {
	child, parents := e.units(g)
	of, d := e.opt.Marginals[g.f.ChildVar()], m.Factors[g.factors[0]].Gaussian()
	for r := range g.rows {
		mean, coef, variance := d.Row(r)
		if !e.fixedMean(g) {
			mean -= of.Mean
			for i, c := range coef {
				mean += c * e.opt.Marginals[g.real[i]].Mean
			}
			out = append(out, mean/child)
			for i, c := range coef {
				out = append(out, c*parents[i])
			}
		}
		out = append(out, pgmrt.Ln(variance/of.Var))
	}
	return out
}

// fromRealLogits sets the CPDs of a group by the first of the coordinates, and returns the others.
// A variance is at least the least one of EM.
func (e *Estimator) fromRealLogits(g *realGroup, m, out *model.Model, x []float64) []float64 {
	child, parents := e.units(g)
	of, was := e.opt.Marginals[g.f.ChildVar()], m.Factors[g.factors[0]].Gaussian()
	d := &model.Gaussian{}
	for r := range g.rows {
		mean, coef, _ := was.Row(r)
		if !e.fixedMean(g) {
			mean = of.Mean + child*x[0]
			coef = make([]float64, len(parents))
			for i := range coef {
				coef[i] = x[1+i] / parents[i]
				mean -= coef[i] * e.opt.Marginals[g.real[i]].Mean
			}
			x = x[1+len(coef):]
		}
		d.Mean, d.Coef = append(d.Mean, mean), append(d.Coef, coef...)
		d.Var = append(d.Var, max(of.Var*math.Exp(x[0]), e.least(g.f.ChildVar())))
		x = x[1:]
	}
	e.putReal(g, out, d)
	return x
}

// realGradient appends the derivative of the log-likelihood and the penalty by the coordinates of
// the rows of a group, given expected counts under m.
func (e *Estimator) realGradient(g *realGroup, n Counts, m *model.Model, out []float64) []float64 {
	o, _ := e.gaussian(g.realCPD) // New has returned its error
	d, prior := m.Factors[g.factors[0]].Gaussian(), e.pseudo(g.realCPD, o.Size)
	child, parents := e.units(g)
	for r, row := range e.moments(g, n) {
		x := row.Merge(&prior)
		mean, coef, variance := d.Row(r)
		squares, apart := 0.0, 0.0
		if x.Weight > 0 {
			squares, _ = residual(&x, mean, coef)
			apart = x.Mean[len(coef)] - mean
			for i, c := range coef {
				apart -= c * x.Mean[i]
			}
		}
		if !e.fixedMean(g) {
			out = append(out, child*x.Weight*apart/variance)
			for i := range coef {
				product := x.Weight * apart * (x.Mean[i] - e.opt.Marginals[g.real[i]].Mean)
				product += x.Cross[data.Packed(len(coef), i)]
				for k, c := range coef {
					product -= c * x.Cross[data.Packed(i, k)]
				}
				out = append(out, product/parents[i]/variance)
			}
		}
		slope := (squares/variance - x.Weight) / 2
		if o.Mode && o.Size > 0 {
			slope -= modeRows / 2
		}
		out = append(out, slope)
	}
	return out
}
