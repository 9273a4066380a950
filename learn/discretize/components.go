package discretize

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// mostComponents is the most joint states of discrete variables over which integrals are summed.
const mostComponents = 128

// component is the joint normal distribution of some real variables given joint states of discrete
// ones.
type component struct {
	weight float64
	state  []int       // by variable; 0 of those that do not matter
	mean   []float64   // of the real variables that were asked for
	cov    [][]float64 // of these
}

// components returns the joint distribution of some real variables and of the discrete ones among
// of, a component for each joint state of their discrete ancestors; nil if there are too many.
func (d *discretizer) components(of ...model.VarID) (list []component) {
	needed := make([]bool, len(d.m.Vars))
	order := d.m.Topological()
	for _, v := range slices.Backward(order) {
		if needed[v] = needed[v] || slices.Contains(of, v); needed[v] {
			for _, u := range d.m.CPD(v).Parents() {
				needed[u] = true
			}
		}
	}
	var discrete, real []model.VarID
	n := 1
	for _, v := range order {
		switch {
		case !needed[v]:
		case d.m.IsReal(v):
			real = append(real, v)
		default:
			if n *= d.m.Card(v); n > mostComponents {
				return nil
			}
			discrete = append(discrete, v)
		}
	}
	state := make([]int, len(d.m.Vars))
	for more := true; more; more = d.m.Next(discrete, state) {
		weight := 1.0
		for _, v := range discrete {
			weight *= d.m.Value(d.m.CPD(v), state)
		}
		if weight > 0 {
			list = append(list, d.component(weight, slices.Clone(state), real, of))
		}
	}
	return list
}

// component computes the moments of the variables real, parents before children, and keeps the
// moments of the real variables among of.
func (d *discretizer) component(weight float64, state []int, real, of []model.VarID) component {
	at := map[model.VarID]int{}
	mean, cov := make([]float64, len(real)), make([][]float64, len(real))
	for i, v := range real {
		at[v] = i
		f := d.m.CPD(v)
		_, parents := d.m.SplitParents(f)
		base, coef, variance := f.Gaussian().Row(d.row(f, state))
		mean[i], cov[i] = base, make([]float64, len(real))
		for k, u := range parents {
			mean[i] += float64(coef[k] * mean[at[u]])
			for j := range i {
				cov[i][j] += float64(coef[k] * cov[at[u]][j])
			}
		}
		cov[i][i] = variance
		for k, u := range parents {
			cov[i][i] += float64(coef[k] * cov[i][at[u]])
		}
		for j := range i {
			cov[j][i] = cov[i][j]
		}
	}
	c := component{weight: weight, state: state}
	for _, v := range of {
		i, ok := at[v]
		if !ok {
			continue
		}
		var row []float64
		for _, u := range of {
			if j, ok := at[u]; ok {
				row = append(row, cov[i][j])
			}
		}
		c.mean, c.cov = append(c.mean, mean[i]), append(c.cov, row)
	}
	return c
}

// row returns the row of a Gaussian CPD at states of its discrete parents.
func (d *discretizer) row(f *model.Factor, state []int) int {
	discrete, _ := d.m.SplitParents(f)
	return d.m.Index(discrete, state)
}

// margin is the distribution of one real variable.
type margin []component

// below returns the probability of values of at most x.
func (m margin) below(x float64) (p float64) {
	for i := range m {
		if variance := m[i].cov[0][0]; variance > 0 {
			p += m[i].weight * .5 * math.Erfc((m[i].mean[0]-x)/math.Sqrt(2*variance))
		} else if m[i].mean[0] <= x {
			p += m[i].weight
		}
	}
	return p
}

// most returns the largest value; infinity unless the variable is discrete.
func (m margin) most() float64 {
	most := math.Inf(-1)
	for i := range m {
		if m[i].cov[0][0] > 0 {
			return math.Inf(1)
		}
		most = max(most, m[i].mean[0])
	}
	return most
}

// quantile returns the least x with p below, by bisection.
func (m margin) quantile(p float64) float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range m {
		far := tails * math.Sqrt(m[i].cov[0][0])
		lo, hi = min(lo, m[i].mean[0]-far), max(hi, m[i].mean[0]+far)
	}
	for range 100 {
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			break
		}
		if m.below(mid) < p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}

// cuts returns bounds of few digits between n intervals of about equal probability. There are fewer
// if values have a probability.
func (m margin) cuts(n int) []float64 {
	return cutsAt(n, m.most(), func(p float64) float64 { return m.quantile(p) })
}

// entropy returns the differential entropy.
func (m margin) entropy() (h float64) {
	if len(m) == 1 {
		return .5 * pgmrt.Ln(2*math.Pi*math.E*m[0].cov[0][0])
	}
	var ends []float64
	for i := range m {
		ends = append(ends, panels(math.Inf(-1), math.Inf(1), m[i].mean[0], math.Sqrt(m[i].cov[0][0]), nil)...)
	}
	slices.Sort(ends)
	integrate(ends, func(x, width float64) {
		p := 0.0
		for i := range m {
			p += m[i].weight * density(x, m[i].mean[0], math.Sqrt(m[i].cov[0][0]))
		}
		if p > 0 {
			h -= width * p * pgmrt.Ln(p)
		}
	})
	return h
}
