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

// Deviations returns, by variable, about its least standard deviation given its parents and its
// children. That of a function is the one without children; it is infinite for a constant.
func Deviations(m *model.Model) []float64 {
	prior, precision := make([]float64, len(m.Vars)), make([]float64, len(m.Vars)) // variances, and precisions given children
	for _, v := range m.Topological() {
		f := m.CPD(v)
		if !m.IsReal(v) || m.Vars[v].Given || f == nil || f.Gaussian() == nil {
			continue
		}
		_, parents := m.SplitParents(f)
		d, least := f.Gaussian(), math.Inf(1)
		for r := range d.Mean {
			_, coef, variance := d.Row(r)
			own := variance
			for i, u := range parents {
				if own += coef[i] * coef[i] * prior[u]; variance > 0 {
					precision[u] = max(precision[u], coef[i]*coef[i]/variance)
				}
			}
			if variance > 0 {
				own = variance
			}
			if own > 0 {
				least = min(least, own)
			}
		}
		if !math.IsInf(least, 1) {
			prior[v] = least
		}
	}
	for v, x := range prior {
		if x > 0 {
			precision[v] += 1 / x
		}
		prior[v] = math.Sqrt(1 / precision[v])
	}
	return prior
}

// Apart returns the variable with prior means in different states that are the most deviations
// apart, and how many; nil if none differ. Canonical forms relative to one mean for all states lose
// the square of that many rounding errors.
func Apart(m *model.Model) (v *model.Var, distance float64) {
	low, high := make([]float64, len(m.Vars)), make([]float64, len(m.Vars))
	deviations := Deviations(m)
	for _, u := range m.Topological() {
		f := m.CPD(u)
		if !m.IsReal(u) || f == nil || f.Gaussian() == nil {
			continue
		}
		_, parents := m.SplitParents(f)
		d := f.Gaussian()
		low[u], high[u] = math.Inf(1), math.Inf(-1)
		for r := range d.Mean {
			mean, coef, _ := d.Row(r)
			least, most := mean, mean
			for i, w := range parents {
				x, y := coef[i]*low[w], coef[i]*high[w]
				least, most = least+min(x, y), most+max(x, y)
			}
			low[u], high[u] = min(low[u], least), max(high[u], most)
		}
		if x := (high[u] - low[u]) / deviations[u]; x > distance {
			v, distance = m.Vars[u], x
		}
	}
	return v, distance
}
