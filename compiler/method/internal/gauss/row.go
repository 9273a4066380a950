package gauss

import (
	"cmp"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Row is the normal density, at 0, of a number with mean Mean + Coef·x(On) and variance Var,
// without the factor 1/√2π. The row with mean 0, no variables and variance 1 is the function 1. A
// CPD is a row too: the number is the child, relative to its observed value.
type Row struct {
	Regression
	Bounds
	Precision circuit.Node // 1/Var, of a CPD; anything if Var is 0
}

// Bounds holds bounds of the numbers of a row while code is planned: bounds of the variance and, by
// variable, of the absolute coefficients. They may be infinite.
type Bounds struct {
	Low, High float64
	Most      []float64
	Noise     float64 // about the least variance if the row is not the function 1
}

// NewRow returns a row. A coefficient that is the constant 0 is left out.
func NewRow(r Regression, b Bounds) *Row {
	out := &Row{Regression: Regression{Mean: r.Mean, Var: r.Var}, Bounds: Bounds{Low: b.Low, High: b.High, Noise: b.Noise}}
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

// combine returns a row without the variable y and with the given variance, within bounds. join,
// the sum or the difference, makes its numbers from a's and b's.
func combine(c *circuit.Circuit, join func(a, b circuit.Node) circuit.Node, y model.VarID, a, b scaled, variance circuit.Node, bounds Bounds) *Row {
	on := slices.Concat(a.row.On, b.row.On)
	slices.Sort(on)
	on = slices.DeleteFunc(slices.Compact(on), func(v model.VarID) bool { return v == y })
	r := Regression{On: on, Mean: join(c.Prod(a.by, a.row.Mean), c.Prod(b.by, b.row.Mean)), Var: variance}
	bounds.Noise = a.row.Noise
	for _, v := range on {
		x, most := a.row.at(v)
		z, more := b.row.at(v)
		r.Coef = append(r.Coef, join(c.Prod(a.by, x), c.Prod(b.by, z)))
		bounds.Most = append(bounds.Most, product(a.most, most)+product(b.most, more))
	}
	return NewRow(r, bounds)
}

// product returns a bound of a product from the bounds of its factors, which may be 0.
func product(a, b float64) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	return a * b
}

// root returns √(high/low)/2, the bound of bv/(s + b²v) for variances v up to high and s from low
// on.
func root(high, low float64) float64 {
	if high == 0 {
		return 0
	}
	return math.Sqrt(high/low) / 2
}

// Square is what rows without variables become: exp(-Value/2)/√Var. Low and High are bounds of Var.
type Square struct {
	Value, Var circuit.Node
	Low, High  float64
}

// square returns the square of a row without variables, and 1/Var is precision.
func (r *Row) square(c *circuit.Circuit, precision circuit.Node) Square {
	return Square{c.Prod(precision, c.Prod(r.Mean, r.Mean)), r.Var, r.Low, r.High}
}

// Pull integrates variable y out of the product of its CPD and rows. If seen is 1, y is 0 instead,
// the rows do not have it, and the CPD is a row of the result if density is 1 too; unseen is 1 -
// seen. kept is the distribution of y given the other variables, which the way down uses. The
// variance of the CPD may be 0.
//
// Each row is exchanged with the distribution of y. If y has mean α and variance v, and the number
// of the row mean a + b·y and variance s, then that number has mean a + b·α and variance t = s +
// b²v without y, and y given the number has mean (s/t)α - (bv/t)a and variance vs/t. The rows that
// say least of y come first: one that says much, and more of another variable, makes y depend
// steeply on that, so that digits of the means of later rows would cancel. A row that has no other
// variable says nothing of any if y is seen, and the CPD nothing if it is not: one row is then
// either.
func Pull(c *circuit.Circuit, y model.VarID, cpd *Row, rows []*Row, seen, unseen, density circuit.Node) (kept *Regression, out []*Row, squares []Square) {
	of, own := cpd, cpd.when(c, c.Prod(seen, density))
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b *Row) int { return cmp.Compare(b.noise(y), a.noise(y)) })
	for i := 0; i < len(rows); i++ {
		r := rows[i]
		b, most := r.at(y)
		if b == circuit.Zero {
			out = append(out, r)
			continue
		}
		if i+1 < len(rows) && len(of.On) == 0 && len(r.On) == 1 && slices.Equal(r.On, rows[i+1].On) {
			given, both := of.pair(c, r, rows[i+1])
			of, squares = given, append(squares, both)
			i++
			continue
		}
		bv := c.Prod(b, of.Var)
		total := c.Sum(r.Var, c.Prod(b, bv))
		part := c.Quot(circuit.One, total)
		share, gain := c.Prod(part, r.Var), c.Prod(part, bv)
		marginal := combine(c, c.Sum, y, scaled{r, circuit.One, 1}, scaled{of, b, most}, total, Bounds{Low: r.Low, High: r.High + product(product(most, most), of.High)})
		if len(r.On) == 1 && len(marginal.On) > 0 && own != nil && own.Says() {
			either, square := marginal.or(c, cpd, c.Prod(seen, density), part)
			out, squares, own = append(out, either), append(squares, square), nil
		} else if len(marginal.On) > 0 {
			out = append(out, marginal)
		} else {
			squares = append(squares, marginal.square(c, part))
		}
		of = combine(c, c.Sub, y, scaled{of, share, 1}, scaled{r, gain, root(of.High, r.Low)}, c.Prod(share, of.Var), Bounds{High: of.High})
	}
	kept = &Regression{On: of.On, Mean: c.Prod(unseen, of.Mean), Var: c.Prod(unseen, of.Var)}
	for _, x := range of.Coef {
		kept.Coef = append(kept.Coef, c.Prod(unseen, x))
	}
	switch {
	case own == nil:
	case len(own.On) > 0:
		out = append(out, own)
	case own.Says():
		squares = append(squares, own.square(c, cpd.Precision))
	}
	return kept, out, squares
}

