package gauss

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// This file has the moments of variables of infinite variance. A variable x is its mean, a
// combination of sources, and Far[x]·δ, where the numbers δ are independent of everything and of
// infinite variance. An observation y with Far[y] other than 0 determines δ along Far[y] and
// nothing else, so that this direction leaves all of Far; no numbers grow without bound. What is
// left of Far after that is exactly 0 or well above rounding errors, since a row that loses all but
// leastFar of its length is set to 0.
//
// Source: Koopman and Durbin 2000, "Fast filtering and smoothing for multivariate state space
// models", with the root Far of their matrix of infinite variances.

// leastFar is the least length of a row of Far, relative to that before an operation, that is not
// rounding error.
const leastFar = 1e-10

// PushDiffuse adds a variable of infinite variance, which is unknown number k.
func (m *Moments) PushDiffuse(c *circuit.Circuit, y model.VarID, k int) {
	m.Push(c, y, &Regression{})
	m.Far[len(m.Far)-1][k] = circuit.One
}

// far returns the row of a variable in Far, or nil if it is 0 in all evidence.
func (m *Moments) far(v model.VarID) []circuit.Node {
	if m.Unknown == 0 {
		return nil
	}
	row := m.Far[slices.Index(m.Scope, v)]
	if !slices.ContainsFunc(row, func(x circuit.Node) bool { return x != circuit.Zero }) {
		return nil
	}
	return row
}

// IsDiffuse returns 1 if a variable has an infinite variance, and else 0; and the square of the
// length of its row of Far.
func (m *Moments) IsDiffuse(c *circuit.Circuit, v model.VarID) (flag, square circuit.Node) {
	row := m.far(v)
	square = dot(c, row, row)
	return Positive(c, square), square
}

// Variance returns the variance of a variable, which may be infinite.
func (m *Moments) Variance(c *circuit.Circuit, v model.VarID) circuit.Node {
	if m.far(v) == nil {
		return m.Between(v, v)
	}
	flag, _ := m.IsDiffuse(c, v)
	return c.Quot(c.Sum(m.Between(v, v), flag), c.Sub(circuit.One, flag)) // at least 1 over 0, if it is infinite
}

func dot(c *circuit.Circuit, a, b []circuit.Node) circuit.Node {
	sum := circuit.Zero
	for k := range a {
		sum = c.Sum(sum, c.Prod(a[k], b[k]))
	}
	return sum
}

// significant returns row, or 0 if its square is at most leastFar² of that before.
func significant(c *circuit.Circuit, row []circuit.Node, before circuit.Node) []circuit.Node {
	keep := Positive(c, c.Sub(dot(c, row, row), c.Prod(c.Const(leastFar*leastFar), before)))
	out := make([]circuit.Node, len(row))
	for k := range row {
		out[k] = c.Prod(keep, row[k])
	}
	return out
}

// farOf returns the row of Far of a variable with the regression r.
func (m *Moments) farOf(c *circuit.Circuit, r *Regression) []circuit.Node {
	row := make([]circuit.Node, m.Unknown)
	before, terms := circuit.Zero, 0
	for i, u := range r.On {
		of := m.far(u)
		if of == nil || r.Coef[i] == circuit.Zero {
			continue
		}
		terms++
		before = c.Sum(before, c.Prod(c.Prod(r.Coef[i], r.Coef[i]), dot(c, of, of)))
		for k := range row {
			row[k] = c.Sum(row[k], c.Prod(r.Coef[i], of[k]))
		}
	}
	if terms > 1 { // they may cancel
		row = significant(c, row, before)
	}
	return row
}

// without returns the row of Far of u after v has been observed, if flag is 1.
func (m *Moments) without(c *circuit.Circuit, u, v model.VarID, flag, gain circuit.Node) []circuit.Node {
	row, of := m.Far[slices.Index(m.Scope, u)], m.Far[slices.Index(m.Scope, v)]
	out := make([]circuit.Node, len(row))
	for k := range row {
		if u == v {
			out[k] = c.Prod(c.Sub(circuit.One, flag), row[k])
		} else {
			out[k] = c.Sub(row[k], c.Prod(flag, c.Prod(gain, of[k])))
		}
	}
	if u == v || m.far(u) == nil {
		return out
	}
	return significant(c, out, dot(c, row, row))
}
