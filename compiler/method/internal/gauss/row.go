package gauss

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Row is the normal density, at 0, of a number with mean Mean + Coef·x(On) and variance Var, without
// the factor 1/√2π. The row with mean 0, no variables and variance 1 is the function 1. A CPD is a
// row too: the number is the child, relative to its observed value.
type Row struct {
	Regression
	Bounds
}

// Bounds holds what is known of the numbers of a row while code is planned: bounds of the variance
// and, by variable, of the absolute coefficients. They may be infinite.
type Bounds struct {
	Low, High float64
	Most      []float64
}

// NewRow returns a row. A coefficient that is the constant 0 is left out.
func NewRow(r Regression, b Bounds) *Row {
	out := &Row{Regression{Mean: r.Mean, Var: r.Var}, Bounds{Low: b.Low, High: b.High}}
	for i, x := range r.Coef {
		if x != circuit.Zero {
			out.On, out.Coef, out.Most = append(out.On, r.On[i]), append(out.Coef, x), append(out.Most, b.Most[i])
		}
	}
	return out
}

// at returns the coefficient of a variable and its bound: 0 if the row does not have it.
func (r *Row) at(v model.VarID) (circuit.Node, float64) {
	if i := slices.Index(r.On, v); i >= 0 {
		return r.Coef[i], r.Most[i]
	}
	return circuit.Zero, 0
}

// Says reports whether the row is anything else than the function 1.
func (r *Row) Says() bool {
	return len(r.On) > 0 || r.Mean != circuit.Zero || r.Var != circuit.One
}

// scaled is a multiple of a row, with a bound of the absolute factor.
type scaled struct {
	row  *Row
	by   circuit.Node
	most float64
}

// combine returns the row a + b without the variable y, and with the given variance.
func combine(c *circuit.Circuit, y model.VarID, a, b scaled, variance circuit.Node, low, high float64) *Row {
	on := slices.Concat(a.row.On, b.row.On)
	slices.Sort(on)
	on = slices.DeleteFunc(slices.Compact(on), func(v model.VarID) bool { return v == y })
	r := Regression{On: on, Mean: c.Sum(c.Prod(a.by, a.row.Mean), c.Prod(b.by, b.row.Mean)), Var: variance}
	bounds := Bounds{Low: low, High: high}
	for _, v := range on {
		x, most := a.row.at(v)
		z, more := b.row.at(v)
		r.Coef = append(r.Coef, c.Sum(c.Prod(a.by, x), c.Prod(b.by, z)))
		bounds.Most = append(bounds.Most, product(a.most, most)+product(b.most, more))
	}
	return NewRow(r, bounds)
}

// product returns a bound of a product from those of its factors, of which either may be 0.
func product(a, b float64) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	return a * b
}

// root returns √(high/low)/2, the bound of bv/(s + b²v) for variances v up to high and s from low on.
func root(high, low float64) float64 {
	if high == 0 {
		return 0
	}
	return math.Sqrt(high/low) / 2
}

// Pull integrates variable y out of the product of its CPD and rows. If seen is 1, it sets y to 0
// instead, and the CPD is a row of the result if density is 1 too. kept is the distribution of y
// given the other variables, which the way down uses. The variance of the CPD may be 0.
//
// Each row is exchanged with the distribution of y. If y has mean α and variance v, and the number
// of the row mean a + b·y and variance s, then that number has mean a + b·α and variance
// t = s + b²v without y, and y given the number has mean (s/t)α - (bv/t)a and variance vs/t.
func Pull(c *circuit.Circuit, y model.VarID, cpd *Row, rows []*Row, seen, density circuit.Node) (kept *Regression, out []*Row) {
	unseen := c.Sub(circuit.One, seen)
	of := cpd
	for _, r := range rows {
		b, most := r.at(y)
		if b == circuit.Zero {
			out = append(out, r)
			continue
		}
		b = c.Prod(unseen, b)
		bv := c.Prod(b, of.Var)
		total := c.Sum(r.Var, c.Prod(b, bv))
		share, gain := c.Quot(r.Var, total), c.Quot(bv, total)
		one := scaled{r, circuit.One, 1}
		out = append(out, combine(c, y, one, scaled{of, b, most}, total, r.Low, r.High+product(product(most, most), of.High)))
		of = combine(c, y, scaled{of, share, 1}, scaled{r, c.Neg(gain), root(of.High, r.Low)}, c.Prod(share, of.Var), 0, of.High)
	}
	kept = &Regression{On: of.On, Mean: c.Prod(unseen, of.Mean), Var: c.Prod(unseen, of.Var)}
	for _, x := range of.Coef {
		kept.Coef = append(kept.Coef, c.Prod(unseen, x))
	}
	if own := cpd.when(c, c.Prod(seen, density)); own.Says() {
		out = append(out, own)
	}
	return kept, out
}