// or returns the row that is other if flag is 1, and r if it is 0. If flag is 1, the coefficients
// of r are 0: r is then the square, which is 1 if flag is 0. part is 1/r.Var.
func (r *Row) or(c *circuit.Circuit, other *Row, flag, part circuit.Node) (either *Row, square Square) {
	out := Regression{On: r.On, Mean: Or(c, flag, other.Mean, r.Mean), Var: Or(c, flag, other.Var, r.Var)}
	bounds := Bounds{Low: min(r.Low, other.Low), High: max(r.High, other.High), Noise: min(r.Noise, other.Noise)}
	for i, v := range r.On {
		x, most := other.at(v)
		out.Coef, bounds.Most = append(out.Coef, c.Sum(r.Coef[i], c.Prod(flag, x))), append(bounds.Most, max(r.Most[i], most))
	}
	square = Square{c.Prod(c.Prod(flag, part), c.Prod(r.Mean, r.Mean)), Or(c, flag, r.Var, circuit.One), min(r.Low, 1), max(r.High, 1)}
	return NewRow(out, bounds), square
}

// noise returns about the variance of the row's statement about y if it has no other variables.
func (r *Row) noise(y model.VarID) float64 {
	_, most := r.at(y)
	return r.Noise / (most * most)
}

// pair exchanges two rows that have only the variable y with its distribution r, which has no other
// variables, by one division. With the means e and f of the numbers, their coefficients p and q,
// and their variances s and t, the determinant of their covariances is st + p²vt + q²vs, and the
// square is (te² + sf² + v(qe - pf)²) divided by it.
func (r *Row) pair(c *circuit.Circuit, a, b *Row) (given *Row, both Square) {
	p, q, v := a.Coef[0], b.Coef[0], r.Var
	pt, qs, st := c.Prod(p, b.Var), c.Prod(q, a.Var), c.Prod(a.Var, b.Var)
	det := c.Sum(st, c.Prod(v, c.Sum(c.Prod(p, pt), c.Prod(q, qs))))
	part := c.Quot(circuit.One, det)
	e, f := c.Sum(a.Mean, c.Prod(p, r.Mean)), c.Sum(b.Mean, c.Prod(q, r.Mean))
	off := c.Sub(c.Prod(q, e), c.Prod(p, f))
	value := c.Sum(c.Sum(c.Prod(b.Var, c.Prod(e, e)), c.Prod(a.Var, c.Prod(f, f))), c.Prod(v, c.Prod(off, off)))
	high := a.High*b.High + product(r.High, product(product(a.Most[0], a.Most[0]), b.High)+product(product(b.Most[0], b.Most[0]), a.High))
	both = Square{c.Prod(part, value), det, a.Low * b.Low, high}
	mean := c.Sub(c.Prod(st, r.Mean), c.Prod(v, c.Sum(c.Prod(pt, a.Mean), c.Prod(qs, b.Mean))))
	given = NewRow(Regression{Mean: c.Prod(part, mean), Var: c.Prod(part, c.Prod(st, v))}, Bounds{High: r.High})
	return given, both
}

