package gauss

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Rule says how a function that is not linear is replaced: by its tangent at the mean if points is
// nil, and otherwise by its regression over the points.
type Rule struct {
	points func(n int) []Point
	count  func(n int) float64 // the number of points
}

// Tangents returns the rule of the extended Kalman filter.
func Tangents() *Rule { return &Rule{} }

// Unscented returns the rule of 2n+1 points. Spread is the square of the distance of the outer ones
// from the mean, in standard deviations.
func Unscented(spread float64) *Rule {
	return &Rule{
		points: func(n int) []Point { return UnscentedPoints(n, spread) },
		count:  func(n int) float64 { return float64(2*n + 1) },
	}
}

// UnscentedSpread is the spread that fits the fourth moment of one normal variable.
const UnscentedSpread = 3

// Grid returns the rule of the product of Gauss-Hermite rules of m points.
func Grid(m int) *Rule {
	return &Rule{
		points: func(n int) []Point { return GridPoints(n, m) },
		count:  func(n int) float64 { return math.Pow(float64(m), float64(n)) },
	}
}

// MaxPointsCode is the largest number of instructions of the values of one function. More would
// take long to compile.
const MaxPointsCode = 50_000

// Ops returns the number n of parents of a CPD with the mean d that are not given in their slice,
// and about how many operations the values of the mean take; 0 if it is linear in them, or needs no
// points.
func (r *Rule) Ops(m *model.Model, f *model.Factor, d *model.Func) (n int, ops float64) {
	hidden := func(axis int) bool { v := f.Scope[axis]; return int(v) >= len(m.Vars) || !m.Vars[v].Given }
	c := circuit.NewSigned()
	if _, linear := LinearIn(c, d, len(f.Scope), hidden, func(axis int) circuit.Node { return c.Input(int32(axis)) }); linear || r.points == nil {
		return 0, 0
	}
	for axis := range f.Scope {
		if axis != f.Child && hidden(axis) {
			n++
		}
	}
	return n, r.count(n) * float64(d.Steps()+n*n)
}

// Regression returns the distribution of the child of a CPD with the function d as mean under the
// moments so far, and 1 if the function is defined there, else 0. The coefficients of one that is
// linear in all parents that are not given are computed from those that are; any other function is
// replaced by a linear one.
func (r *Rule) Regression(x *Filtered, f *model.Factor, d *model.Func) (out *Regression, defined circuit.Node) {
	hidden := func(axis int) bool { return !x.fixed(f.Scope[axis]) }
	l, ok := LinearIn(x.Circuit, d, len(f.Scope), hidden, func(axis int) circuit.Node { return x.at(f.Scope[axis]) })
	if !ok {
		return r.approximate(x, f, d)
	}
	out = &Regression{Mean: l.Constant, Var: x.Const(d.Var[0])}
	for axis, slope := range l.Coef {
		if slope != circuit.Zero {
			out.On, out.Coef = append(out.On, f.Scope[axis]), append(out.Coef, slope)
		}
	}
	return out, l.Defined
}

// approximate returns the linear function, and its noise, that replaces the function of a CPD under
// the moments so far.
func (r *Rule) approximate(x *Filtered, f *model.Factor, d *model.Func) (out *Regression, defined circuit.Node) {
	out, defined = &Regression{Var: x.Const(d.Var[0])}, circuit.One
	var axes []int
	var mean []circuit.Node
	for axis, v := range f.Scope {
		if axis != f.Child && !x.fixed(v) {
			axes, out.On, mean = append(axes, axis), append(out.On, v), append(mean, x.Of(v))
		}
	}
	// at returns the value of the parent on an axis if the axes have values.
	at := func(axis int, values []circuit.Node) circuit.Node {
		if i := slices.Index(axes, axis); i >= 0 {
			return values[i]
		}
		return x.at(f.Scope[axis])
	}
	if r.points == nil {
		out.Mean, defined, out.Coef = Slopes(x.Circuit, d, func(axis int) circuit.Node { return at(axis, mean) }, axes)
	} else {
		root := Root(x.Circuit, func(i, j int) circuit.Node { return x.Between(out.On[i], out.On[j]) }, len(out.On))
		value := func(values []circuit.Node) circuit.Node {
			value, ok := Expression(x.Circuit, d, func(axis int) circuit.Node { return at(axis, values) }, nil)
			defined = x.Prod(defined, ok)
			return value
		}
		near := value
		if period := x.m.Period(f.ChildVar()); period != 0 { // to the value at the mean
			centre := value(mean)
			near = func(values []circuit.Node) circuit.Node {
				return x.Sum(centre, Wrapped(x.Circuit, period, x.Sub(value(values), centre)))
			}
		}
		l := Integrate(x.Circuit, r.points(len(out.On)), mean, root, near)
		// A rule with negative weights may leave a negative variance.
		out.Mean, out.Coef, out.Var = l.Mean, l.By(x.Circuit, root), x.Sum(out.Var, x.Max(l.Rest, circuit.Zero))
	}
	for i, slope := range out.Coef { // Push adds the effect of the parents' means
		out.Mean = x.Sub(out.Mean, x.Prod(slope, mean[i]))
	}
	return out, defined
}
