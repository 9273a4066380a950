package gauss

import (
	"math"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Filtered is the arithmetic of the real variables of a slice of a sequence: their moments given
// the evidence that was entered so far, and the density of that evidence. It is the filter of
// Kalman 1960, one variable at a time.
type Filtered struct {
	*Code
	*Moments
	// Known reports which variables that are not given have a value, their mean; it may be nil. A
	// [Rule] takes functions of these at their values.
	Known  func(v model.VarID) bool
	m      *model.Model
	inputs map[model.VarID]ir.TableID
	add    func(ir.Table) ir.TableID

	logs  circuit.Node // -2 ln of the density of the evidence, without that of det
	det   circuit.Node // the product of 2π times the variances since the last logarithm
	terms int          // of det

	squares circuit.Node // of the evidence, relative to its variances
	points  circuit.Node // how many observed values others determine
	gate    circuit.Node // 0 if one of these is another than they determine, and else 1
}

// FunctionTolerance is the largest difference, relative to the sizes of both, between an observed
// value and what other values make of it. Values of samples are rounded.
const FunctionTolerance = 1e-9

// detTerms is the number of factors of det for which one logarithm is taken. Their product stays
// far from overflow for variances from 1e-30 to 1e30.
const detTerms = 8

// NewFiltered returns arithmetic without variables and evidence. The evidence on variables of m is
// in the tables of inputs, to which those that are missing are added by add.
func NewFiltered(m *model.Model, inputs map[model.VarID]ir.TableID, add func(ir.Table) ir.TableID) *Filtered {
	return &Filtered{Code: NewCode(), Moments: &Moments{}, m: m, inputs: inputs, add: add, det: circuit.One, gate: circuit.One}
}

// Value returns the observed value of a variable.
func (x *Filtered) Value(v model.VarID) circuit.Node { return x.evidence(v, 1) }

// fixed reports whether a variable has the same value for all evidence.
func (x *Filtered) fixed(v model.VarID) bool {
	return x.m.Vars[v].Given || x.Known != nil && x.Known(v)
}

// at returns the value of a fixed variable.
func (x *Filtered) at(v model.VarID) circuit.Node {
	if x.m.Vars[v].Given {
		return x.Value(v)
	}
	return x.Of(v)
}

// evidence returns a number of the evidence on a variable: whether it is seen, or its value.
func (x *Filtered) evidence(v model.VarID, part int) circuit.Node {
	t, ok := x.inputs[v]
	if !ok {
		t = x.add(ir.Table{Name: "evidence on " + x.m.Vars[v].Name, Scope: []model.VarID{v}, Role: ir.RoleIn, Var: v})
		x.inputs[v] = t
	}
	return x.Read(Part(t, part))
}

// Observe conditions the moments on the evidence on a variable, if there is any, and its density
// enters the density of the evidence. For a variable of infinite variance, 2πκ·far, the factor 2πκ
// is left out. A value that other values determine is a point: it has no density, and must be the
// one that they determine. Of a circular variable, the value is the one nearest to the mean, and
// the density leaves out the other terms of the wrapped normal density.
func (x *Filtered) Observe(v model.VarID) {
	c, seen, value := x.Circuit, x.evidence(v, 0), x.evidence(v, 1)
	spread, off := x.Between(v, v), c.Sub(value, x.Of(v))
	if period := x.m.Period(v); period != 0 {
		off = Wrapped(c, period, off)
		value = c.Sum(x.Of(v), off)
	}
	square := c.Prod(c.Prod(off, off), c.Prod(seen, c.Ratio(circuit.One, spread)))
	scale, point := c.Prod(c.Const(2*math.Pi), spread), x.point(v, seen, spread)
	if x.far(v) != nil {
		if flag, far := x.IsDiffuse(c, v); far != circuit.Zero {
			square, scale = c.Prod(c.Sub(circuit.One, flag), square), Or(c, flag, far, scale)
			point = c.Prod(point, c.Sub(circuit.One, flag))
		}
	}
	x.logs, x.squares = c.Sum(x.logs, square), c.Sum(x.squares, square)
	if x.terms++; x.terms > detTerms {
		x.logs, x.det, x.terms = c.Sum(x.logs, c.Log(x.det)), circuit.One, 1
	}
	density := c.Sub(seen, point)
	x.det = c.Prod(x.det, c.Sum(c.Sub(circuit.One, density), c.Prod(density, scale)))
	if point != circuit.Zero {
		size := c.Sum(abs(c, value), x.size[len(x.size)-1])
		excess := Positive(c, c.Sub(abs(c, off), c.Prod(c.Const(FunctionTolerance), size)))
		x.gate, x.points = c.Prod(x.gate, c.Sub(circuit.One, c.Prod(point, excess))), c.Sum(x.points, point)
	}
	x.Condition(c, v, seen, value)
}

// point returns 1 if a variable, the last one, is seen and has the variance 0, and else 0. Only
// exact factors have that variance, and not if the variable has noise of its own.
func (x *Filtered) point(v model.VarID, seen, spread circuit.Node) circuit.Node {
	if x.factors == nil || !x.factors.exact || x.Op(x.last.Var) == circuit.Const && x.last.Var != circuit.Zero {
		return circuit.Zero
	}
	return x.Prod(seen, x.Sub(circuit.One, Positive(x.Circuit, spread)))
}

// Points returns how many observed values others determine.
func (x *Filtered) Points() circuit.Node { return x.points }

// Gate returns 0 if an observed value is another than other values determine, and else 1.
func (x *Filtered) Gate() circuit.Node { return x.gate }

// Det returns the product of variances in the density of the evidence, which is
// exp(LogFactor)/√Det.
func (x *Filtered) Det() circuit.Node { return x.det }

// LogFactor returns ln of the density of the evidence without the factor of Det.
func (x *Filtered) LogFactor() circuit.Node { return x.Prod(x.Const(-.5), x.logs) }

// LogDensity returns ln of the density of the evidence if Gate is 1.
func (x *Filtered) LogDensity() circuit.Node {
	return x.Prod(x.Const(-.5), x.Sum(x.logs, x.Log(x.det)))
}

// LogBest returns ln of the largest density of the evidence together with values of all other
// variables, which begin in the slice before at from, if Gate is 1: the squares are the same as in
// LogDensity, and the rest is the density of each CPD at its mean; their logarithms add up to
// norms.
func (x *Filtered) LogBest(norms circuit.Node) circuit.Node {
	return x.Sum(norms, x.Prod(x.Const(-.5), x.squares))
}

// OpsFor returns the number of operations of the density and of the moments of vars.
func (x *Filtered) OpsFor(vars []model.VarID) int {
	roots := []circuit.Node{x.logs, x.det}
	for i, v := range vars {
		roots = append(roots, x.Of(v))
		for _, w := range vars[:i+1] {
			roots = append(roots, x.Between(v, w))
		}
	}
	return x.Size(roots)
}
