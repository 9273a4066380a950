package gauss

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Units returns, by variable, approximate prior means and standard deviations of the real variables
// of a Bayesian network, with correlations left out. They serve as units, so that numbers have
// common sizes; no answer depends on them but by rounding. Those of given variables are 0 and 1.
func Units(m *model.Model) (centre, scale []float64) {
	u := &units{m, make([]float64, len(m.Vars)), make([]float64, len(m.Vars))}
	for v := range u.scale {
		u.scale[v] = 1
	}
	if len(m.Reals()) == 0 {
		return u.centre, u.scale
	}
	for _, v := range m.Topological() {
		if m.IsReal(v) && !m.Vars[v].Given {
			u.set(v)
		}
	}
	return u.centre, u.scale
}

type units struct {
	*model.Model
	centre, scale []float64
}

// set averages over the rows of the CPD of v.
func (m *units) set(v model.VarID) {
	f := m.CPD(v)
	discrete, parents := m.SplitParents(f)
	state := make([]int, len(m.Vars))
	var mean, spread, n float64
	for row, more := 0, true; more; row, more = row+1, m.Next(discrete, state) {
		x, variance := m.prior(f, row, state, parents)
		n++
		step := x - mean
		mean += step / n
		spread += float64(step*(x-mean)) + variance
	}
	m.centre[v] = mean
	if s := math.Sqrt(spread / n); s > 0 && !math.IsInf(s, 0) {
		m.scale[v] = s
	}
}

// prior returns the mean and the variance of the child of f in a row, if the parents are normal and
// independent. Of an expression it takes differences over two standard deviations, and the
// curvature too, which matters where the slope is 0.
func (m *units) prior(f *model.Factor, row int, state []int, parents []model.VarID) (mean, variance float64) {
	if d := f.Gaussian(); d != nil {
		mean, coef, variance := d.Row(row)
		for i, u := range parents {
			mean += float64(coef[i] * m.centre[u])
			if !m.Vars[u].Given {
				variance += float64(coef[i] * coef[i] * m.scale[u] * m.scale[u])
			}
		}
		return mean, variance
	}
	d := f.Dist.(*model.Func)
	x, buf := make([]float64, len(m.Vars)), make([]float64, len(d.Nodes))
	copy(x, m.centre)
	at := func() float64 {
		y := d.Eval(f, state, x, buf)
		if math.IsNaN(y) || math.Abs(y) > model.MaxReal {
			return 0
		}
		return y
	}
	mean, variance = at(), d.Var[row]
	for _, u := range parents {
		if m.Vars[u].Given {
			continue
		}
		x[u] = m.centre[u] + m.scale[u]
		hi := at()
		x[u] = m.centre[u] - m.scale[u]
		lo := at()
		x[u] = m.centre[u]
		slope, bend := (hi-lo)/2, (hi+lo)/2-mean
		variance += float64(slope*slope) + float64(bend*bend)
	}
	return mean, variance
}
