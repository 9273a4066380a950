package gauss

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// This file has moments with covariances that are kept as factors: each variable is its mean plus a
// linear combination of independent sources. A variance is a sum of squares times variances of
// sources, so that it is never negative. It keeps its digits however much more precise a
// measurement is than the variable that it measures, since conditioning multiplies variances of
// sources by ratios of sums of positive terms. What exact measurements determine has the variance
// 0, not a rounding error, so that a measurement of it is recognised.
//
// Source: Bierman 1977, "Factorization Methods for Discrete Sequential Estimation", chapter V, with
// sources instead of a triangular matrix; a belief is made triangular by his modified Gram-Schmidt
// orthogonalization (chapter VI).

// factors holds the sources of moments.
type factors struct {
	c        *circuit.Circuit
	exact    bool             // some variable is a function of others
	variance []circuit.Node   // by source
	coef     [][]circuit.Node // by variable: its coefficients of sources; those missing at the end are 0
}

// leastCoefficient is the least coefficient of a source relative to the terms that it is the sum
// of. A smaller one is the rounding error of a few hundred operations.
const leastCoefficient = 1e-13

func abs(c *circuit.Circuit, x circuit.Node) circuit.Node { return c.Max(x, c.Neg(x)) }

// significant returns x, or 0 if it is a rounding error beside numbers of the given size. It is x
// unless some variable is a function of others, since an error matters only where the rest is 0.
func (f *factors) significant(x, size circuit.Node) circuit.Node {
	if !f.exact {
		return x
	}
	return f.c.Prod(x, Positive(f.c, f.c.Sub(abs(f.c, x), f.c.Prod(f.c.Const(leastCoefficient), size))))
}

// less returns x - y, or 0 if they differ by a rounding error.
func (f *factors) less(x, y circuit.Node) circuit.Node {
	d := f.c.Sub(x, y)
	if x == circuit.Zero || y == circuit.Zero {
		return d
	}
	return f.significant(d, f.c.Sum(abs(f.c, x), abs(f.c, y)))
}

// of returns the coefficient of source k in a row.
func of(row []circuit.Node, k int) circuit.Node {
	if k < len(row) {
		return row[k]
	}
	return circuit.Zero
}

// product returns the covariance of two linear combinations of sources.
func (f *factors) product(a, b []circuit.Node) circuit.Node {
	sum := circuit.Zero
	for k := range min(len(a), len(b)) {
		sum = f.c.Sum(sum, f.c.Prod(f.c.Prod(a[k], b[k]), f.variance[k]))
	}
	return sum
}

// rows returns copies of the rows of all variables, with a coefficient of each source.
func (f *factors) rows() (list [][]circuit.Node) {
	for _, row := range f.coef {
		list = append(list, append(slices.Clone(row), make([]circuit.Node, len(f.variance)-len(row))...))
	}
	return list
}

// Factored returns moments of variables from a belief with the means and the numbers of
// [Moments.Triangle]. Exact says that some variable may be a function of others.
func Factored(c *circuit.Circuit, scope []model.VarID, mean []circuit.Node, triangle [][]circuit.Node, exact bool) *Moments {
	f := &factors{c: c, exact: exact}
	for i, row := range triangle {
		f.variance = append(f.variance, row[i])
		f.coef = append(f.coef, append(slices.Clone(row[:i]), circuit.One))
	}
	m := &Moments{Scope: slices.Clone(scope), Mean: mean, factors: f}
	if exact {
		for _, x := range mean {
			m.size = append(m.size, abs(c, x))
		}
	}
	return m
}