// when returns r if flag is 1, and the function 1 if it is 0.
func (r *Row) when(c *circuit.Circuit, flag circuit.Node) *Row {
	out := Regression{On: r.On, Mean: c.Prod(flag, r.Mean), Var: Or(c, flag, r.Var, circuit.One)}
	for _, x := range r.Coef {
		out.Coef = append(out.Coef, c.Prod(flag, x))
	}
	return NewRow(out, Bounds{Low: min(r.Low, 1), High: max(r.High, 1), Most: r.Most, Noise: r.Noise})
}

// Triangular returns rows and squares with the same product as the given rows: at most one row for
// each variable of order, which has the variables from that one on. Rows of few variables come
// first, since a rotation gives both rows the variables of either.
func Triangular(c *circuit.Circuit, rows []*Row, order []model.VarID) (out []*Row, squares []Square) {
	pivots := make([]*Row, len(order))
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b *Row) int { return len(a.On) - len(b.On) })
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
			squares = append(squares, r.square(c, c.Quot(circuit.One, r.Var)))
		}
	}
	return slices.DeleteFunc(pivots, func(r *Row) bool { return r == nil }), squares
}

// rotate returns two rows with the product of a and b. The second does not have v. With
// coefficients p and q of v, relative to the larger one, and variances s and t, that row is q·a -
// p·b and has the variance d = p²t + q²s; the first one is (pt·a + qs·b)/d and has the variance
// st/d. The product of the variances stays the same. If both coefficients are 0, nothing changes.
func rotate(c *circuit.Circuit, v model.VarID, a, b *Row) (with, without *Row) {
	x, mostA := a.at(v)
	y, mostB := b.at(v)
	larger := c.Max(c.Max(x, c.Neg(x)), c.Max(y, c.Neg(y)))
	none := c.Sub(circuit.One, c.Ratio(larger, larger))
	p, q := c.Ratio(x, larger), c.Ratio(y, larger)
	pt, qs := c.Prod(p, b.Var), c.Prod(q, a.Var)
	d := c.Sum(c.Sum(c.Prod(p, pt), c.Prod(q, qs)), c.Prod(none, b.Var))
	without = combine(c, c.Sum, v, scaled{a, q, 1}, scaled{b, c.Sub(none, p), 1}, d, Bounds{Low: min(a.Low, b.Low), High: a.High + b.High})
	moreA, moreB := max(1, root(b.High, a.Low)), max(1, root(a.High, b.Low))
	with = combine(c, c.Sum, v, scaled{a, c.Sum(c.Quot(pt, d), none), moreA}, scaled{b, c.Quot(qs, d), moreB}, c.Quot(c.Prod(a.Var, b.Var), d),
		Bounds{Low: min(a.Low, b.Low) / 2, High: max(a.High, b.High)})
	with.On, with.Coef, with.Most = append(with.On, v), append(with.Coef, larger), append(with.Most, max(mostA, mostB))
	return with, without
}

// Without returns the row with the coefficient of v times open, which is 0 if v is 0.
func (r *Row) Without(c *circuit.Circuit, v model.VarID, open circuit.Node) *Row {
	i := slices.Index(r.On, v)
	if i < 0 || open == circuit.One {
		return r
	}
	out := *r
	out.Coef = slices.Clone(r.Coef)
	out.Coef[i] = c.Prod(open, r.Coef[i])
	return &out
}

// Replace returns the row of y, a new variable in place of v, which is y + shift + slope·x. v is
// not among x.
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

// Plus returns the row with a number that is larger by shift + slope·x.
func (r *Row) Plus(c *circuit.Circuit, slope map[model.VarID]circuit.Node, shift circuit.Node) *Row {
	on := slices.Clone(r.On)
	for u := range slope {
		on = append(on, u)
	}
	slices.Sort(on)
	out := Regression{On: slices.Compact(on), Mean: c.Sum(r.Mean, shift), Var: r.Var}
	bounds := Bounds{Low: r.Low, High: r.High, Noise: r.Noise}
	for _, u := range out.On {
		x, most := r.at(u)
		if y, ok := slope[u]; ok {
			x, most = c.Sum(x, y), math.Inf(1)
		}
		out.Coef, bounds.Most = append(out.Coef, x), append(bounds.Most, most)
	}
	row := NewRow(out, bounds)
	row.Precision = r.Precision
	return row
}
