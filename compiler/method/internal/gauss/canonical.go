package gauss

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Positive returns 1 if x is above 0, and 0 otherwise.
func Positive(c *circuit.Circuit, x circuit.Node) circuit.Node {
	above := c.Max(x, circuit.Zero)
	return c.Ratio(above, above)
}

// Or returns x if flag is 1, and other if flag is 0. Both must be finite.
func Or(c *circuit.Circuit, flag, x, other circuit.Node) circuit.Node {
	return c.Sum(c.Prod(flag, x), c.Prod(c.Sub(circuit.One, flag), other))
}

// leastPivot is the least pivot relative to the precision before any elimination. What is below it
// is rounding error.
const leastPivot = 1e-13

// Elimination integrates variables out of a form, one after the other. A form need not be a proper
// distribution: Proper becomes 0 if an integral does not exist. Such an integral is replaced by one
// that is finite, and the results mean nothing.
type Elimination struct {
	Form   *Form        // of the variables that are left
	Log    circuit.Node // ln of a factor that multiplies the form
	Proper circuit.Node
	Kept   []*Regression // of the eliminated variables, in order

	c      *circuit.Circuit
	order  []model.VarID
	least  map[model.VarID]circuit.Node
	pivots circuit.Node
	count  int
}

// Eliminate returns an elimination that has not begun. log is ln of a factor of the form f.
func Eliminate(c *circuit.Circuit, f *Form, log circuit.Node) *Elimination {
	e := &Elimination{Form: f, Log: log, Proper: circuit.One, c: c, least: map[model.VarID]circuit.Node{}, pivots: circuit.One}
	for i, v := range f.Scope {
		e.least[v] = c.Prod(c.Const(leastPivot), f.K[i][i])
	}
	return e
}

// Remove integrates the variables of a list out, in order.
func (e *Elimination) Remove(list ...model.VarID) {
	for _, v := range list {
		e.remove(v)
	}
}

// pivotsPerLog is the number of pivots with a product for which one logarithm suffices. Their sizes
// are like precisions relative to prior ones, far from the limits of a float64.
const pivotsPerLog = 8

func (e *Elimination) remove(y model.VarID) {
	c, f := e.c, e.Form
	k := f.at(y, y)
	proper := Positive(c, c.Sub(k, e.least[y]))
	k = Or(c, proper, k, circuit.One)
	e.Proper = c.Prod(e.Proper, proper)
	out := NewForm(slices.DeleteFunc(slices.Clone(f.Scope), func(v model.VarID) bool { return v == y }))
	mean := c.Quot(f.linear(y), k)
	r := &Regression{On: out.Scope, Mean: mean, Var: c.Quot(circuit.One, k)}
	for i, u := range out.Scope {
		q := c.Quot(f.at(y, u), k)
		r.Coef = append(r.Coef, c.Neg(q))
		for j, x := range out.Scope[:i+1] {
			out.K[i][j] = c.Sub(f.at(u, x), c.Prod(q, f.at(y, x)))
		}
		out.H[i] = c.Sub(f.linear(u), c.Prod(f.at(y, u), mean))
	}
	out.Quad = c.Sum(f.Quad, c.Prod(f.linear(y), mean))
	e.Form, e.Kept, e.order = out, append(e.Kept, r), append(e.order, y)
	if e.pivots = c.Prod(e.pivots, k); len(e.order)%pivotsPerLog == 0 {
		e.logarithm()
	}
	e.count++
}

// logarithm moves the pivots to Log.
func (e *Elimination) logarithm() {
	e.Log = e.c.Sub(e.Log, e.c.Prod(e.c.Const(.5), e.c.Log(e.pivots)))
	e.pivots = circuit.One
}

// Total returns ln of the integral over the removed variables, which multiplies the rest of the
// form without its Quad.
func (e *Elimination) Total() circuit.Node {
	e.logarithm()
	gauss := e.c.Const(.5 * float64(e.count) * pgmrt.Ln(2*math.Pi))
	return e.c.Sum(e.Log, e.c.Sum(gauss, e.c.Prod(e.c.Const(.5), e.Form.Quad)))
}

// Moments returns the moments of the last n removed variables, if no variable is left.
func (e *Elimination) Moments(n int) *Moments {
	m := &Moments{}
	for i := len(e.order) - 1; i >= len(e.order)-n; i-- {
		m.Push(e.c, e.order[i], e.Kept[i])
	}
	return m
}

// Canonical returns the form with the given means and covariances, a normal distribution without
// its factor, and ln of the integral of that form. proper is 0 if the covariances are not positive
// definite.
func Canonical(c *circuit.Circuit, m *Moments) (f *Form, log, proper circuit.Node) {
	dual := NewForm(m.Scope)
	for i, v := range m.Scope {
		dual.H[i] = m.Mean[i]
		for j, w := range m.Scope[:i+1] {
			dual.K[i][j] = m.Between(v, w)
		}
	}
	e := Eliminate(c, dual, circuit.Zero) // the precision of the dual form is the covariance, and the other way round
	e.Remove(m.Scope...)
	natural := e.Moments(len(m.Scope))
	f = NewForm(m.Scope)
	for i, v := range m.Scope {
		f.H[i] = natural.Of(v)
		for j, w := range m.Scope[:i+1] {
			f.K[i][j] = natural.Between(v, w)
		}
	}
	// Total is (n ln 2π - ln det + m'K m)/2, and the integral of f has the logarithm
	// (n ln 2π + ln det + m'K m)/2.
	e.logarithm()
	det := e.Log
	log = c.Sub(c.Sum(c.Const(.5*float64(len(m.Scope))*pgmrt.Ln(2*math.Pi)), c.Prod(c.Const(.5), e.Form.Quad)), det)
	return f, log, e.Proper
}
