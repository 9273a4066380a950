package brute

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Gradient returns the derivative of ln P(e) with respect to each number of factor n, row-major
// over its scope, as if each could change on its own. In a Markov network P(e) is Z(e) / Z, and Z
// changes too. The evidence must be possible.
func (j *Joint) Gradient(n int, e Evidence) []float64 {
	out := j.GradientZ(n, e)
	if j.Model.Kind == model.Markov {
		for i, x := range j.GradientZ(n, Evidence{}) {
			out[i] -= x
		}
	}
	return out
}

// GradientZ returns the derivative of ln Z(e), where Z(e) is the sum over all joint states.
func (j *Joint) GradientZ(n int, e Evidence) []float64 {
	s := j.slopes(n, e)
	for i := range s.by {
		s.by[i] /= s.sum
	}
	return s.by
}

// Sensitivity returns the derivative of P(v = state | e) with respect to each number of factor n,
// as if each could change on its own: the derivative of a ratio of two sums.
func (j *Joint) Sensitivity(n int, e Evidence, v model.VarID, state int) []float64 {
	whole := j.slopes(n, e)
	out := make([]float64, len(whole.by))
	only := Evidence{Hard: map[model.VarID]int{v: state}, Soft: e.Soft}
	for u, s := range e.Hard {
		if u == v && s != state {
			return out // the evidence excludes the state, whatever the numbers are
		}
		only.Hard[u] = s
	}
	part := j.slopes(n, only)
	if part.exp == math.MinInt { // no term at all
		return out
	}
	scale := math.Ldexp(1, part.exp-whole.exp) / whole.sum
	for i := range out {
		out[i] = part.by[i]*scale - part.sum*scale*whole.by[i]/whole.sum
	}
	return out
}

// slopes is a sum over all joint states, and its derivatives by the numbers of one factor, all
// times 2^exp.
type slopes struct {
	by  []float64
	sum float64
	exp int
}

// slopes computes the derivatives directly: for each number of the factor it adds up the products
// of all other terms.
func (j *Joint) slopes(n int, e Evidence) slopes {
	m := j.Model
	size := len(j.tables[n].values)
	l := j.likelihoods(e)
	terms := make([][]number, size)
	s := slopes{by: make([]float64, size), exp: math.MinInt}
	state := make([]int, len(j.vars))
	for range j.product {
		if at, p := j.without(n, l, state); p.frac > 0 {
			terms[at] = append(terms[at], p)
			s.exp = max(s.exp, p.exp)
		}
		m.Next(j.vars, state)
	}
	var total sum
	for i := range terms {
		var part sum
		for _, t := range terms[i] {
			part.add(math.Ldexp(t.frac, t.exp-s.exp))
		}
		s.by[i] = part.value()
		total.add(s.by[i] * j.tables[n].values[i])
	}
	s.sum = total.value()
	return s
}

// without returns the product of all likelihoods and factors except n at a joint state, and the
// place of that state in n's scope.
func (j *Joint) without(n int, l [][]float64, state []int) (at int, p number) {
	p = number{0.5, 1}
	for i := range j.tables {
		if i != n {
			p = p.times(j.value(i, state))
		}
	}
	for v, s := range state {
		p = p.times(l[v][s])
	}
	return j.place(n, state), p
}