// when returns r if flag is 1, and the function 1 if it is 0.
func (r *Row) when(c *circuit.Circuit, flag circuit.Node) *Row {
	out := Regression{On: r.On, Mean: c.Prod(flag, r.Mean), Var: Or(c, flag, r.Var, circuit.One)}
	for _, x := range r.Coef {
		out.Coef = append(out.Coef, c.Prod(flag, x))
	}
	return NewRow(out, Bounds{Low: min(r.Low, 1), High: max(r.High, 1), Most: r.Most})
}

// Triangular returns rows with the same product as the given ones: first at most one for each
// variable of order, which has the variables from that one on, and then rows without variables.
func Triangular(c *circuit.Circuit, rows []*Row, order []model.VarID) (out []*Row) {
	pivots := make([]*Row, len(order))
	var rest []*Row
	for _, r := range rows {
		for i, v := range order {
			if x, _ := r.at(v); x == circuit.Zero {
				continue
			}
			if pivots[i] == nil {
				pivots[i], r = r, nil
				break
			}
			pivots[i], r = rotate(c, v, pivots[i], r)
		}
		if r != nil && r.Says() {
			rest = append(rest, r)
		}
	}
	for _, r := range pivots {
		if r != nil {
			out = append(out, r)
		}
	}
	return append(out, rest...)
}

// rotate returns two rows with the product of a and b, of which the second does not have v. With
// coefficients p and q of v, relative to the larger one, and variances s and t, that row is
// q·a - p·b and has the variance d = p²t + q²s; the first one is (pt·a + qs·b)/d and has the variance
// st/d. The product of the variances stays the same. If both coefficients are 0, nothing changes.
func rotate(c *circuit.Circuit, v model.VarID, a, b *Row) (with, without *Row) {
	x, mostA := a.at(v)
	y, mostB := b.at(v)
	larger := c.Max(c.Max(x, c.Neg(x)), c.Max(y, c.Neg(y)))
	none := c.Sub(circuit.One, c.Ratio(larger, larger))
	p, q := c.Ratio(x, larger), c.Ratio(y, larger)
	pt, qs := c.Prod(p, b.Var), c.Prod(q, a.Var)
	d := c.Sum(c.Sum(c.Prod(p, pt), c.Prod(q, qs)), c.Prod(none, b.Var))
	without = combine(c, v, scaled{a, q, 1}, scaled{b, c.Sub(none, p), 1}, d, min(a.Low, b.Low), a.High+b.High)
	moreA, moreB := max(1, root(b.High, a.Low)), max(1, root(a.High, b.Low))
	with = combine(c, v, scaled{a, c.Sum(c.Quot(pt, d), none), moreA}, scaled{b, c.Quot(qs, d), moreB}, c.Quot(c.Prod(a.Var, b.Var), d),
		min(a.Low, b.Low)/2, max(a.High, b.High))
	with.On, with.Coef, with.Most = append(with.On, v), append(with.Coef, larger), append(with.Most, max(mostA, mostB))
	return with, without
}

// Replace returns the row of y, a new variable in place of v, which is y + shift + slope·x. v is not
// among x.
func (r *Row) Replace(c *circuit.Circuit, v model.VarID, slope map[model.VarID]circuit.Node, shift circuit.Node) *Row {
	b, _ := r.at(v)
	if b == circuit.Zero {
		return r
	}
	times := make(map[model.VarID]circuit.Node, len(slope))
	for u, x := range slope {
		times[u] = c.Prod(b, x)
	}
	return r.Plus(c, times, c.Prod(b, shift))
}

// Plus returns the row whose number is larger by shift + slope·x.
func (r *Row) Plus(c *circuit.Circuit, slope map[model.VarID]circuit.Node, shift circuit.Node) *Row {
	on := slices.Clone(r.On)
	for u := range slope {
		on = append(on, u)
	}
	slices.Sort(on)
	out := Regression{On: slices.Compact(on), Mean: c.Sum(r.Mean, shift), Var: r.Var}
	bounds := Bounds{Low: r.Low, High: r.High}
	for _, u := range out.On {
		x, most := r.at(u)
		if y, ok := slope[u]; ok {
			x, most = c.Sum(x, y), math.Inf(1)
		}
		out.Coef, bounds.Most = append(out.Coef, x), append(bounds.Most, most)
	}
	return NewRow(out, bounds)
}
