package bound

import (
	"math"
	"slices"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Bounds of marginals come from regions around each variable. Given the states of a region's
// border, the posterior of the variable is known: its marginal is a mixture of these posteriors,
// and between the least and the largest of them. Bounds of the marginals of a border variable
// limit the mixture, so that bounds propagate (Leisink and Kappen 2003, Bound propagation; Mooij
// and Kappen 2008, Bounds on marginal probability distributions).
const (
	borderSize = 1 << 11 // the most joint states of a border and the variable
	regionSize = 1 << 13 // the most numbers of a table that is summed on the way
	regionVars = 24
	borderVars = 64 // the most variables of a border
	maxSweeps  = 30
	minMove    = 1e-7  // of a bound in a sweep, for another sweep
	rounding   = 1e-12 // of a sum of probabilities
)

// region holds the constraints of a variable's surroundings on its marginals.
type region struct {
	v      int
	border []int
	// lower and most are the extremes of the posteriors, by border variable, state of that variable
	// and state of v; with an empty border there is one posterior, and no border variable.
	lower, upper [][][]float64
}

// regions holds the regions of variables of one problem.
type regions struct {
	*Problem
	factorsOf [][]int // by variable: its factors
	slack     float64 // rounding of a logarithm
	list      []*region
}

// newRegions finds regions of all variables, or of the first until stop reports true.
func newRegions(p *Problem, stop func() bool) *regions {
	r := &regions{Problem: p, factorsOf: make([][]int, len(p.Card)), slack: p.slack()}
	for i := range p.Factors {
		for _, v := range p.Factors[i].Scope {
			r.factorsOf[v] = append(r.factorsOf[v], i)
		}
	}
	for v, n := range p.Card {
		if n == 1 || stop() {
			continue
		}
		if x := r.find(v); x != nil {
			r.list = append(r.list, x)
		}
	}
	return r
}

// borderOf returns the variables outside of inside that share a factor with one of it. A result of
// more than borderVars variables may lack some.
func (r *regions) borderOf(inside []int) (border []int) {
	for _, u := range inside {
		for _, i := range r.factorsOf[u] {
			for _, w := range r.Factors[i].Scope {
				if !slices.Contains(inside, w) && !slices.Contains(border, w) {
					border = append(border, w)
				}
			}
			if len(border) > borderVars {
				return border
			}
		}
	}
	return border
}

// sizeOf returns the number of joint states of some variables, or infinity for too many of them.
func (r *regions) sizeOf(vars []int) float64 {
	if len(vars) > borderVars {
		return math.Inf(1)
	}
	n := 1.0
	for _, v := range vars {
		n *= float64(r.Card[v])
	}
	return n
}

// find returns the largest region of v that grows by one border variable at a time and is within
// the limits; nil if none is.
func (r *regions) find(v int) *region {
	inside := []int{v}
	fits := []int{} // the numbers of variables with which the border is small enough
	for border := r.borderOf(inside); ; border = r.borderOf(inside) {
		if r.sizeOf(border)*float64(r.Card[v]) <= borderSize {
			fits = append(fits, len(inside))
		}
		if len(border) == 0 || len(inside) == regionVars {
			break
		}
		next, least := -1, math.Inf(1)
		for _, u := range border {
			if size := r.sizeOf(r.borderOf(append(slices.Clip(inside), u))); size < least {
				next, least = u, size
			}
		}
		if next < 0 || least*float64(r.Card[v]) > regionSize {
			break
		}
		inside = append(inside, next)
	}
	for _, n := range slices.Backward(fits) {
		border := r.borderOf(inside[:n])
		if table := r.project(v, inside[:n], border); table != nil {
			return r.extremes(v, border, table)
		}
	}
	return nil
}

// project sums the factors of a region over all its variables but v. The result is over v and then
// the border; nil if a table on the way is too large.
func (r *regions) project(v int, inside, border []int) []float64 {
	var factors []Factor
	var seen []int
	for _, u := range inside {
		for _, i := range r.factorsOf[u] {
			if !slices.Contains(seen, i) {
				seen = append(seen, i)
				factors = append(factors, r.Factors[i])
			}
		}
	}
	for i := len(inside) - 1; i > 0; i-- {
		u := inside[i]
		scope := []int{u}
		var rest []Factor
		var mine []Factor
		for _, f := range factors {
			if !slices.Contains(f.Scope, u) {
				rest = append(rest, f)
				continue
			}
			mine = append(mine, f)
			scope = union(scope, f.Scope)
		}
		if r.sizeOf(scope) > regionSize {
			return nil
		}
		product := r.product(scope, mine)
		axes, out := r.axes(scope), Factor{Scope: scope[1:]}
		out.Log = make([]float64, len(product)/r.Card[u])
		margin(out.Log, axes, strides(r.Card, scope, out.Scope), product, false)
		factors = append(rest, out)
	}
	return r.product(append([]int{v}, border...), factors)
}

func (r *regions) axes(scope []int) []int {
	axes := make([]int, len(scope))
	for i, u := range scope {
		axes[i] = r.Card[u]
	}
	return axes
}

// product multiplies factors over a scope.
func (r *regions) product(scope []int, factors []Factor) []float64 {
	out, axes := make([]float64, int(r.sizeOf(scope))), r.axes(scope)
	for _, f := range factors {
		add(out, axes, strides(r.Card, scope, f.Scope), f.Log)
	}
	return out
}

// extremes returns the region of v with a table over v and then the border.
func (r *regions) extremes(v int, border []int, table []float64) *region {
	out := &region{v: v, border: border}
	card := r.Card[v]
	states := len(table) / card
	of := append([]int{}, border...)
	if len(border) == 0 {
		of = []int{-1}
	}
	for _, u := range of {
		n := 1
		if u >= 0 {
			n = r.Card[u]
		}
		least, most := make([][]float64, n), make([][]float64, n)
		for j := range n {
			least[j], most[j] = slices.Repeat([]float64{math.Inf(1)}, card), slices.Repeat([]float64{math.Inf(-1)}, card)
		}
		out.lower, out.upper = append(out.lower, least), append(out.upper, most)
	}
	p := make([]float64, card)
	for s := range states {
		for k := range card {
			p[k] = table[k*states+s]
		}
		whole := pgmrt.LogSum(p)
		if math.IsInf(whole, -1) {
			continue // the border cannot have these states
		}
		rest := s
		for i := len(of) - 1; i >= 0; i-- {
			j := 0
			if of[i] >= 0 {
				j = rest % r.Card[of[i]]
				rest /= r.Card[of[i]]
			}
			for k := range card {
				x := math.Exp(p[k] - whole)
				out.lower[i][j][k] = min(out.lower[i][j][k], x*(1-2*r.slack))
				out.upper[i][j][k] = max(out.upper[i][j][k], x*(1+2*r.slack))
			}
		}
	}
	return out
}

// Bound is an interval that holds a probability.
type Bound struct{ Lower, Upper float64 }

// anything returns the bounds of unknown marginals.
func (p *Problem) anything() [][]Bound {
	out := make([][]Bound, len(p.Card))
	for v, n := range p.Card {
		out[v] = slices.Repeat([]Bound{{0, 1}}, n)
		if n == 1 {
			out[v][0].Lower = 1
		}
	}
	return out
}

// propagate tightens bounds of the marginals by the regions until nothing moves or stop reports
// true.
func (r *regions) propagate(of [][]Bound, stop func() bool) {
	for range maxSweeps {
		moved := 0.0
		for _, x := range r.list {
			if stop() {
				return
			}
			moved = max(moved, x.tighten(of))
		}
		if moved < minMove {
			return
		}
	}
}

// tighten moves the bounds of the region's variable by the bounds of its border, and returns by how
// much the furthest moved.
func (x *region) tighten(of [][]Bound) (moved float64) {
	for k := range of[x.v] {
		b := &of[x.v][k]
		before := *b
		for i := range x.lower {
			shares := []Bound{{1, 1}}
			if len(x.border) > 0 {
				shares = of[x.border[i]]
			}
			b.Lower = max(b.Lower, -mixture(shares, func(j int) float64 { return -x.lower[i][j][k] })-rounding)
			b.Upper = min(b.Upper, mixture(shares, func(j int) float64 { return x.upper[i][j][k] })+rounding)
		}
		b.order()
		moved = max(moved, b.Lower-before.Lower, before.Upper-b.Upper)
	}
	return moved + complement(of[x.v])
}

// order keeps the ends of a bound in order, which rounding may exchange.
func (b *Bound) order() {
	if b.Lower > b.Upper {
		b.Lower, b.Upper = b.Upper, b.Lower
	}
}

// complement tightens the bounds of one state by the bounds of the other states, since they sum to
// one, and returns by how much the furthest moved.
func complement(list []Bound) (moved float64) {
	lower, upper := ends(list)
	moved = pgmrt.Complement(lower, upper)
	for k := range list {
		list[k] = Bound{lower[k], upper[k]}
	}
	return moved
}

// mixture returns the largest mean of values with weights that are within bounds and sum to one.
// States without a value, which is infinite, have no weight.
func mixture(weights []Bound, value func(j int) float64) float64 {
	var order []int
	left, sum := 1.0, 0.0
	for j, w := range weights {
		if x := value(j); !math.IsInf(x, 0) {
			order = append(order, j)
			sum += w.Lower * x
			left -= w.Lower
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if value(a) > value(b) {
			return -1
		} else if value(a) < value(b) {
			return 1
		}
		return 0
	})
	for _, j := range order {
		take := min(left, weights[j].Upper-weights[j].Lower)
		if take <= 0 {
			continue
		}
		sum += take * value(j)
		left -= take
	}
	if left > 0 && len(order) > 0 { // rounding, or bounds of impossible states
		sum += left * value(order[0])
	}
	return sum
}
