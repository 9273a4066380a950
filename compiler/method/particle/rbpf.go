package particle

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/switching"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
)

// RBPF is the Rao-Blackwellised particle filter.
var RBPF = method.Method{
	Name:  "rbpf",
	Doc:   "sampled: filters sequences with particles of discrete variables, and Gaussians of real ones",
	Kinds: "Bayesian, with a transition", Guarantee: "approaches the posterior, and is exact if all histories are kept; the estimate of P is unbiased",
	Cost:    "particles times the joint states that follow each, times cubes of the number of real variables",
	Takes:   model.Slices | model.Reals | model.Gaussians | model.Mixed | model.Givens | model.Funcs,
	Inexact: true,
	Bounded: &method.Bounded{What: "200 drawn ones", Option: diag.Option{Name: "particles", Value: "200"}, Runs: 200},
	New:     func() method.Instance { return NewRBPFOptions() },
}

// RBPFOptions are the options of RBPF.
type RBPFOptions struct {
	Particles  int     `opt:"particles" default:"200" help:"number of particles" range:"[1,16777216]" wrong:"found {particles} particles; want a number from 1 to 16777216"`
	Resampling string  `opt:"resampling" default:"systematic" help:"draw particles to go on by the scheme systematic, stratified, residual" value:"scheme" range:"systematic|stratified|residual" wrong:"unknown scheme of resampling {resampling}; want one of systematic, stratified, residual"`
	Draw       string  `opt:"draw" help:"draw the real variables A,B too, and keep the others in closed form given these" value:"variables"`
	Proposal   string  `opt:"proposal" default:"bootstrap" help:"with draw, draw particles from the CPDs, bootstrap, or near their posterior given the evidence on the slice by ekf or ukf"`
	Enough     float64 `opt:"enough" default:"0.5" help:"with draw, resample if the effective sample size is below this share of the particles" range:"[0,1]" wrong:"found {enough} as the share of an effective sample size that is enough; want a number from 0 to 1"`
	Seed       uint64  `opt:"seed" help:"seed of the random numbers"`
}

// NewRBPFOptions returns the defaults.
func NewRBPFOptions() *RBPFOptions { return options.New[RBPFOptions]() }

// MethodName returns "rbpf".
func (RBPFOptions) MethodName() string { return RBPF.Name }

// Check refuses networks without a transition, other queries than filter and smooth, and options
// that are out of range.
func (o *RBPFOptions) Check(p *ir.Problem, by method.Peers) diag.List {
	list := switching.Check(RBPF.Name, p, "", ir.Filter, ir.Smooth)
	list.Append(method.CheckOptions(o, p))
	if list.HasErrors() {
		return list
	}
	if o.Draw != "" {
		o.checkDraw(&list, p)
		return list
	}
	if o.Proposal != "" && o.Proposal != ir.FromCPDs.String() {
		list.Errorf(diag.Pos{File: p.Model.File}, "found proposal %q without variables to draw; want %v too", o.Proposal, diag.Option{Name: "draw", Value: "variables"})
	}
	if f := slices.IndexFunc(p.Model.Vars, func(v *model.Var) bool { return isFunc(p.Model, v.ID) }); f >= 0 {
		list.Errorf(diag.Pos{File: p.Model.File}, "the mean of %q is an expression, which has no closed form; want %v, which draws real variables, or %v",
			p.Model.Vars[f].Name, diag.Option{Name: "draw", Value: "variables"}, by(method.ParticleFilter))
	}
	return list
}

// isFunc reports whether a CPD of v has an expression as mean, in slice 0 or later.
func isFunc(m *model.Model, v model.VarID) bool {
	return slices.ContainsFunc(slices.Concat(m.Factors, m.Transition.Factors), func(f *model.Factor) bool {
		_, ok := f.Dist.(*model.Func)
		return ok && f.ChildVar() == v
	})
}

// Plan returns a schedule about one history, or with variables to draw about one particle.
func (o *RBPFOptions) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	scheme, _ := ir.SchemeOf(o.Resampling)
	if o.Draw != "" {
		proposal, _ := ir.ProposalOf(o.Proposal)
		plan, err := o.planKept(c, p, &ir.Histories{Most: o.Particles, Beyond: ir.ResampleHistories,
			Draw: &ir.Draw{Seed: o.Seed, Scheme: scheme, Whole: true, Proposal: proposal, Enough: o.Enough}})
		return plan, method.Sampled, err
	}
	plan, _, err := switching.Plan(c, p, switching.Rule{Histories: &ir.Histories{Most: o.Particles, Beyond: ir.ResampleHistories,
		Draw: &ir.Draw{Seed: o.Seed, Scheme: scheme}}})
	return plan, method.Sampled, err
}
