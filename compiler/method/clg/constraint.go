package clg

import (
	"maps"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// constraint is a linear equation that the observed value of a function, a variable of variance 0,
// puts on real variables of a separator: the sum of coef times the variables is rhs, if on is 1.
// Which variables are left depends on the evidence: the coefficients of observed ones are 0. All
// are numbers of the plan.
type constraint struct {
	of    model.VarID  // the function
	on    gauss.Number // 1, or 0 if there is no equation
	scope []model.VarID
	coef  []gauss.Number
	rhs   gauss.Number
	size  gauss.Number // the size of the numbers that rhs is the difference of
	unit  gauss.Number // the size of the coefficients, in prior deviations of their variables
}

// equation is a constraint as nodes of code.
type equation struct {
	of                  model.VarID
	scope               []model.VarID
	coef                map[model.VarID]circuit.Node
	on, rhs, size, unit circuit.Node
}

// constraints holds the equations of functions in the message of a bucket.
type constraints struct {
	open   []constraint // equations of the separator
	gate   gauss.Number // 0 if an equation without variables does not hold, and else 1
	points gauss.Number // the number of equations without variables: of values that others determine
}

// leastCoefficient is the least coefficient of an equation relative to the largest. What is below
// it is the rounding error of a few hundred operations.
const leastCoefficient = 1e-13

// substitution replaces the variable of a bucket by y + shift + slope·x, y being a new variable. It
// changes nothing unless an equation determines the variable; then y is 0.
type substitution struct {
	on     []model.VarID // x
	slope  map[model.VarID]circuit.Node
	shift  circuit.Node
	solved circuit.Node // 1 if an equation determines the variable
	pivot  circuit.Node // the square of its coefficient there, and 1 if there is none

	from       []circuit.Node // by equation: 1 if it is the one
	size, unit circuit.Node   // its size and unit, relative to the coefficient
}

func abs(c *gauss.Code, n circuit.Node) circuit.Node { return c.Max(n, c.Neg(n)) }

// equations returns the equations of the messages to a bucket that mention its variable, in the
// order of their functions, parents before children, and the others.
func (b *builder) equations(c *gauss.Code, k *bucket) (own, others []equation) {
	for _, kid := range k.kids {
		for i := range kid.form.open {
			x := &kid.form.open[i]
			e := equation{x.of, x.scope, map[model.VarID]circuit.Node{}, c.Read(x.on), c.Read(x.rhs), c.Read(x.size), c.Read(x.unit)}
			for j, v := range x.scope {
				e.coef[v] = c.Read(x.coef[j])
			}
			if slices.Contains(x.scope, k.v) {
				own = append(own, e)
			} else {
				others = append(others, e)
			}
		}
	}
	slices.SortStableFunc(own, func(x, y equation) int { return b.rank[x.of] - b.rank[y.of] })
	return own, others
}

// solve solves one of the equations for the variable of k if free is 1: the first in which it
// occurs. Only later ones change then, so that an equation without variables says that the function
// follows from earlier ones. The density of the evidence is the density of the other values.
func (b *builder) solve(c *gauss.Code, k *bucket, list []equation, free circuit.Node) *substitution {
	s := &substitution{slope: map[model.VarID]circuit.Node{}, pivot: circuit.One}
	if len(list) == 0 || free == circuit.Zero {
		s.from = make([]circuit.Node, len(list))
		return s
	}
	coef := circuit.Zero
	for i := range list {
		e := &list[i]
		s.on = union(s.on, e.scope)
		least := c.Prod(c.Const(leastCoefficient), e.unit)
		occurs := gauss.Positive(c.Circuit, c.Sub(c.Prod(abs(c, e.coef[k.v]), c.Const(b.unit[k.v])), least))
		is := c.Prod(c.Prod(e.on, free), c.Prod(occurs, c.Sub(circuit.One, s.solved)))
		s.from, s.solved = append(s.from, is), c.Sum(s.solved, is)
		coef = c.Sum(coef, c.Prod(is, e.coef[k.v]))
	}
	s.on = slices.DeleteFunc(s.on, func(v model.VarID) bool { return v == k.v })
	s.pivot = gauss.Or(c.Circuit, s.solved, c.Prod(coef, coef), circuit.One)
	for i := range list {
		e := &list[i]
		for _, v := range s.on {
			s.slope[v] = c.Sub(s.slope[v], c.Prod(s.from[i], c.Ratio(e.coef[v], coef)))
		}
		s.shift = c.Sum(s.shift, c.Prod(s.from[i], c.Ratio(e.rhs, coef)))
		s.size = c.Sum(s.size, c.Prod(s.from[i], c.Ratio(e.size, abs(c, coef))))
		s.unit = c.Sum(s.unit, c.Prod(s.from[i], c.Ratio(e.unit, abs(c, coef))))
	}
	return s
}

// change returns a CPD and rows of y in place of the variable of k; see substitution.
func (s *substitution) change(c *gauss.Code, k *bucket, cpd *gauss.Row, rows []*gauss.Row) (*gauss.Row, []*gauss.Row) {
	if s.solved == circuit.Zero {
		return cpd, rows
	}
	minus := make(map[model.VarID]circuit.Node, len(s.slope))
	for v, x := range s.slope {
		minus[v] = c.Neg(x)
	}
	own := cpd.Plus(c.Circuit, minus, c.Neg(s.shift))
	out := make([]*gauss.Row, len(rows))
	for i, r := range rows {
		out[i] = r.Replace(c.Circuit, k.v, s.slope, s.shift).Without(c.Circuit, k.v, c.Sub(circuit.One, s.solved))
	}
	return own, out
}

// undo turns the distribution of y into the distribution of the variable of a bucket.
func (s *substitution) undo(c *gauss.Code, r *gauss.Regression) {
	r.Mean = c.Sum(r.Mean, s.shift)
	for i, v := range r.On {
		r.Coef[i] = c.Sum(r.Coef[i], s.slope[v])
	}
}

// define adds to s, only for the equations, the definition of an unobserved function: its CPD.
func (b *builder) define(c *gauss.Code, s *substitution, cpd *gauss.Row, is circuit.Node) *substitution {
	out := *s
	if is == circuit.Zero {
		return &out
	}
	out.on, out.slope = union(s.on, cpd.On), maps.Clone(s.slope)
	out.shift = c.Sum(s.shift, c.Prod(is, cpd.Mean))
	out.size = c.Sum(s.size, c.Prod(is, abs(c, cpd.Mean)))
	for i, v := range cpd.On {
		x := c.Prod(is, cpd.Coef[i])
		out.slope[v] = c.Sum(out.slope[v], x)
		out.unit = c.Sum(out.unit, c.Prod(abs(c, x), c.Const(b.unit[v])))
	}
	return &out
}

// replace adds to s, only for the equations, the distribution of a variable for which none of them
// is solved. All of its coefficients are then 0, and the replacement changes no number but the
// derivatives by these: to first order, a variable acts as its mean does.
func (s *substitution) replace(c *gauss.Code, kept *gauss.Regression, is circuit.Node) *substitution {
	out := *s
	out.on, out.slope = union(s.on, kept.On), maps.Clone(s.slope)
	out.shift = c.Sum(s.shift, c.Prod(is, kept.Mean))
	for i, v := range kept.On {
		out.slope[v] = c.Sum(out.slope[v], c.Prod(is, kept.Coef[i]))
	}
	return &out
}

// rewrite returns equations without the variable of k, which is replaced. The one that was solved
// is off.
func (s *substitution) rewrite(c *gauss.Code, k *bucket, list []equation) (out []equation) {
	for i := range list {
		e := &list[i]
		x := e.coef[k.v]
		f := equation{of: e.of, on: c.Sub(e.on, s.from[i]), coef: map[model.VarID]circuit.Node{}}
		f.rhs = c.Sub(e.rhs, c.Prod(x, s.shift))
		f.size = c.Sum(e.size, c.Prod(abs(c, x), s.size))
		f.unit = c.Sum(e.unit, c.Prod(abs(c, x), s.unit))
		for _, v := range union(e.scope, s.on) {
			if y := c.Sum(e.coef[v], c.Prod(x, s.slope[v])); v != k.v && y != circuit.Zero {
				f.scope, f.coef[v] = append(f.scope, v), y
			}
		}
		out = append(out, f)
	}
	return out
}

// equation returns the equation of the CPD of k if it is a function with an observed value.
func (b *builder) equation(c *gauss.Code, k *bucket, cpd *gauss.Row, r *numbers) equation {
	e := equation{of: k.v, on: c.Prod(b.seen(c, k.v), r.function), rhs: c.Neg(cpd.Mean), coef: map[model.VarID]circuit.Node{}}
	mean := r.mean
	for i, u := range k.parents {
		mean = c.Sum(mean, c.Prod(r.coef[i], b.value(c, u)))
	}
	e.size = c.Sum(abs(c, b.value(c, k.v)), abs(c, mean))
	for i, v := range cpd.On {
		if x := cpd.Coef[i]; x != circuit.Zero {
			e.scope, e.coef[v] = append(e.scope, v), x
			e.unit = c.Sum(e.unit, c.Prod(abs(c, x), c.Const(b.unit[v])))
		}
	}
	return e
}

// close sets the constraints of the message of k from the constraints of the messages to it and the
// remaining equations. Equations without variables are checked and counted.
func (b *builder) close(c *gauss.Code, k *bucket, w *gauss.Writer, list []equation) {
	gate, points := circuit.One, circuit.Zero
	for _, kid := range k.kids {
		gate = c.Prod(gate, c.Read(kid.form.gate))
		points = c.Sum(points, c.Read(kid.form.points))
	}
	for i := range list {
		e := &list[i]
		if e.on == circuit.Zero {
			continue
		}
		if len(e.scope) == 0 {
			excess := gauss.Positive(c.Circuit, c.Sub(abs(c, e.rhs), c.Prod(c.Const(gauss.FunctionTolerance), e.size)))
			gate = c.Prod(gate, c.Sub(circuit.One, c.Prod(e.on, excess)))
			points = c.Sum(points, e.on)
			continue
		}
		x := constraint{of: e.of, on: w.Write(e.on), scope: e.scope, rhs: w.Write(e.rhs), size: w.Write(e.size), unit: w.Write(e.unit)}
		for _, v := range e.scope {
			x.coef = append(x.coef, w.Write(e.coef[v]))
		}
		k.form.open = append(k.form.open, x)
	}
	k.form.gate, k.form.points = w.Write(gate), w.Write(points)
}
