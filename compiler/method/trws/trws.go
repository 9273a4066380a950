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
	Answers: &ir.Approximation{
		Kind: ir.Decoding, Word: "trws", GoName: "TRWS",
		Summary: "probable completions and bounds, by sequential tree-reweighted message passing",
		Doc:     []string{"sets out to a probable completion of ev that is found by sequential tree-reweighted message passing, and gives the natural logarithm of its"},
		Options: method.BoundRun,
	},
	New: func() method.Instance {
		return &instance{ir.LoopOptions{Iterations: 1000, Tolerance: 1e-9}}
	},
}

type instance struct{ ir.LoopOptions }

// Options binds when to end.
func (x *instance) Options(fs *flag.FlagSet) { method.BoundFlags(&x.LoopOptions, fs) }

// Check refuses other queries.
func (x *instance) Check(p *ir.Problem) diag.List {
	return method.CheckLoop(Method.Name, Method.Answers.Word, x.LoopOptions, p)
}

// Plan makes the schedule of the one query.
func (x *instance) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	b := method.NewMaxSum(p)
	h := newHanding(b)
	bound := b.Bound()
	b.Sweeps(bound, h.onward, h.back, h.left)
	plan, err := b.Bounding(c, p.Queries[0], x.LoopOptions, bound)
	if err != nil {
		return nil, method.Bound, fmt.Errorf("trws: %w", err)
	}
	return plan, method.Bound, nil
}

// handing is by what variables divide what they hand on.
type handing struct {
	*method.MaxSum
	place   []int // by variable: in the order
	divisor []int // by variable: how many of its factors have variables behind it, or how many before it, whichever is larger
}

func newHanding(b *method.MaxSum) *handing {
	h := &handing{b, make([]int, len(b.Order)), make([]int, len(b.Order))}
	for i, v := range b.Order {
		h.place[v] = i
	}
	for v, edges := range b.Edges {
		behind, before := 0, 0
		for _, e := range edges {
			if h.reaches(e, +1) {
				behind++
			}
			if h.reaches(e, -1) {
				before++
			}
		}
		h.divisor[v] = max(behind, before)
	}
	return h
}

// reaches reports whether the factor of an edge has variables behind (+1) or before (-1) that of the edge.
func (h *handing) reaches(e *method.MaxEdge, direction int) bool {
	return slices.ContainsFunc(h.Scope[e.Factor], func(x *method.MaxEdge) bool { return direction*(h.place[x.Var]-h.place[e.Var]) > 0 })
}

// onward and back are the divisors of the two ways: 0 for a factor without variables ahead, which gets nothing.
func (h *handing) onward(e *method.MaxEdge) int { return h.divide(e, +1) }
func (h *handing) back(e *method.MaxEdge) int   { return h.divide(e, -1) }

func (h *handing) divide(e *method.MaxEdge, direction int) int {
	if !h.reaches(e, direction) {
		return 0
	}
	return h.divisor[e.Var]
}

// left is the share that v keeps on the way back.
func (h *handing) left(v model.VarID) [2]int32 {
	n, handed := max(1, h.divisor[v]), 0
	for _, e := range h.Edges[v] {
		if h.reaches(e, -1) {
			handed++
		}
	}
	return [2]int32{int32(n - handed), int32(n)}
}
