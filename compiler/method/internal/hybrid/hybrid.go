// Package hybrid writes the CPDs of networks of discrete and real variables as straight lines of
// arithmetic at given values: what samplers draw from and weigh by.
//
// It chooses nothing and draws nothing. The methods decide which variables have values, and where
// these lie. The discrete variables are the axes of the code: fixed at their present states, or
// looping over all of them, as the block says in which the code runs.
package hybrid

import (
	"math"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Network writes the CPDs of one network. Each number of a CPD is stored once.
type Network struct {
	Model    *model.Model
	schedule *ir.Schedule
	columns  map[key]*gauss.Columns
	known    map[key]gauss.Number
}

// key names a table of constants, or a column of it.
type key struct {
	factor *model.Factor
	v      model.VarID // whose states are told apart, if factor is nil
	name   string
	i      int
}

// New returns a writer whose constants become tables of s.
func New(s *ir.Schedule) *Network {
	return &Network{Model: s.Model, schedule: s, columns: map[key]*gauss.Columns{}, known: map[key]gauss.Number{}}
}

// Value returns the node of the value of a real variable.
type Value func(model.VarID) circuit.Node

// column returns the constants x, which k names, in the table over scope that belongs to k.
func (n *Network) column(c *gauss.Code, k key, table string, scope []model.VarID, x func() []float64) circuit.Node {
	number, ok := n.known[k]
	if !ok {
		of := key{factor: k.factor, v: k.v}
		if n.columns[of] == nil {
			n.columns[of] = gauss.NewColumns(n.schedule, table, scope)
		}
		node := n.columns[of].Read(c, x())
		if c.Op(node) == circuit.Const {
			number = gauss.Constant(c.Value(node))
		} else {
			number = c.Source(node)
		}
		n.known[k] = number
	}
	return c.Read(number)
}

// row returns a column with one number for each row of the CPD f, whose discrete parents are the
// scope.
func (n *Network) row(c *gauss.Code, f *model.Factor, name string, i int, x func() []float64) circuit.Node {
	discrete, _ := n.Model.SplitParents(f)
	return n.column(c, key{factor: f, name: name, i: i}, n.Model.FactorName(f), discrete, x)
}

// is returns 1 in a state of v, and 0 in the others.
func (n *Network) is(c *gauss.Code, v model.VarID, state int) circuit.Node {
	return n.column(c, key{v: v, i: state}, "states of "+n.Model.Vars[v].Name, []model.VarID{v}, func() []float64 {
		one := make([]float64, n.Model.Card(v))
		one[state] = 1
		return one
	})
}

// Regression returns the Gaussian CPD f.
func (n *Network) Regression(c *gauss.Code, f *model.Factor) *gauss.Regression {
	_, parents := n.Model.SplitParents(f)
	d := f.Gaussian()
	r := &gauss.Regression{On: parents, Mean: n.row(c, f, "mean", 0, func() []float64 { return d.Mean })}
	for i := range parents {
		r.Coef = append(r.Coef, n.row(c, f, "coefficient", i, func() []float64 {
			column := make([]float64, len(d.Mean))
			for row := range column {
				_, coef, _ := d.Row(row)
				column[row] = coef[i]
			}
			return column
		}))
	}
	r.Var = n.row(c, f, "variance", 0, func() []float64 { return d.Var })
	return r
}

// Normal is the distribution of a real variable given the values of its parents.
type Normal struct {
	Mean      circuit.Node
	Defined   circuit.Node // 0 if the mean is an expression outside its domain, and else 1
	Deviation circuit.Node // the standard deviation
	Precision circuit.Node // 1/variance, or 0 if that is 0
	Half      circuit.Node // ln(2π variance)/2, or 0 if that is 0
	Function  circuit.Node // 1 if the variance is 0, and else 0
	Both      bool         // whether some rows have variance 0 and others not
	Period    float64      // of a circular variable, and else 0
}

// Normal returns the distribution of the child of f, which is real.
func (n *Network) Normal(c *gauss.Code, f *model.Factor, value Value) *Normal {
	out := &Normal{Defined: circuit.One, Period: n.Model.Period(f.ChildVar())}
	var variances []float64
	if d, ok := f.Dist.(*model.Func); ok {
		is := func(axis int, state int32) circuit.Node { return n.is(c, f.Scope[axis], int(state)) }
		out.Mean, out.Defined = gauss.Expression(c.Circuit, d, func(axis int) circuit.Node { return value(f.Scope[axis]) }, is)
		variances = d.Var
	} else {
		variances = f.Gaussian().Var
		r := n.Regression(c, f)
		out.Mean = r.Mean
		for i, u := range r.On {
			out.Mean = c.Sum(out.Mean, c.Prod(r.Coef[i], value(u)))
		}
	}
	by := func(name string, of func(v float64) float64) circuit.Node {
		return n.row(c, f, name, 0, func() []float64 {
			x := make([]float64, len(variances))
			for r, v := range variances {
				x[r] = of(v)
			}
			return x
		})
	}
	unless := func(x, v float64) float64 {
		if v > 0 {
			return x
		}
		return 0
	}
	out.Deviation = by("deviation", math.Sqrt)
	out.Precision = by("precision", func(v float64) float64 { return unless(1/v, v) })
	out.Half = by("half logarithm", func(v float64) float64 { return unless(.5*pgmrt.Ln(2*math.Pi*v), v) })
	out.Function = by("function", func(v float64) float64 { return 1 - unless(1, v) })
	out.Both = c.Op(out.Function) != circuit.Const
	return out
}

// Observed returns ln of the density at an observed value, which counts as 1 if the variance is 0,
// and how far the value is from the mean. The density of a circular variable is the wrapped one, of
// three terms; an expression may be outside its domain.
func (d *Normal) Observed(c *gauss.Code, x circuit.Node) (log, off circuit.Node) {
	off = c.Sub(x, d.Mean)
	if d.Period != 0 {
		off = gauss.Wrapped(c.Circuit, d.Period, off)
	}
	log = c.Sub(c.Prod(c.Const(-.5), c.Prod(d.Precision, c.Prod(off, off))), d.Half)
	if d.Period != 0 {
		log = c.Sum(log, c.Prod(c.Sub(circuit.One, d.Function), gauss.WrappedSum(c.Circuit, d.Period, d.Precision, off)))
	}
	return log, off
}

// Log returns ln of the density at x, not wrapped, which counts as 1 if the variance is 0. An
// expression outside its domain has the density 0.
func (d *Normal) Log(c *gauss.Code, x circuit.Node) circuit.Node {
	off := c.Sub(x, d.Mean)
	density := c.Sub(c.Prod(c.Const(-.5), c.Prod(d.Precision, c.Prod(off, off))), d.Half)
	return c.Sum(density, c.Prod(c.Const(ir.LogZero), c.Sub(circuit.One, d.Defined)))
}

// mostExponent is an exponent at which no sum of exponentials overflows.
const mostExponent = 600

// Odds returns the sum, over the states of the discrete child of f, of their odds relative to the
// child's own state. f is a softmax CPD. The probability of the state is the reciprocal of the sum.
func (n *Network) Odds(c *gauss.Code, f *model.Factor, value Value) circuit.Node {
	d, v := f.Dist.(*model.Softmax), f.ChildVar()
	_, parents := n.Model.SplitParents(f)
	card := n.Model.Card(v)
	scores, own := make([]circuit.Node, card), circuit.Zero
	for s := range card {
		column := func(name string, i int, at func(r int) float64) circuit.Node {
			return n.row(c, f, name, i*card+s, func() []float64 {
				x := make([]float64, len(d.Bias)/card)
				for r := range x {
					x[r] = at(r*card + s)
				}
				return x
			})
		}
		scores[s] = column("bias", 0, func(at int) float64 { return d.Bias[at] })
		for i, u := range parents {
			by := column("coefficient", i, func(at int) float64 { return d.Coef[at*len(parents)+i] })
			scores[s] = c.Sum(scores[s], c.Prod(by, value(u)))
		}
		own = c.Sum(own, c.Prod(n.is(c, v, s), scores[s]))
	}
	all := circuit.Zero
	for _, s := range scores {
		all = c.Sum(all, c.Exp(c.Min(c.Sub(s, own), c.Const(mostExponent))))
	}
	return all
}

// Log returns ln of the CPD f at the values of its real variables. A variance of 0 counts as the
// density 1 everywhere.
func (n *Network) Log(c *gauss.Code, f *model.Factor, value Value) circuit.Node {
	if v := f.ChildVar(); n.Model.IsReal(v) {
		return n.Normal(c, f, value).Log(c, value(v))
	}
	return c.Neg(c.Log(n.Odds(c, f, value)))
}
