package minibucket

import (
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/loop"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
)

// Bound gives intervals that hold ln P and posteriors.
var Bound = method.Method{
	Name:  "bound",
	Doc:   "bound: intervals of ln P and of posteriors that hold, by weighted mini-buckets",
	Kinds: "Bayesian, Markov", Guarantee: "intervals that hold the exact answers",
	Cost: "the numbers of all mini-buckets, times the states of all variables for posteriors",
	Answers: &ir.Approximation{
		Kind: ir.Bounded, Word: "bound", GoName: "Bounds", Anytime: true,
		Summary: "intervals that hold the probability of evidence and the posteriors, by weighted mini-buckets",
	},
	Certifies: func(*model.Model) string { return "ln P and every posterior lie within their intervals" },
	New:       func() method.Instance { return NewBoundOptions() },
}

// BoundOptions are the options of Bound.
type BoundOptions struct {
	Numbers int `opt:"numbers" default:"262144" help:"the most numbers of all mini-buckets: more bound tighter, and take memory and time" range:"[1,268435456]" wrong:"method bound: found {numbers} numbers of mini-buckets and {improve} rounds of improving them; want 1 to 268435456, and 0 or more"`
	Improve int `opt:"improve" default:"100" help:"rounds of tightening the bounds while compiling" range:"[0,inf)" wrong:"=numbers"`
}

// NewBoundOptions returns the defaults.
func NewBoundOptions() *BoundOptions { return options.New[BoundOptions]() }

// MethodName returns "bound".
func (BoundOptions) MethodName() string { return Bound.Name }

// Check refuses other queries.
func (x *BoundOptions) Check(p *ir.Problem, by method.Peers) diag.List {
	return loop.Check(x, p, by)
}

// Plan returns the schedule of the one query.
func (x *BoundOptions) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	b, err := newPlan(c, p, boxes{Numbers: x.Numbers})
	if err != nil {
		return nil, method.Bound, err
	}
	plan := b.bound()
	if err := c.Fits(b.Schedule); err != nil {
		return nil, method.Bound, err
	}
	return plan, method.Bound, b.fixed.Improve(c, x.Improve)
}
