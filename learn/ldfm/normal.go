package ldfm

import (
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// leastVariance is the least variance of a normal distribution, as a share of its variable's own.
// Without a bound, a distribution could concentrate on a single row's value, where the density and
// the likelihood are unbounded. With it, a standard deviation is at least a thirtieth of the
// variable's, so that a row gains at most about ln 30. By conditional log-likelihoods on bnlearn's
// clgaussian.test, learned from 1,000 rows, this was slightly better than 1e-4, 1e-2 and 3e-2.
const leastVariance = 1e-3

// A distribution of fewer than leastCount rows keeps its parameters, and so does a slope along
// standardised values with a variance below flat: a fit to them would return rounding errors.
const (
	leastCount = 1e-9
	flat       = 1e-8
)

// mostScale bounds the standard deviations of real variables and their inverses, and mostMean their
// means, so that the learned model stays within model.MaxReal.
const (
	mostScale = 1e10
	mostMean  = 1e15
)

// sums is the number of sums for each row of the weights and real variable, weighted by expected
// trees: of y, y², x, xy and x². Here y is the variable's value and x its parent's, if real.
const sums = 5

// scale standardises the values of a real variable to mean 0 and variance 1.
type scale struct{ mean, sd float64 }

// scaleOf returns the scale of a column's observed values.
func scaleOf(s *data.Set, v int) (scale, error) {
	column, values := s.Column(v), s.Real(v)
	moment := func(f func(x float64) float64) float64 {
		n, sum := 0.0, 0.0
		for row, x := range values {
			if column.At(row) != data.Missing {
				n += s.Weight(row)
				sum += s.Weight(row) * f(x)
			}
		}
		return sum / n
	}
	mean := moment(func(x float64) float64 { return x })
	sd := math.Sqrt(moment(func(x float64) float64 { return (x - mean) * (x - mean) }))
	switch {
	case sd == 0:
		return scale{}, fmt.Errorf("real variable %q has the same value in all rows; leave it out, or make it discrete", s.Vars[v].Name)
	case sd > mostScale || sd < 1/mostScale || math.Abs(mean) > mostMean:
		return scale{}, fmt.Errorf("real variable %q has mean %g and standard deviation %g; want a mean of at most %g in absolute value and a deviation of %g to %g; use another unit",
			s.Vars[v].Name, mean, sd, mostMean, 1/mostScale, mostScale)
	}
	return scale{mean, sd}, nil
}

// standard returns the standardised values of real variables, by variable. less is the amount by
// which standardising raises the logarithm of the weight of all rows.
func (e *em) standard(s *data.Set) (values [][]float64, less float64) {
	values = make([][]float64, len(s.Vars))
	for v := range s.Vars {
		if !s.Vars[v].Real {
			continue
		}
		c, column := e.scale[v], s.Column(v)
		for row, x := range s.Real(v) {
			values[v] = append(values[v], (x-c.mean)/c.sd)
			if column.At(row) != data.Missing {
				less += s.Weight(row) * pgmrt.Ln(c.sd)
			}
		}
	}
	return values, less
}

// normals calls do for each row of the weights and each real variable other than the row's own,
// with its index among the normal distributions. above is the row's variable if that is real, and
// negative otherwise.
func (e *em) normals(do func(row, v, above, at int)) {
	each := func(row, own int) {
		above := -1
		if own >= 0 && e.place[own] >= 0 {
			above = own
		}
		for i, v := range e.reals {
			if int(v) != own {
				do(row, int(v), above, row*len(e.reals)+i)
			}
		}
	}
	each(0, -1)
	for v := range e.m.Vars {
		for row := 1 + e.first[v]; row < 1+e.first[v+1]; row++ {
			each(row, v)
		}
	}
}

// startNormals returns the marginal distributions of the real variables, for all parents the same.
func (e *em) startNormals() []model.Normal {
	if len(e.reals) == 0 {
		return nil
	}
	list := make([]model.Normal, (1+e.columns())*len(e.reals))
	e.normals(func(_, _, _, at int) { list[at].Var = 1 })
	return list
}

// usual converts normal distributions of standardised values to distributions of the values
// themselves.
func (e *em) usual(list []model.Normal) []model.Normal {
	var out []model.Normal
	if list != nil {
		out = make([]model.Normal, len(list))
	}
	e.normals(func(_, v, above, at int) {
		x, c := list[at], e.scale[v]
		y := model.Normal{Mean: c.mean + c.sd*x.Mean, Var: c.sd * c.sd * x.Var}
		if above >= 0 {
			y.Slope = x.Slope * c.sd / e.scale[above].sd
			y.Mean -= y.Slope * e.scale[above].mean
		}
		out[at] = y
	})
	return out
}

// unusual is the inverse of usual. It raises variances below the least.
func (e *em) unusual(list []model.Normal) []model.Normal {
	out := e.startNormals()
	e.normals(func(_, v, above, at int) {
		x, c := list[at], e.scale[v]
		y := model.Normal{Mean: (x.Mean - c.mean) / c.sd, Var: max(leastVariance, x.Var/(c.sd*c.sd))}
		if above >= 0 {
			y.Slope = x.Slope * e.scale[above].sd / c.sd
			y.Mean += x.Slope * e.scale[above].mean / c.sd
		}
		out[at] = y
	})
	return out
}

// note adds an expected number of trees with an edge to a real variable to the sums at an index
// among the normal distributions.
func note(counts []float64, at int, n, y, x float64) {
	s := counts[at*sums:][:sums]
	s[0] += n * y
	s[1] += n * y * y
	s[2] += n * x
	s[3] += n * x * y
	s[4] += n * x * x
}

// regressions returns the normal distributions that are best for counts; their sums are the last
// counts.
func (e *em) regressions(old []model.Normal, counts []float64) []model.Normal {
	out := e.startNormals()
	of := counts[len(counts)-sums*len(old):]
	e.normals(func(row, v, above, at int) {
		n := counts[row*e.columns()+e.first[v]]
		if out[at] = old[at]; n >= leastCount {
			out[at] = regression(old[at], n, of[at*sums:][:sums], above >= 0)
		}
	})
	return out
}

// regression returns the normal distribution that fits best, by least squares, with a variance of
// at least leastVariance. The sums s have total weight n. The old slope stays if the values of the
// parent do not vary.
func regression(old model.Normal, n float64, s []float64, slope bool) model.Normal {
	y, x := s[0]/n, s[2]/n
	yy, xy, xx := max(0, s[1]/n-y*y), s[3]/n-x*y, max(0, s[4]/n-x*x)
	b := old.Slope
	if slope && xx > flat {
		b = xy / xx
	}
	return model.Normal{Mean: y - b*x, Slope: b, Var: max(leastVariance, yy-2*b*xy+b*b*xx)}
}

// heldOut returns the mean logarithm of the weight of the validation rows: the probability that the
// generating process produces them. It replaces the pseudo-likelihood, since the density of a real
// variable given all others is a sum over too many trees.
func (e *em) heldOut(d *model.LDFM, valid *data.Set) float64 {
	v := *e
	v.train = valid.Merged()
	v.values, v.less = e.standard(v.train)
	v.count()
	_, log := v.expect(d)
	for row, n := range v.seen {
		if d.Stop != nil && n > 0 {
			log += n * pgmrt.Ln(d.Stop[row])
		}
	}
	return log / v.seen[0]
}