// Factor returns m, which has covariances, with factors of them.
func (m *Moments) Factor(c *circuit.Circuit, exact bool) *Moments {
	f := &factors{c: c, exact: exact}
	triangle := make([][]circuit.Node, len(m.Scope))
	for i, row := range m.Cov {
		triangle[i] = make([]circuit.Node, i+1)
		for j, x := range row {
			sum := circuit.Zero
			for k := range j {
				sum = c.Sum(sum, c.Prod(c.Prod(triangle[i][k], triangle[j][k]), triangle[k][k]))
			}
			if x = f.less(x, sum); j < i {
				triangle[i][j] = c.Ratio(x, triangle[j][j])
			} else if triangle[i][i] = x; sum != circuit.Zero {
				triangle[i][i] = c.Max(x, circuit.Zero)
			}
		}
	}
	return Factored(c, m.Scope, m.Mean, triangle, exact)
}

// Covariances returns the lower triangle of the covariances of some variables.
func (m *Moments) Covariances(vars []model.VarID) (out [][]circuit.Node) {
	for i, v := range vars {
		var row []circuit.Node
		for _, w := range vars[:i+1] {
			row = append(row, m.Between(v, w))
		}
		out = append(out, row)
	}
	return out
}

// Triangle returns the numbers besides means that a belief about some variables has: covariances,
// or the lower triangle of factors of them. Factors are variances of sources on the diagonal, and
// on the left of it the coefficients of the sources before it, the own one being 1.
func (m *Moments) Triangle(vars []model.VarID) [][]circuit.Node {
	if m.factors == nil {
		return m.Covariances(vars)
	}
	f, all := m.factors, m.factors.rows()
	out := make([][]circuit.Node, len(vars))
	var rows [][]circuit.Node
	for i, v := range vars {
		rows, out[i] = append(rows, all[slices.Index(m.Scope, v)]), make([]circuit.Node, i+1)
	}
	for i, row := range rows {
		out[i][i] = f.product(row, row)
		for j := i + 1; j < len(rows); j++ {
			out[j][i] = f.c.Ratio(f.product(row, rows[j]), out[i][i])
			for k := range row {
				rows[j][k] = f.less(rows[j][k], f.c.Prod(out[j][i], row[k]))
			}
		}
	}
	return out
}

// push adds the row of a variable with the regression r.
func (f *factors) push(scope []model.VarID, r *Regression) *factors {
	out := &factors{f.c, f.exact, slices.Clone(f.variance), slices.Clone(f.coef)}
	row := make([]circuit.Node, len(f.variance))
	for k := range row {
		size, terms := circuit.Zero, 0
		for i, u := range r.On {
			x := f.c.Prod(r.Coef[i], of(f.coef[slices.Index(scope, u)], k))
			if x == circuit.Zero {
				continue
			}
			row[k], size = f.c.Sum(row[k], x), f.c.Sum(size, abs(f.c, x))
			terms++
		}
		if terms > 1 {
			row[k] = f.significant(row[k], size)
		}
	}
	if r.Var != circuit.Zero {
		row, out.variance = append(row, circuit.One), append(out.variance, r.Var)
	}
	out.coef = append(out.coef, row)
	return out
}

// sized adds the size of the mean of a variable with the regression r.
func (m *Moments) sized(c *circuit.Circuit, r *Regression) {
	if !m.factors.exact {
		return
	}
	size := abs(c, r.Mean)
	for k, u := range r.On {
		size = c.Sum(size, c.Prod(abs(c, r.Coef[k]), m.size[slices.Index(m.Scope, u)]))
	}
	m.size = append(slices.Clip(m.size), size)
}

// conditionFactors is Condition. A variable of infinite variance determines an unknown number
// first; the rest of its own row is 0 then.
func (m *Moments) conditionFactors(c *circuit.Circuit, v model.VarID, seen, value circuit.Node) {
	f := &factors{c, m.factors.exact, slices.Clone(m.factors.variance), m.factors.rows()}
	at, unseen, off := slices.Index(m.Scope, v), c.Sub(circuit.One, seen), c.Sub(value, m.Of(v))
	mean := slices.Clone(m.Mean)
	if m.far(v) != nil {
		m.determine(f, mean, v, seen, off)
	}
	gain := f.observe(at, seen)
	for i := range mean {
		mean[i] = c.Sum(mean[i], c.Prod(gain[i], off))
	}
	if m.size != nil {
		size := slices.Clone(m.size)
		for i := range size {
			size[i] = c.Sum(size[i], c.Prod(abs(c, gain[i]), c.Sum(abs(c, value), m.size[at])))
		}
		size[at] = c.Sum(c.Prod(unseen, m.size[at]), c.Prod(seen, abs(c, value)))
		m.size = size
	}
	mean[at] = c.Sum(c.Prod(unseen, m.Mean[at]), c.Prod(seen, value)) // exactly the value if it is seen
	m.Mean, m.factors = mean, f
}

