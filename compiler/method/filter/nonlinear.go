package filter

import (
	"flag"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

const nonlinearTakes = model.Slices | model.Reals | model.Gaussians | model.Givens | model.Funcs

// What the nonlinear filters share.
const (
	nonlinearKinds     = "Bayesian, real variables alone, with a transition"
	nonlinearGuarantee = "none; exact if means are linear in the variables that are not given"
)

// EKF is the extended Kalman filter.
var EKF = method.Method{
	Name:  "ekf",
	Doc:   "filters sequences of real variables with tangents of nonlinear functions at the mean",
	Kinds: nonlinearKinds, Guarantee: nonlinearGuarantee, Cost: "as filter, and the derivatives of the functions",
	Takes: nonlinearTakes, Inexact: true,
	New: func() method.Instance { return NewEKFOptions() },
}

// UKF is the unscented Kalman filter.
var UKF = method.Method{
	Name:  "ukf",
	Doc:   "filters sequences of real variables with 2n+1 values of nonlinear functions of n variables",
	Kinds: nonlinearKinds, Guarantee: nonlinearGuarantee, Cost: "as filter, and 2n+1 values of each function of n variables",
	Takes: nonlinearTakes, Inexact: true,
	New: func() method.Instance { return NewUKFOptions() },
}

// GHF is the Gauss-Hermite Kalman filter.
var GHF = method.Method{
	Name:  "ghf",
	Doc:   "filters sequences of real variables with Gauss-Hermite integrals of nonlinear functions",
	Kinds: nonlinearKinds, Guarantee: nonlinearGuarantee, Cost: "as filter, and points to the power of n values of each function of n variables",
	Takes: nonlinearTakes, Inexact: true,
	New: func() method.Instance { return NewGHFOptions() },
}

// EKFOptions are the options of ekf, which has none.
type EKFOptions struct{}

// NewEKFOptions returns the defaults.
func NewEKFOptions() *EKFOptions { return &EKFOptions{} }

// MethodName returns "ekf".
func (EKFOptions) MethodName() string { return EKF.Name }

// Bind declares no flags.
func (*EKFOptions) Bind(*flag.FlagSet) {}

// Check refuses other networks and queries.
func (o *EKFOptions) Check(p *ir.Problem) diag.List { return o.rule().check(EKF.Name, p) }

// Plan returns a schedule of all queries of p.
func (o *EKFOptions) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	return o.rule().plan(c, p)
}

func (*EKFOptions) rule() *rule { return &rule{} }

// UKFOptions are the options of ukf.
type UKFOptions struct {
	// Spread is the square of the distance of the outer points from the mean, in standard
	// deviations; above 0. 3 fits the fourth moment of one normal variable.
	Spread float64
}

// NewUKFOptions returns the defaults.
func NewUKFOptions() *UKFOptions { return &UKFOptions{Spread: 3} }

// MethodName returns "ukf".
func (UKFOptions) MethodName() string { return UKF.Name }

// Bind declares the flags of the options.
func (o *UKFOptions) Bind(fs *flag.FlagSet) {
	fs.Float64Var(&o.Spread, "spread", o.Spread, "square of the distance of points from the mean, in standard deviations")
}

// Check refuses other networks and queries, and options that are invalid.
func (o *UKFOptions) Check(p *ir.Problem) diag.List {
	if !(o.Spread > 0 && o.Spread <= 1e6) {
		var list diag.List
		list.Errorf(diag.Pos{File: p.Model.File}, "found spread %v; want a number above 0, and 1e6 at most", o.Spread)
		return list
	}
	return o.rule().check(UKF.Name, p)
}

// Plan returns a schedule of all queries of p.
func (o *UKFOptions) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	return o.rule().plan(c, p)
}

func (o *UKFOptions) rule() *rule {
	return &rule{
		points: func(n int) []gauss.Point { return gauss.UnscentedPoints(n, o.Spread) },
		count:  func(n int) float64 { return float64(2*n + 1) },
	}
}

// GHFOptions are the options of ghf.
type GHFOptions struct {
	// Points is the number of points by variable: 2 to 64. The integral of a polynomial of a degree
	// up to 2·Points-1 in each variable is exact.
	Points int
}

// NewGHFOptions returns the defaults.
func NewGHFOptions() *GHFOptions { return &GHFOptions{Points: 5} }

// MethodName returns "ghf".
func (GHFOptions) MethodName() string { return GHF.Name }

// Bind declares the flags of the options.
func (o *GHFOptions) Bind(fs *flag.FlagSet) {
	fs.IntVar(&o.Points, "points", o.Points, "points of integration by variable, 2 to 64")
}

// Check refuses other networks and queries, and options that are invalid.
func (o *GHFOptions) Check(p *ir.Problem) diag.List {
	if o.Points < 2 || o.Points > 64 {
		var list diag.List
		list.Errorf(diag.Pos{File: p.Model.File}, "found %d points by variable; want 2 to 64", o.Points)
		return list
	}
	return o.rule().check(GHF.Name, p)
}

