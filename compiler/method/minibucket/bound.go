package minibucket

import (
	"flag"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
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

// Defaults of the numbers of all boxes, and of the rounds that improve them.
const (
	defaultNumbers = 1 << 18
	defaultRounds  = 100
)

// BoundOptions are the options of Bound.
type BoundOptions struct {
	Numbers int // the most numbers of all mini-buckets; at least 1
	Improve int // rounds of tightening the bounds while compiling; at least 0
}

// NewBoundOptions returns the defaults.
func NewBoundOptions() *BoundOptions {
	return &BoundOptions{Numbers: defaultNumbers, Improve: defaultRounds}
}

// MethodName returns "bound".
func (BoundOptions) MethodName() string { return Bound.Name }

// Bind declares the flags of the options.
func (x *BoundOptions) Bind(fs *flag.FlagSet) { bindBoxes(fs, &x.Numbers, &x.Improve) }

func bindBoxes(fs *flag.FlagSet, numbers, improve *int) {
	fs.IntVar(numbers, "numbers", *numbers, "the most numbers of all mini-buckets: more bound tighter, and take memory and time")
	fs.IntVar(improve, "improve", *improve, "rounds of tightening the bounds while compiling")
}

// Check refuses other queries.
func (x *BoundOptions) Check(p *ir.Problem) diag.List {
	return check(Bound.Name, p, x.Numbers, x.Improve, ir.LoopOptions{Iterations: 1})
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