// determine uses an observation of v that has an infinite variance: an unknown number follows from
// it, in means and rows.
func (m *Moments) determine(f *factors, mean []circuit.Node, v model.VarID, seen, off circuit.Node) {
	c, at := f.c, slices.Index(m.Scope, v)
	flag, square := m.IsDiffuse(c, v)
	flag = c.Prod(flag, seen)
	row, far := f.coef[at], slices.Clone(m.Far)
	for i, u := range m.Scope {
		gain := c.Ratio(dot(c, m.far(u), m.far(v)), square)
		far[i] = m.without(c, u, v, flag, gain)
		if i == at || gain == circuit.Zero {
			continue
		}
		gain = c.Prod(flag, gain)
		mean[i] = c.Sum(mean[i], c.Prod(gain, off))
		for k, x := range row {
			f.coef[i][k] = f.less(f.coef[i][k], c.Prod(gain, x))
		}
	}
	rest := make([]circuit.Node, len(row))
	for k, x := range row {
		rest[k] = c.Prod(c.Sub(circuit.One, flag), x)
	}
	f.coef[at], m.Far = rest, far
}

// observe conditions the sources on the value of the variable with row number at, if seen is 1. It
// returns the change of each mean by the difference of that value from its mean. The newest source
// comes first: the source of a measurement is its noise.
func (f *factors) observe(at int, seen circuit.Node) (gain []circuit.Node) {
	c := f.c
	row, gain := slices.Clone(f.coef[at]), make([]circuit.Node, len(f.coef))
	unseen, total, sure := c.Sub(circuit.One, seen), circuit.Zero, false
	for k := len(row) - 1; k >= 0; k-- {
		a := c.Prod(seen, row[k])
		g := c.Prod(a, f.variance[k]) // the covariance of the source and the variable
		if g == circuit.Zero {
			continue
		}
		sum := c.Sum(total, c.Prod(a, g))
		sure = sure || row[k] == circuit.One && c.Op(f.variance[k]) == circuit.Const && c.Value(f.variance[k]) > 0
		none := unseen // 1 if sum is 0
		if !sure {
			none = c.Sub(circuit.One, Positive(c, sum))
		}
		share := c.Ratio(a, total)
		for i := range f.coef {
			if i != at {
				x := f.coef[i][k]
				f.coef[i][k] = f.less(x, c.Prod(share, gain[i]))
				gain[i] = c.Sum(gain[i], c.Prod(x, g))
			}
		}
		f.variance[k] = c.Prod(f.variance[k], c.Quot(c.Sum(total, none), c.Sum(sum, none)))
		total = sum
	}
	share := c.Ratio(circuit.One, total)
	for i := range gain {
		gain[i] = c.Prod(gain[i], share)
	}
	for k := range row {
		f.coef[at][k] = c.Prod(unseen, row[k]) // exactly 0 if it is seen
	}
	return gain
}

// joinFactors is Join. The sources of rest are independent of all's.
func (m *Moments) joinFactors(c *circuit.Circuit, rest *Moments, kept []*Regression) {
	n := len(m.factors.variance)
	joined := *m.factors
	joined.variance = slices.Concat(joined.variance, rest.factors.variance)
	m.factors = &joined
	for i, v := range rest.Scope {
		own := *kept[i]
		own.Var = circuit.Zero
		m.Push(c, v, &own)
		copy(m.factors.coef[len(m.Scope)-1][n:], rest.factors.coef[i])
	}
}
