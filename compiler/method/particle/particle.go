package particle

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/compiler/method/internal/switching"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
)

// Method is the particle filter.
var Method = method.Method{
	Name:  "particle",
	Role:  method.ParticleFilter,
	Doc:   "sampled: filters sequences of variables of all kinds with particles",
	Kinds: "Bayesian, with a transition", Guarantee: "approaches the posterior; the estimate of P is unbiased", Cost: "particles times the CPDs",
	Takes:   model.Slices | model.Reals | model.Gaussians | model.Mixed | model.Givens | model.Funcs | model.SoftChildren | model.Circulars,
	Inexact: true,
	New:     func() method.Instance { return NewOptions() },
}

// Options are the options of Method.
type Options struct {
	Particles  int     `opt:"particles" default:"1000" help:"number of particles" range:"[1,16777216]" wrong:"found {particles} particles; want a number from 1 to 16777216"`
	Proposal   string  `opt:"proposal" default:"bootstrap" help:"draw particles from the CPDs, bootstrap, or given the evidence on the slice: posterior, or near it by ekf or ukf" range:"bootstrap|posterior|ekf|ukf" wrong:"unknown proposal {proposal}; want one of bootstrap, posterior, ekf, ukf"`
	Resampling string  `opt:"resampling" default:"systematic" help:"draw particles to go on by the scheme systematic, stratified, residual" value:"scheme" range:"systematic|stratified|residual" wrong:"unknown scheme of resampling {resampling}; want one of systematic, stratified, residual"`
	Enough     float64 `opt:"enough" default:"0.5" help:"resample if the effective sample size is below this share of the particles" range:"[0,1]" wrong:"found {enough} as the share of an effective sample size that is enough; want a number from 0 to 1"`
	Ahead      int     `opt:"ahead" help:"choose particles that go on by this number of trial draws from each: an auxiliary particle filter" value:"number" range:"[0,16777216]" wrong:"found {ahead} trial draws, {move-steps} moves and {paths} trajectories; want numbers from 0 to 16777216, and a trajectory"`
	Moves      int     `opt:"move-steps" help:"resample after a slice that leaves few particles, and move each this number of times" value:"number" range:"[0,16777216]" wrong:"=ahead"`
	Paths      int     `opt:"paths" default:"200" help:"number of trajectories that smoothing draws back from the last slice" value:"number" range:"[1,16777216]" wrong:"=ahead"`
	Seed       uint64  `opt:"seed" help:"seed of the random numbers"`
}

// NewOptions returns the defaults.
func NewOptions() *Options { return options.New[Options]() }

// MethodName returns "particle".
func (Options) MethodName() string { return Method.Name }

// Check refuses networks without a transition, other queries than filter and smooth, and options
// that are out of range.
func (o *Options) Check(p *ir.Problem, by method.Peers) diag.List {
	list := switching.Check(Method.Name, p, "", ir.Filter, ir.Smooth)
	list.Append(method.CheckOptions(o, p))
	pos := diag.Pos{File: p.Model.File}
	proposal, _ := ir.ProposalOf(o.Proposal)
	if m := p.Model; proposal >= ir.FromTangents && len(m.Reals()) < len(m.Vars) {
		list.Errorf(pos, "proposal %s is for real variables alone, and %q has states; want bootstrap or posterior", o.Proposal,
			m.Vars[slices.IndexFunc(m.Vars, func(v *model.Var) bool { return !m.IsReal(v.ID) })].Name)
	}
	if proposal == ir.FromPosterior && !list.HasErrors() {
		checkPosterior(&list, p.Model)
	}
	if rule := rules[proposal]; rule != nil && !list.HasErrors() {
		for _, f := range slices.Concat(p.Model.Factors, p.Model.Transition.Factors) {
			if d, ok := f.Dist.(*model.Func); ok {
				if n, ops := rule.Ops(p.Model, f, d); ops > gauss.MaxPointsCode {
					list.Errorf(pos, "proposal %s: the values of the mean of %q at points of %d variables take %.3g operations; limit: %d; want ekf",
						o.Proposal, p.Model.Vars[f.ChildVar()].Name, n, ops, gauss.MaxPointsCode)
				}
			}
		}
	}
	return list
}

// Plan returns a schedule whose entries draw one particle.
func (o *Options) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	scheme, _ := ir.SchemeOf(o.Resampling)
	proposal, _ := ir.ProposalOf(o.Proposal)
	how := &ir.Histories{Most: o.Particles, Beyond: ir.ResampleHistories,
		Draw: &ir.Draw{Seed: o.Seed, Scheme: scheme, Whole: true, Proposal: proposal, Enough: o.Enough, Ahead: o.Ahead, Moves: o.Moves, Paths: o.Paths}}
	if proposal == ir.FromPosterior {
		plan, err := planPosterior(c, p, how)
		return plan, method.Sampled, err
	}
	plan, err := planSlices(c, p, how)
	return plan, method.Sampled, err
}
