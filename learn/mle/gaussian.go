package mle

import (
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Gaussian chooses how the rows of Gaussian CPDs are estimated from moments.
type Gaussian struct {
	// Size is the weight of the prior of a row: a normal-inverse-gamma distribution, given by Size
	// pseudo-rows that have the means and variances of the family over all rows, and no
	// correlations. 0 is maximum likelihood.
	Size float64
	// Mode takes the mode of the posterior distribution of a variance instead of its mean.
	Mode bool
	// Unbiased divides residuals by the weight of the rows less the number of fitted coefficients,
	// as R does, and not by their weight. It applies without a prior.
	Unbiased bool
	Least    float64 // the least variance
	// Prior is the prior of each row in place of Size; nil for none.
	Prior *NormalGamma
}

// Fit returns the CPD of a real variable from the moments of its real parents and itself, by joint
// state of the discrete parents. A row without data and prior has the mean and the variance over
// all rows; a row with no more data than numbers to fit has at least that variance. dropped is the
// number of coefficients that are 0 since their parents are constant or linear functions of others.
func (o Gaussian) Fit(rows []data.Moment) (d *model.Gaussian, dropped int) {
	all := together(rows)
	d = &model.Gaussian{}
	for i := range rows {
		mean, coef, variance, without := o.row(&rows[i], &all)
		d.Mean, d.Coef, d.Var = append(d.Mean, mean), append(d.Coef, coef...), append(d.Var, variance)
		dropped += without
	}
	return d, dropped
}

// together returns the moments of all rows.
func together(rows []data.Moment) (all data.Moment) {
	for i := range rows {
		all = all.Merge(&rows[i])
	}
	return all
}

// row estimates a row. all holds the moments of all rows.
func (o Gaussian) row(x, all *data.Moment) (mean float64, coef []float64, variance float64, dropped int) {
	n := len(x.Mean) - 1
	if o.Prior != nil {
		p := o.Prior.Posterior(x, all)
		if x.Weight > 0 {
			dropped = len(p.Dropped)
		}
		return p.Mean, p.Coef, known(max(p.Variance(o.Mode), o.Least)), dropped
	}
	pooled := 0.0
	if all.Weight > 0 {
		pooled = all.Cross[data.Packed(n, n)] / all.Weight
	}
	merged := *x
	if o.Size > 0 && all.Weight > 0 {
		prior := data.Moment{Weight: o.Size, Mean: all.Mean, Cross: make([]float64, len(x.Cross))}
		for i := range n + 1 {
			prior.Cross[data.Packed(i, i)] = o.Size * all.Cross[data.Packed(i, i)] / all.Weight
		}
		merged = merged.Merge(&prior)
	}
	if merged.Weight == 0 {
		if all.Weight > 0 {
			mean = all.Mean[n]
		}
		return mean, make([]float64, n), known(max(pooled, o.Least)), 0
	}
	r := merged.Regress()
	if x.Weight > 0 {
		dropped = len(r.Dropped)
	}
	return r.Intercept, r.Coef, known(o.variance(r, pooled)), dropped
}

// variance returns the estimate of a variance.
func (o Gaussian) variance(r *data.Regression, pooled float64) float64 {
	switch {
	case o.Size == 0:
		return r.Variance(o.Unbiased, pooled, o.Least)
	case !o.Mode && r.Weight > 2:
		return max(r.Residual/(r.Weight-2), o.Least)
	}
	return max(r.Residual/(r.Weight+2), o.Least) // the mean is infinite, or not wanted
}

// variances sets the variances of d by the prior of the precision, given its means and
// coefficients.
func (o Gaussian) variances(d *model.Gaussian, rows []data.Moment) {
	for r := range rows {
		p, squares := *o.Prior, 0.0
		if x := &rows[r]; x.Weight > 0 {
			mean, coef, _ := d.Row(r)
			squares, _ = residual(x, mean, coef)
			p.Shape += x.Weight / 2
		}
		p.Scale += squares / 2
		d.Var[r] = known(max(p.Variance(o.Mode), o.Least))
	}
}

// known returns a variance that a model can hold: 0 if it is too small.
func known(variance float64) float64 {
	if variance < 1/model.MaxReal {
		return 0
	}
	return variance
}

// realCPD is a Gaussian CPD to fit.
type realCPD struct {
	m              *model.Model
	f              *model.Factor
	discrete, real []model.VarID // real has the child last
	rows           int
}

func newRealCPD(m *model.Model, f *model.Factor) *realCPD {
	c := &realCPD{m: m, f: f, rows: len(f.Gaussian().Mean)}
	c.discrete, c.real = m.SplitParents(f)
	c.real = append(c.real, f.ChildVar())
	return c
}

// moments returns the moments in a list of counts, a row after the other: the weight, the means,
// and the packed cross products. They share memory.
func (c *realCPD) moments(n []float64) []data.Moment {
	out, k := make([]data.Moment, c.rows), len(c.real)
	for i := range out {
		x := &out[i]
		x.Weight, x.Mean, x.Cross = n[0], n[1:1+k], n[1+k:][:k*(k+1)/2]
		n = n[1+k+len(x.Cross):]
	}
	return out
}

// merge adds the moments of other rows to a list of counts.
func (c *realCPD) merge(n, other []float64) {
	x, y := c.moments(n), c.moments(other)
	sums := make([]data.Moment, c.rows)
	for i := range x {
		sums[i] = x[i].Merge(&y[i])
	}
	c.put(sums, n)
}

// put writes moments to a list of counts, which they may share.
func (c *realCPD) put(rows []data.Moment, n []float64) {
	flat := make([]float64, 0, len(n))
	for i := range rows {
		flat = append(append(append(flat, rows[i].Weight), rows[i].Mean...), rows[i].Cross...)
	}
	copy(n, flat)
}

// parameters returns the number of free parameters.
func (c *realCPD) parameters() int { return c.rows * (len(c.real) + 1) }

// logLikelihood returns the part of the log-likelihood of rows with the given moments. A row of
// variance 0 contributes 0 if its function holds within rounding, and -Inf otherwise.
func (c *realCPD) logLikelihood(n []float64, d *model.Gaussian) float64 {
	total := 0.0
	for i, x := range c.moments(n) {
		if x.Weight == 0 {
			continue
		}
		mean, coef, variance := d.Row(i)
		squares, rounding := residual(&x, mean, coef)
		switch {
		case variance > 0:
			total -= .5 * (x.Weight*pgmrt.Ln(2*math.Pi*variance) + squares/variance)
		case squares > rounding:
			return math.Inf(-1)
		}
	}
	return total
}

// functionShare bounds the squared deviations from a linear function that count as rounding,
// relative to the squared sizes of its terms: cross products have cancelled.
const functionShare = 1e-13

// residual returns the weighted sum of squared deviations from a linear function, and the sum up to
// which they count as rounding.
func residual(x *data.Moment, mean float64, coef []float64) (squares, rounding float64) {
	weights := append(slices.Clone(coef), -1)
	apart, size := mean, math.Abs(mean)
	for i, w := range weights {
		apart += float64(w * x.Mean[i])
		size += math.Abs(w) * (math.Abs(x.Mean[i]) + math.Sqrt(x.Cross[data.Packed(i, i)]/x.Weight))
		for j := range i {
			squares += 2 * float64(float64(w*weights[j])*x.Cross[data.Packed(i, j)])
		}
		squares += float64(float64(w*w) * x.Cross[data.Packed(i, i)])
	}
	return max(0, squares) + float64(x.Weight*float64(apart*apart)), x.Weight * size * size * functionShare
}

// gaussian returns how the rows of a Gaussian CPD are fitted.
func (e *Estimator) gaussian(c *realCPD) (Gaussian, error) {
	o := Gaussian{Size: e.opt.Prior.Size, Mode: e.opt.Mode, Unbiased: e.opt.Unbiased, Least: e.opt.Floor}
	if p, own := e.opt.NormalGamma[c.f.ChildVar()]; own {
		o.Prior, o.Size = &p, 0
		if err := p.Check(); err != nil {
			return o, fmt.Errorf("the prior of the %s has the %w", e.m.FactorName(c.f), err)
		}
		return o, nil
	}
	switch {
	case e.opt.Prior.Kind == None, e.opt.Prior.Discrete:
		o.Size = 0
	case e.opt.Prior.Kind == BDeu:
		o.Size /= float64(c.rows)
	case e.opt.Prior.Kind == BDe:
		return o, fmt.Errorf("the %s is Gaussian, for which a prior network has no pseudo-counts; want another prior", e.m.FactorName(c.f))
	}
	return o, nil
}

// realGroup is one set of numbers and the Gaussian CPDs that share it.
type realGroup struct {
	*realCPD
	factors []int
}

// moments returns the moments of all CPDs of a group together.
func (e *Estimator) moments(g *realGroup, n Counts) []data.Moment {
	sum := slices.Clone(n[g.factors[0]])
	for _, i := range g.factors[1:] {
		g.merge(sum, n[i])
	}
	return g.realCPD.moments(sum)
}

// fitReal fits the CPDs of a group.
func (e *Estimator) fitReal(g *realGroup, n Counts, old, out *model.Model) {
	o, _ := e.gaussian(g.realCPD) // New has returned its error
	rows := e.moments(g, n)
	if e.fixedMean(g) {
		d := fitVariances(old.Factors[g.factors[0]].Gaussian(), rows, 0, o.Least)
		if o.Prior != nil {
			o.variances(d, rows)
		}
		e.putReal(g, out, d)
		return
	}
	d, _ := o.Fit(rows)
	if e.opt.Empty == EmptyKeep && o.Size == 0 && o.Prior == nil {
		was, k := old.Factors[g.factors[0]].Gaussian(), len(g.real)-1
		for r := range rows {
			if rows[r].Weight == 0 {
				d.Mean[r], d.Var[r] = was.Mean[r], was.Var[r]
				copy(d.Coef[r*k:], was.Coef[r*k:][:k])
			}
		}
	}
	e.putReal(g, out, d)
}

// Posteriors returns, by factor, the distributions of the numbers of the rows of Gaussian CPDs with
// a prior of Options.NormalGamma; nil for other factors and for fixed means.
func (e *Estimator) Posteriors(n Counts) [][]Posterior {
	out := make([][]Posterior, len(e.reals))
	for i := range e.sets {
		g := &e.sets[i]
		o, _ := e.gaussian(g.realCPD) // New has returned its error
		if o.Prior == nil || e.fixedMean(g) {
			continue
		}
		rows := e.moments(g, n)
		all := together(rows)
		for _, k := range g.factors {
			for r := range rows {
				out[k] = append(out[k], o.Prior.Posterior(&rows[r], &all))
			}
		}
	}
	return out
}

// Dropped returns, by factor, the number of coefficients of its rows with data that are 0 since
// their parents are constant or linear functions of others.
func (e *Estimator) Dropped(n Counts) []int {
	out := make([]int, len(e.reals))
	for i := range e.sets {
		g := &e.sets[i]
		_, dropped := Gaussian{}.Fit(e.moments(g, n))
		for _, k := range g.factors {
			out[k] = dropped
		}
	}
	return out
}

// count adds the rows of a set to the counts of a Gaussian CPD, and returns the weight of those
// that miss a value of its family.
func (c *realCPD) count(m *data.Moments, column []int, n []float64) (missed float64) {
	of := func(vars []model.VarID) (list []int) {
		for _, v := range vars {
			list = append(list, column[v])
		}
		return list
	}
	discrete, real := of(c.discrete), of(c.real)
	missed = m.Set().Total()
	if slices.Contains(discrete, -1) || slices.Contains(real, -1) {
		return missed
	}
	rows := m.Of(discrete, real)
	for i := range rows {
		missed -= rows[i].Weight
	}
	c.put(rows, n)
	return max(0, missed)
}
