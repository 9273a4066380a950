package filter

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
)

const nonlinearTakes = model.Slices | model.Reals | model.Gaussians | model.Givens | model.Funcs | model.Circulars

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
func NewEKFOptions() *EKFOptions { return options.New[EKFOptions]() }

// MethodName returns "ekf".
func (EKFOptions) MethodName() string { return EKF.Name }

// Check refuses other networks and queries.
func (o *EKFOptions) Check(p *ir.Problem, by method.Peers) diag.List {
	return o.rule().check(EKF.Name, p, by)
}

// Plan returns a schedule of all queries of p.
func (o *EKFOptions) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	return o.rule().plan(c, p)
}

func (*EKFOptions) rule() *rule { return &rule{gauss.Tangents()} }

// UKFOptions are the options of ukf.
type UKFOptions struct {
	// A square of 3 fits the fourth moment of one normal variable.
	Spread float64 `opt:"spread" default:"3" help:"square of the distance of points from the mean, in standard deviations" range:"(0,1e6]" wrong:"found spread {spread}; want a number above 0, and 1e6 at most"`
}

// NewUKFOptions returns the defaults.
func NewUKFOptions() *UKFOptions { return options.New[UKFOptions]() }

// MethodName returns "ukf".
func (UKFOptions) MethodName() string { return UKF.Name }

// Check refuses other networks and queries, and options that are invalid.
func (o *UKFOptions) Check(p *ir.Problem, by method.Peers) diag.List {
	if list := method.CheckOptions(o, p); list.HasErrors() {
		return list
	}
	return o.rule().check(UKF.Name, p, by)
}

// Plan returns a schedule of all queries of p.
func (o *UKFOptions) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	return o.rule().plan(c, p)
}

func (o *UKFOptions) rule() *rule { return &rule{gauss.Unscented(o.Spread)} }

// GHFOptions are the options of ghf.
type GHFOptions struct {
	// The integral of a polynomial of a degree up to 2·Points-1 in each variable is exact.
	Points int `opt:"points" default:"5" help:"points of integration by variable, 2 to 64" range:"[2,64]" wrong:"found {points} points by variable; want 2 to 64"`
}

// NewGHFOptions returns the defaults.
func NewGHFOptions() *GHFOptions { return options.New[GHFOptions]() }

// MethodName returns "ghf".
func (GHFOptions) MethodName() string { return GHF.Name }

// Check refuses other networks and queries, and options that are invalid.
func (o *GHFOptions) Check(p *ir.Problem, by method.Peers) diag.List {
	if list := method.CheckOptions(o, p); list.HasErrors() {
		return list
	}
	return o.rule().check(GHF.Name, p, by)
}

// Plan returns a schedule of all queries of p.
func (o *GHFOptions) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	return o.rule().plan(c, p)
}

func (o *GHFOptions) rule() *rule { return &rule{gauss.Grid(o.Points)} }

// rule says how a function that is not linear is replaced.
type rule struct{ *gauss.Rule }

// check refuses networks that have discrete variables or no transition, functions of too many
// points, and queries of paths.
func (r *rule) check(name string, p *ir.Problem, by method.Peers) (list diag.List) {
	m, pos := p.Model, diag.Pos{File: p.Model.File}
	switch {
	case m.Transition == nil:
		list.Errorf(pos, "method %s needs a network with a transition from slice to slice; this one has none", name)
		return list
	case p.Params == ir.Var:
		list.Errorf(pos, "method %s needs constant parameters; %v", name, method.ConstParams)
	}
	if _, discrete := mixes(m); discrete >= 0 {
		list.Errorf(pos, "method %s needs real variables alone; found states of %q; try %v", name, m.Vars[discrete].Name, by(method.ParticleFilter))
	}
	for _, f := range slices.Concat(m.Factors, m.Transition.Factors) {
		d, ok := f.Dist.(*model.Func)
		if !ok {
			continue
		}
		if n, ops := r.Ops(m, f, d); ops > gauss.MaxPointsCode {
			list.Errorf(pos, "the values of the mean of %q at points of %d variables take %.3g operations; limit: %d; try %v",
				m.Vars[f.ChildVar()].Name, n, ops, gauss.MaxPointsCode, method.By(EKF.Name))
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
