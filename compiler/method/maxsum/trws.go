package maxsum

import (
	"flag"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/loop"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TRWS is sequential tree-reweighted message passing.
var TRWS = method.Method{
	Name:  "trws",
	Doc:   "bound: a probable completion, and what no completion exceeds, by sweeps along an order",
	Kinds: "Bayesian, Markov", Guarantee: "the bound holds and never gets worse; proven best where it is reached", Cost: "rounds times twice the tables of the factors",
	Answers: &ir.Approximation{
		Kind: ir.Decoding, Word: "trws", GoName: "TRWS",
		Summary: "probable completions and bounds, by sequential tree-reweighted message passing",
		Doc:     []string{"sets out to a probable completion of ev that is found by sequential tree-reweighted message passing, and gives the natural logarithm of its"},
		Options: boundRun,
	},
	New: func() method.Instance { return NewTRWSOptions() },
}

// TRWSOptions are the options of TRWS.
type TRWSOptions struct {
	Iterations int     // largest number of iterations; at least 1
	Tolerance  float64 // the loop ends after two iterations that lower the bound by no more; at least 0
}

// NewTRWSOptions returns the defaults.
func NewTRWSOptions() *TRWSOptions {
	return &TRWSOptions{Iterations: loop.Iterations, Tolerance: loop.Tolerance}
}

// MethodName names the method.
func (TRWSOptions) MethodName() string { return TRWS.Name }

// loop returns the options of the loop, which is not damped.
func (x *TRWSOptions) loop() ir.LoopOptions {
	return ir.LoopOptions{Iterations: x.Iterations, Tolerance: x.Tolerance}
}

// Bind declares flags for when to end.
func (x *TRWSOptions) Bind(fs *flag.FlagSet) { bindBound(fs, &x.Iterations, &x.Tolerance) }

// Check refuses other queries.
func (x *TRWSOptions) Check(p *ir.Problem) diag.List {
	return loop.Check(TRWS.Name, TRWS.Answers.Word, x.loop(), p)
}

// Plan makes the schedule of the one query.
func (x *TRWSOptions) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	b := newPlan(p)
	h := newHanding(b)
	bound := b.Bound()
	b.Sweeps(bound, h.onward, h.back, h.left)
	plan, err := b.Bounding(c, p.Queries[0], x.loop(), bound)
	if err != nil {
		return nil, method.Bound, fmt.Errorf("trws: %w", err)
	}
	return plan, method.Bound, nil
}

// handing is by what variables divide what they hand on.
type handing struct {
	*plan
	place   []int // by variable: in the order
	divisor []int // by variable: how many of its factors have variables behind it, or how many before it, whichever is larger
}

func newHanding(b *plan) *handing {
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

// reaches reports whether the factor of an edge has variables behind (+1) or before (-1) that of
// the edge.
func (h *handing) reaches(e *edge, direction int) bool {
	return slices.ContainsFunc(h.Scope[e.Factor], func(x *edge) bool { return direction*(h.place[x.Var]-h.place[e.Var]) > 0 })
}

// onward and back are the divisors of the two ways: 0 for a factor without variables ahead, which
// gets nothing.
func (h *handing) onward(e *edge) int { return h.divide(e, +1) }
func (h *handing) back(e *edge) int   { return h.divide(e, -1) }

func (h *handing) divide(e *edge, direction int) int {
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
