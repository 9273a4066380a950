package trws

import (
	"flag"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Method is sequential tree-reweighted message passing.
var Method = method.Method{
	Name:  "trws",
	Doc:   "bound: a probable completion, and what no completion exceeds, by sweeps along an order",
	Kinds: "Bayesian, Markov", Guarantee: "the bound holds and never gets worse; proven best where it is reached", Cost: "rounds times twice the tables of the factors",
	New: func() method.Instance {
		return &instance{ir.LoopOptions{Iterations: 1000, Tolerance: 1e-9}}
	},
}

type instance struct{ ir.LoopOptions }

// Options binds when to end.
func (x *instance) Options(fs *flag.FlagSet) { method.BoundFlags(&x.LoopOptions, fs) }

// Check refuses other queries, and dependency networks.
func (x *instance) Check(p *ir.Problem) diag.List {
	return method.CheckMaxSum(Method.Name, ir.TRWS, x.LoopOptions, p)
}

// Plan makes the schedule of the one query.
func (x *instance) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	b := method.NewMaxSum(p)
	place := make([]int, len(p.Model.Vars))
	for i, v := range b.Order {
		place[v] = i
	}
	bound := b.Bound()
	for _, v := range b.Order {
		b.Round = append(b.Gather(b.Round, v), b.Spread(v, share(b, place, v, func(u model.VarID) bool { return place[u] > place[v] })))
	}
	for _, v := range slices.Backward(b.Order) {
		divide := share(b, place, v, func(u model.VarID) bool { return place[u] < place[v] })
		op := b.Spread(v, divide)
		op.Bound, op.Share = bound, left(b, v, divide)
		b.Round = append(b.Gather(b.Round, v), op)
	}
	plan, err := b.Bounding(c, p.Queries[0], x.LoopOptions, bound)
	if err != nil {
		return nil, method.Bound, fmt.Errorf("trws: %w", err)
	}
	return plan, method.Bound, nil
}

// share says by what v divides what it hands to a factor on its way: that of the factors ahead, or of those behind, of which there are
// more. A factor is ahead where some of its variables are, and gets nothing otherwise.
func share(b *method.MaxSum, place []int, v model.VarID, ahead func(model.VarID) bool) func(*method.MaxEdge) int {
	before, after := 0, 0
	for _, e := range b.Edges[v] {
		others := b.Scope[e.Factor]
		if slices.ContainsFunc(others, func(x *method.MaxEdge) bool { return place[x.Var] < place[v] }) {
			before++
		}
		if slices.ContainsFunc(others, func(x *method.MaxEdge) bool { return place[x.Var] > place[v] }) {
			after++
		}
	}
	return func(e *method.MaxEdge) int {
		if slices.ContainsFunc(b.Scope[e.Factor], func(x *method.MaxEdge) bool { return x.Var != v && ahead(x.Var) }) {
			return max(before, after)
		}
		return 0
	}
}

// left is the share of what v has that it keeps.
func left(b *method.MaxSum, v model.VarID, divide func(*method.MaxEdge) int) [2]int32 {
	n, handed := int32(1), int32(0)
	for _, e := range b.Edges[v] {
		if by := int32(divide(e)); by > 0 {
			n, handed = by, handed+1
		}
	}
	return [2]int32{n - handed, n}
}
