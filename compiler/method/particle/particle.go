package particle

import (
	"flag"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/compiler/method/internal/switching"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Method is the particle filter.
var Method = method.Method{
	Name:  "particle",
	Doc:   "sampled: filters sequences of variables of all kinds with particles",
	Kinds: "Bayesian, with a transition", Guarantee: "approaches the posterior; the estimate of P is unbiased", Cost: "particles times the CPDs",
	Takes:   model.Slices | model.Reals | model.Gaussians | model.Mixed | model.Givens | model.Funcs | model.SoftChildren,
	Inexact: true,
	New:     func() method.Instance { return NewOptions() },
}

// Options are the options of Method.
type Options struct {
	Particles  int     // at least 1
	Proposal   string  // bootstrap, posterior, ekf or ukf
	Resampling string  // systematic, stratified or residual
	Enough     float64 // resample if the effective sample size is below this share of the particles
	Ahead      int     // trial draws of a slice from each particle, by which those that go on are chosen; 0 for none
	Moves      int     // moves of each particle after resampling
	Paths      int     // trajectories that smoothing draws
	Seed       uint64  // seed of the random numbers
}

// NewOptions returns the defaults.
func NewOptions() *Options {
	return &Options{Particles: 1000, Proposal: ir.FromCPDs.String(), Resampling: ir.Systematic.String(), Enough: .5, Paths: 200}
}

// MethodName returns "particle".
func (Options) MethodName() string { return Method.Name }

// Bind declares the flags of the options.
func (o *Options) Bind(fs *flag.FlagSet) {
	fs.IntVar(&o.Particles, "particles", o.Particles, "number of particles")
	fs.StringVar(&o.Proposal, "proposal", o.Proposal, "draw particles from the CPDs, bootstrap, or given the evidence on the slice: posterior, or near it by ekf or ukf")
	fs.StringVar(&o.Resampling, "resampling", o.Resampling, "draw particles to go on by the `scheme` "+strings.Join(ir.Schemes(), ", "))
	fs.Float64Var(&o.Enough, "enough", o.Enough, "resample if the effective sample size is below this share of the particles")
	fs.IntVar(&o.Ahead, "ahead", o.Ahead, "choose particles that go on by this `number` of trial draws from each: an auxiliary particle filter")
	fs.IntVar(&o.Moves, "move-steps", o.Moves, "resample after a slice that leaves few particles, and move each this `number` of times")
	fs.IntVar(&o.Paths, "paths", o.Paths, "`number` of trajectories that smoothing draws back from the last slice")
	fs.Uint64Var(&o.Seed, method.SeedOption, o.Seed, "seed of the random numbers")
}

// Check refuses networks without a transition, other queries than filter and smooth, and options
// that are out of range.
func (o *Options) Check(p *ir.Problem) diag.List {
	list := switching.Check(Method.Name, p, "", ir.Filter, ir.Smooth)
	checkDraws(&list, p, o.Particles, o.Resampling)
	pos := diag.Pos{File: p.Model.File}
	proposal, ok := ir.ProposalOf(o.Proposal)
	if !ok {
		list.Errorf(pos, "unknown proposal %q; want one of %s", o.Proposal, strings.Join(ir.Proposals(), ", "))
	}
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
	if o.Ahead < 0 || o.Moves < 0 || o.Paths < 1 || max(o.Ahead, o.Moves, o.Paths) > maxParticles {
		list.Errorf(pos, "found %d trial draws, %d moves and %d trajectories; want numbers from 0 to %d, and a trajectory", o.Ahead, o.Moves, o.Paths, maxParticles)
	}
	if !(o.Enough >= 0 && o.Enough <= 1) {
		list.Errorf(pos, "found %v as the share of an effective sample size that is enough; want a number from 0 to 1", o.Enough)
	}
	return list
}

// checkDraws adds errors about options of both methods.
func checkDraws(list *diag.List, p *ir.Problem, particles int, resampling string) {
	pos := diag.Pos{File: p.Model.File}
	if particles < 1 || particles > maxParticles {
		list.Errorf(pos, "found %d particles; want a number from 1 to %d", particles, maxParticles)
	}
	if _, ok := ir.SchemeOf(resampling); !ok {
		list.Errorf(pos, "unknown scheme of resampling %q; want one of %s", resampling, strings.Join(ir.Schemes(), ", "))
	}
}

// maxParticles bounds memory: a particle takes tens of bytes and more.
const maxParticles = 1 << 24

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
