package maxsum

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/loop"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
)

// MaxProduct is loopy max-product.
var MaxProduct = method.Method{
	Name:  "maxprod",
	Role:  method.MaxMessages,
	Doc:   "approximate: a probable completion and max-marginals, by max-product messages",
	Kinds: "Bayesian, Markov", Guarantee: "exact without cycles, proven with one cycle if the states agree; otherwise none, and it may not converge",
	Cost: "iterations times the tables of the factors",
	Answers: &ir.Approximation{
		Kind: ir.Decoding, Word: "maxprod", GoName: "MaxProduct",
		Summary: "probable completions and max-marginals, by loopy max-product",
		Doc:     []string{"sets out to a probable completion of ev found by loopy max-product."},
		Options: method.RunOptions[MaxProductOptions](), MaxMarginals: true,
	},
	New: func() method.Instance { return NewMaxProductOptions() },
}

// The schedules.
const (
	sequential = "sequential"
	flooding   = "flooding"
)

// MaxProductOptions are the options of MaxProduct.
type MaxProductOptions struct {
	Iterations int     `opt:"iterations" default:"1000" help:"largest number of iterations" range:"[1,inf)" run:"Iterations"`
	Tolerance  float64 `opt:"tolerance" default:"1e-9" help:"largest change of a number at convergence" range:"[0,inf)" run:"Tolerance: largest change of a message at convergence; negative: never"`
	Damping    float64 `opt:"damping" help:"weight of the old value in an update, at least 0 and below 1" range:"[0,1)" run:"Damping: weight of the old message in an update, below 1; negative: none"`
	Schedule   string  `opt:"schedule" default:"sequential" help:"order of messages: sequential or flooding" range:"sequential|flooding"`
}

// NewMaxProductOptions returns the defaults.
func NewMaxProductOptions() *MaxProductOptions { return options.New[MaxProductOptions]() }

// MethodName returns the name of the method.
func (MaxProductOptions) MethodName() string { return MaxProduct.Name }

// Check refuses other queries.
func (x *MaxProductOptions) Check(p *ir.Problem, by method.Peers) diag.List {
	return loop.Check(x, p, by)
}

// Plan returns the schedule of the one query.
func (x *MaxProductOptions) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	b := newPlan(p, c.MaxTable)
	for v := range b.Model.Vars {
		b.Start = append(b.Start, b.SendMessages(model.VarID(v), undivided))
	}
	if x.Schedule == flooding {
		flood(b)
	} else {
		sweep(b)
	}
	slack := b.Kept("slack")
	b.End = b.Slack(b.Decode(b.MaxMarginals(b.End)), slack)
	b.End = b.Logarithm(b.End, b.LogP, b.Value)
	loops := b.Loops()
	plan, err := b.finish(c, p.Queries[0], options.Part[ir.LoopOptions](x), &ir.OpDecode{Bound: ir.NoTable, Slack: slack, Ties: b.Ties, Exact: loops <= 1})
	if err != nil {
		return nil, method.Approximate, fmt.Errorf("maxprod: %w", err)
	}
	if x.Schedule == sequential && x.Damping == 0 && loops == 0 {
		return plan, method.Exact, nil
	}
	return plan, method.Approximate, nil
}

// undivided is the divisor of a variable that sends its whole sum to each factor.
func undivided(*edge) int { return 1 }

// send adds the operation that sends the messages of v.
func send(b *plan, v model.VarID) {
	op := b.SendMessages(v, undivided)
	op.Residual, op.Rate = b.Residual, b.Rate
	b.Round = append(b.Round, op)
}

// flood plans an iteration in which every message is computed from the previous one's.
func flood(b *plan) {
	for v := range b.Model.Vars {
		b.Round = b.Gather(b.Round, model.VarID(v))
	}
	for v := range b.Model.Vars {
		send(b, model.VarID(v))
	}
}

// sweep plans an iteration that visits the variables from the leaves of the breadth-first tree to
// its roots and back.
func sweep(b *plan) {
	visit := func(v model.VarID) {
		b.Round = b.Gather(b.Round, v)
		send(b, v)
	}
	for _, v := range slices.Backward(b.Order) {
		visit(v)
	}
	for _, v := range b.Order[min(1, len(b.Order)):] {
		visit(v)
	}
}
