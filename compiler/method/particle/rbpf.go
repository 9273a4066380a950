package particle

import (
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
	Takes:   model.Slices | model.Reals | model.Gaussians | model.Mixed | model.Givens,
	Inexact: true,
	Bounded: &method.Bounded{What: "200 drawn ones", Option: diag.Option{Name: "particles", Value: "200"}, Runs: 200},
	New:     func() method.Instance { return NewRBPFOptions() },
}

// RBPFOptions are the options of RBPF.
type RBPFOptions struct {
	Particles  int    `opt:"particles" default:"200" help:"number of particles" range:"[1,16777216]" wrong:"found {particles} particles; want a number from 1 to 16777216"`
	Resampling string `opt:"resampling" default:"systematic" help:"draw particles to go on by the scheme systematic, stratified, residual" value:"scheme" range:"systematic|stratified|residual" wrong:"unknown scheme of resampling {resampling}; want one of systematic, stratified, residual"`
	Seed       uint64 `opt:"seed" help:"seed of the random numbers"`
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
	return list
}

// Plan returns a schedule about one history.
func (o *RBPFOptions) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	scheme, _ := ir.SchemeOf(o.Resampling)
	plan, _, err := switching.Plan(c, p, switching.Rule{Histories: &ir.Histories{Most: o.Particles, Beyond: ir.ResampleHistories,
		Draw: &ir.Draw{Seed: o.Seed, Scheme: scheme}}})
	return plan, method.Sampled, err
}
