package mle

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Marginal holds the mean and the variance of a real variable. The variance is positive.
type Marginal struct{ Mean, Var float64 }

// leastShare is the least variance that EM gives a Gaussian CPD, as a share of the variance of its
// child. A variance of 0 has infinite density, from which EM does not return.
const leastShare = 1e-9

// least returns the least variance of a variable in EM.
func (e *Estimator) least(v model.VarID) float64 {
	return max(e.opt.Floor, leastShare*e.opt.Marginals[v].Var)
}

// Positive returns the model in which all variances that are fitted are at least the least ones of
// EM. It needs Options.Marginals.
func (e *Estimator) Positive(m *model.Model) *model.Model {
	out := clone(m)
	for k := range e.sets {
		g := &e.sets[k]
		d := *m.Factors[g.factors[0]].Gaussian()
		d.Var = slices.Clone(d.Var)
		for r := range d.Var {
			d.Var[r] = max(d.Var[r], e.least(g.f.ChildVar()))
		}
		e.putReal(g, out, &d)
	}
	return out
}

// AtLeast returns, by real variable of m with a fitted CPD, the number of its rows in which the
// variance is the least that EM gives. The likelihood has no maximum there.
func (e *Estimator) AtLeast(m *model.Model) map[model.VarID]int {
	rows := map[model.VarID]int{}
	for k := range e.sets {
		g := &e.sets[k]
		v := g.f.ChildVar()
		for _, variance := range m.Factors[g.factors[0]].Gaussian().Var {
			if variance <= e.least(v) {
				rows[v] += len(g.factors)
			}
		}
	}
	return rows
}

// Independent returns the Gaussian CPD of factor i under which its child has its marginal
// distribution, for any values of the parents.
func (e *Estimator) Independent(i int) *model.Gaussian {
	c := e.reals[i]
	was, of := c.f.Gaussian(), e.opt.Marginals[c.f.ChildVar()]
	return &model.Gaussian{Mean: slices.Repeat([]float64{of.Mean}, c.rows), Coef: make([]float64, len(was.Coef)), Var: slices.Repeat([]float64{of.Var}, c.rows)}
}

// pseudo returns the moments of the pseudo-rows of a row of a Gaussian CPD.
func (e *Estimator) pseudo(c *realCPD, size float64) data.Moment {
	x := data.Moment{Weight: size, Mean: make([]float64, len(c.real)), Cross: make([]float64, data.Packed(len(c.real), 0))}
	for i, v := range c.real {
		x.Mean[i] = e.opt.Marginals[v].Mean
		x.Cross[data.Packed(i, i)] = size * e.opt.Marginals[v].Var
	}
	return x
}

// modeRows is the number of rows by which the mode of the variance divides more than the weight of
// the data and the pseudo-rows.
const modeRows = 2

// climbReal sets the CPDs of a group to the maximum of the expected log-likelihood of n and the
// pseudo-rows, so that no step of EM lowers the objective. Rows of weight 0 keep their numbers.
func (e *Estimator) climbReal(g *realGroup, n Counts, old, out *model.Model) {
	o, _ := e.gaussian(g.realCPD) // New has returned its error
	d := *old.Factors[g.factors[0]].Gaussian()
	d.Mean, d.Coef, d.Var = slices.Clone(d.Mean), slices.Clone(d.Coef), slices.Clone(d.Var)
	k := len(g.real) - 1
	prior, more := e.pseudo(g.realCPD, o.Size), 0.0
	if o.Mode && o.Size > 0 {
		more = modeRows
	}
	rows := e.moments(g, n)
	for r := range rows {
		rows[r] = rows[r].Merge(&prior)
	}
	if e.fixedMean(g) {
		e.putReal(g, out, fitVariances(&d, rows, more, e.least(g.f.ChildVar())))
		return
	}
	for r := range rows {
		x := &rows[r]
		if x.Weight == 0 {
			continue
		}
		fit := x.Regress()
		weight := x.Weight + more
		d.Mean[r], d.Var[r] = fit.Intercept, max(fit.Residual/weight, e.least(g.f.ChildVar()))
		copy(d.Coef[r*k:], fit.Coef)
	}
	e.putReal(g, out, &d)
}

// putReal sets the CPDs of a group.
func (e *Estimator) putReal(g *realGroup, m *model.Model, d *model.Gaussian) {
	for _, i := range g.factors {
		m.Factors[i].Dist = d
	}
}