// Plan returns a schedule of all queries of p.
func (o *GHFOptions) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	return o.rule().plan(c, p)
}

func (o *GHFOptions) rule() *rule {
	return &rule{
		points: func(n int) []gauss.Point { return gauss.GridPoints(n, o.Points) },
		count:  func(n int) float64 { return math.Pow(float64(o.Points), float64(n)) },
	}
}

// rule says how a function that is not linear is replaced: by its tangent at the mean if points is
// nil, and otherwise by its regression over the points.
type rule struct {
	points func(n int) []gauss.Point
	count  func(n int) float64 // the number of points
}

// codePoints is the largest number of instructions of the values of one function. More would take
// long to compile.
const codePoints = 50_000

// check refuses networks that have discrete variables or no transition, functions of too many
// points, and queries of paths.
func (r *rule) check(name string, p *ir.Problem) (list diag.List) {
	m, pos := p.Model, diag.Pos{File: p.Model.File}
	switch {
	case m.Transition == nil:
		list.Errorf(pos, "method %s needs a network with a transition from slice to slice; this one has none", name)
		return list
	case p.Params == ir.Var:
		list.Errorf(pos, "method %s needs constant parameters; %v", name, method.ConstParams)
	}
	if _, discrete := mixes(m); discrete >= 0 {
		list.Errorf(pos, "method %s needs real variables alone; found states of %q; try %v", name, m.Vars[discrete].Name, method.By("particle"))
	}
	for _, f := range slices.Concat(m.Factors, m.Transition.Factors) {
		d, ok := f.Dist.(*model.Func)
		if !ok || linearGiven(m, f, d) || r.points == nil {
			continue
		}
		n := 0
		for _, v := range f.Scope {
			if v != f.ChildVar() && !(int(v) < len(m.Vars) && m.Vars[v].Given) {
				n++
			}
		}
		if ops := r.count(n) * float64(len(d.Nodes)+n*n); ops > codePoints {
			list.Errorf(pos, "the values of the mean of %q at points of %d variables take %.3g operations; limit: %d; try %v",
				m.Vars[f.ChildVar()].Name, n, ops, codePoints, method.By(EKF.Name))
		}
	}
	for _, q := range p.Queries {
		if !slices.Contains([]ir.QueryKind{ir.Filter, ir.Smooth, ir.Innovation}, q.Kind) {
			list.Errorf(pos, "method %s does not answer %s; want filter, smooth or innovation", name, q.Word())
			return list
		}
	}
	return list
}

// plan returns a schedule of all queries of p.
func (r *rule) plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	b := newBuilder(c, p)
	g := newGaussian(b)
	g.rule = r
	claim := method.Exact
	for _, f := range slices.Concat(p.Model.Factors, p.Model.Transition.Factors) {
		if d, ok := f.Dist.(*model.Func); ok && !linearGiven(p.Model, f, d) {
			claim = method.Approximate
		}
	}
	return b.planAll(g, p.Queries, claim)
}

// approximate returns the linear function, and its noise, that replaces the function of a CPD under
// the moments so far.
func (g *gaussian) approximate(p *slicePlan, f *model.Factor, d *model.Func) *gauss.Regression {
	r := &gauss.Regression{Var: p.Const(d.Var[0])}
	var axes []int
	var mean []circuit.Node
	for axis, v := range f.Scope {
		if axis != f.Child && !p.m.Vars[v].Given {
			axes, r.On, mean = append(axes, axis), append(r.On, v), append(mean, p.Of(v))
		}
	}
	// at returns the value of the parent on an axis if those of axes are x.
	at := func(axis int, x []circuit.Node) circuit.Node {
		if i := slices.Index(axes, axis); i >= 0 {
			return x[i]
		}
		return p.Value(f.Scope[axis])
	}
	if g.rule.points == nil {
		value, defined, slope := gauss.Slopes(p.Circuit, d, func(axis int) circuit.Node { return at(axis, mean) }, axes)
		p.defined, r.Mean, r.Coef = p.Prod(p.defined, defined), value, slope
	} else {
		root := gauss.Root(p.Circuit, func(i, j int) circuit.Node { return p.Between(r.On[i], r.On[j]) }, len(r.On))
		l := gauss.Integrate(p.Circuit, g.rule.points(len(r.On)), mean, root, func(x []circuit.Node) circuit.Node {
			value, defined := gauss.Expression(p.Circuit, d, func(axis int) circuit.Node { return at(axis, x) }, nil)
			p.defined = p.Prod(p.defined, defined)
			return value
		})
		// A rule with negative weights may leave a negative variance.
		r.Mean, r.Coef, r.Var = l.Mean, l.By(p.Circuit, root), p.Sum(r.Var, p.Max(l.Rest, circuit.Zero))
	}
	for i, x := range r.Coef { // Push adds the effect of the parents' means
		r.Mean = p.Sub(r.Mean, p.Prod(x, mean[i]))
	}
	return r
}
