package gpb

import (
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/switching"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
)

// takes are the traits of models that the methods take.
const takes = model.Slices | model.Reals | model.Gaussians | model.Mixed | model.Givens | model.SoftChildren

// GPB1 keeps one Gaussian.
var GPB1 = method.Method{
	Name:  "gpb1",
	Doc:   "filters sequences of discrete and real variables with one Gaussian between slices",
	Kinds: "Bayesian, with a transition", Guarantee: "none; exact if no real variable persists, or all are real",
	Cost:  "joint states of the discrete parents of real variables, times cubes of the number of these",
	Takes: takes, Inexact: true,
	Bounded: &method.Bounded{What: "one Gaussian", Runs: 1},
	New:     func() method.Instance { return NewGPB1Options() },
}

// GPB2 keeps one Gaussian for each joint state of the discrete variables that persist, and merges
// after a slice.
var GPB2 = method.Method{
	Name:  "gpb2",
	Role:  method.MergingFilter,
	Doc:   "filters and smooths sequences of discrete and real variables with one Gaussian for each state between slices",
	Kinds: "Bayesian, with a transition", Guarantee: "none; exact if no real variable persists, or all are real, and for two slices if the discrete parents of real variables persist",
	Cost:  "as gpb1, times the joint states of the discrete variables that persist",
	Takes: takes, Inexact: true,
	// No exact method takes softmax children in time, and gpb1 forgets which state has which mean.
	Prefers: func(m *model.Model) bool {
		traits := m.Traits()
		return m.Transition != nil && traits&model.SoftChildren != 0 && takes&traits == traits
	},
	Defaults: []string{"filter"},
	Bounded:  &method.Bounded{What: "one for each joint state", Runs: 1},
	New:      func() method.Instance { return NewGPB2Options() },
}

// IMM keeps as many Gaussians as GPB2, and merges before a slice.
var IMM = method.Method{
	Name:  "imm",
	Role:  method.MixingFilter,
	Doc:   "filters and smooths sequences of discrete and real variables with one Gaussian for each state, mixed before each slice",
	Kinds: "Bayesian, with a transition", Guarantee: "none; exact if no real variable persists, or all are real",
	Cost:  "as gpb1, and mixtures over the joint states of the discrete variables that persist",
	Takes: takes, Inexact: true,
	Bounded: &method.Bounded{What: "those mixed before a slice", Runs: 1},
	New:     func() method.Instance { return NewIMMOptions() },
}

// GPB1Options has no fields.
type GPB1Options struct{}

// NewGPB1Options returns the only value.
func NewGPB1Options() *GPB1Options { return options.New[GPB1Options]() }

// MethodName returns "gpb1".
func (GPB1Options) MethodName() string { return GPB1.Name }

// Check refuses networks without a transition, and queries other than filter.
func (*GPB1Options) Check(p *ir.Problem, by method.Peers) diag.List {
	return switching.Check(GPB1.Name, p, "; gpb2 and imm answer smooth", ir.Filter)
}

// Plan returns a schedule of the query.
func (*GPB1Options) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	return switching.Plan(c, p, switching.Rule{})
}

// GPB2Options has no fields.
type GPB2Options struct{}

// NewGPB2Options returns the only value.
func NewGPB2Options() *GPB2Options { return options.New[GPB2Options]() }

// MethodName returns "gpb2".
func (GPB2Options) MethodName() string { return GPB2.Name }

// Check refuses networks without a transition, and queries other than filter and smooth.
func (*GPB2Options) Check(p *ir.Problem, by method.Peers) diag.List {
	return switching.Check(GPB2.Name, p, "", ir.Filter, ir.Smooth)
}

// Plan returns a schedule of the query.
func (*GPB2Options) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	return switching.Plan(c, p, switching.Rule{Each: true})
}

// IMMOptions has no fields.
type IMMOptions struct{}

// NewIMMOptions returns the only value.
func NewIMMOptions() *IMMOptions { return options.New[IMMOptions]() }

// MethodName returns "imm".
func (IMMOptions) MethodName() string { return IMM.Name }

// Check refuses networks without a transition, and queries other than filter and smooth.
func (*IMMOptions) Check(p *ir.Problem, by method.Peers) diag.List {
	return switching.Check(IMM.Name, p, "", ir.Filter, ir.Smooth)
}

// Plan returns a schedule of the query.
func (*IMMOptions) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	return switching.Plan(c, p, switching.Rule{Each: true, Early: true})
}