// realPenalty returns the part of the penalty of the CPDs of a group: the log-likelihood of the
// pseudo-rows, and for the mode the prior of the variance.
func (e *Estimator) realPenalty(g *realGroup, d *model.Gaussian) float64 {
	o, _ := e.gaussian(g.realCPD)
	if e.opt.Marginals == nil || o.Size == 0 {
		return 0
	}
	prior := e.pseudo(g.realCPD, o.Size)
	rows := make([]data.Moment, g.rows)
	for r := range rows {
		rows[r] = prior
	}
	n := make([]float64, d.Statistics())
	g.put(rows, n)
	total := g.logLikelihood(n, d)
	if o.Mode {
		for _, variance := range d.Var {
			total -= modeRows / 2 * pgmrt.Ln(variance)
		}
	}
	return total
}

// randomReal draws the rows of a group: each coefficient from a normal distribution with the ratio
// of the child's and the parent's deviations as deviation, and the intercept such that the mean at
// the means of the parents is drawn from the marginal distribution of the child, with its variance
// in the row.
func (e *Estimator) randomReal(g *realGroup, out *model.Model, rng *rand.Rand) {
	was := out.Factors[g.factors[0]].Gaussian()
	d := &model.Gaussian{Mean: make([]float64, len(was.Mean)), Coef: make([]float64, len(was.Coef)), Var: make([]float64, len(was.Var))}
	of, k := e.opt.Marginals[g.f.ChildVar()], len(g.real)-1
	for r := range d.Mean {
		d.Mean[r], d.Var[r] = of.Mean+math.Sqrt(of.Var)*rng.NormFloat64(), of.Var
		for i, u := range g.real[:k] {
			parent := e.opt.Marginals[u]
			d.Coef[r*k+i] = math.Sqrt(of.Var/parent.Var) * rng.NormFloat64()
			d.Mean[r] -= d.Coef[r*k+i] * parent.Mean
		}
	}
	if e.fixedMean(g) {
		d.Mean, d.Coef = was.Mean, was.Coef
	}
	e.putReal(g, out, d)
}

// TallyReal adds a complete row of weight w to the counts of the Gaussian CPDs. The states and the
// values are by VarID.
func (e *Estimator) TallyReal(n Counts, state []int, value []float64, w float64) {
	var x []float64
	for i, c := range e.reals {
		if c == nil {
			continue
		}
		r := e.m.Index(c.discrete, state)
		x = x[:0]
		for _, v := range c.real {
			x = append(x, value[v])
		}
		c.add(n[i], r, w, func(k int) float64 { return x[k] }, func(int) float64 { return 0 })
	}
}

// TallyExpected adds the expected statistics of a row of weight w to n, the counts of Gaussian CPD
// i. The statistics are as in ir.Statistics.
func (e *Estimator) TallyExpected(i int, n, statistics []float64, w float64) {
	c := e.reals[i]
	for r := range c.rows {
		if p := statistics[r]; p > 0 {
			c.add(n, r, w*p, func(k int) float64 { return statistics[(1+k)*c.rows+r] },
				func(at int) float64 { return statistics[(1+len(c.real)+at)*c.rows+r] })
		}
	}
}

// Merge adds other counts of factor i to n.
func (e *Estimator) Merge(i int, n, other []float64) {
	if r := e.reals[i]; r != nil {
		r.merge(n, other)
		return
	}
	for k, x := range other {
		n[k] += x
	}
}

// add adds to row r of a list of counts a distribution of weight w with the given means and packed
// covariances (Chan, Golub and LeVeque 1983).
func (c *realCPD) add(n []float64, r int, w float64, mean, covariance func(i int) float64) {
	k := len(c.real)
	n = n[r*(1+k+k*(k+1)/2):]
	means, cross := n[1:1+k], n[1+k:]
	was := n[0]
	n[0] += w
	share := w / n[0]
	at := 0
	for i := range means {
		apart := mean(i) - means[i]
		for j := range i + 1 {
			cross[at] += float64(w*covariance(at)) + float64(float64(was*share)*float64(apart*(mean(j)-means[j])))
			at++
		}
	}
	for i := range means {
		means[i] += float64(share * (mean(i) - means[i]))
	}
}
