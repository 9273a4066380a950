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

// TRWS is sequential tree-reweighted message passing.
var TRWS = method.Method{
	Name:  "trws",
	Role:  method.DualMessages,
	Doc:   "bound: a probable completion, and an upper bound on all completions, by sweeps along an order of the variables",
	Kinds: "Bayesian, Markov", Guarantee: "the bound holds and never gets worse; proven best if it is reached", Cost: "iterations times three times the tables of the factors",
	Answers: &ir.Approximation{
		Kind: ir.Decoding, Word: "trws", GoName: "TRWS",
		Summary: "probable completions and bounds, by sequential tree-reweighted message passing",
		Doc:     []string{"sets out to a probable completion of ev found by sequential tree-reweighted message passing."},
		Options: method.RunOptions[TRWSOptions](), Pseudo: true,
	},
	Certifies: func(*model.Model) string { return dualBound },
	New:       func() method.Instance { return NewTRWSOptions() },
}

// TRWSOptions are the options of TRWS, the same as those of MPLP.
type TRWSOptions MPLPOptions

// NewTRWSOptions returns the defaults.
func NewTRWSOptions() *TRWSOptions { return options.New[TRWSOptions]() }

// MethodName returns the name of the method.
func (TRWSOptions) MethodName() string { return TRWS.Name }

// Check refuses other queries.
func (x *TRWSOptions) Check(p *ir.Problem, by method.Peers) diag.List {
	return loop.Check(x, p, by)
}

// Plan returns the schedule of the one query.
func (x *TRWSOptions) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	b := newPlan(p, c.MaxTable)
	b.tableAll(x.Subgradient)
	joins := b.cycles(x.Cycles, b.hasTable)
	h := newTRWSWeights(b)
	bound := b.Bound()
	b.Sweeps(bound, h.forward, h.backward, h.kept)
	plan, err := b.FinishBound(c, p.Queries[0], options.Part[ir.LoopOptions](x), bound, joins, x.Cycles, x.Subgradient)
	if err != nil {
		return nil, method.Bound, fmt.Errorf("trws: %w", err)
	}
	return plan, method.Bound, nil
}

// trwsWeights holds the divisors of the messages of TRW-S.
type trwsWeights struct {
	*plan
	place   []int // by variable: its index in the order
	divisor []int // by variable: number of its factors with later variables, or with earlier ones, whichever is larger
}

func newTRWSWeights(b *plan) *trwsWeights {
	h := &trwsWeights{b, make([]int, len(b.Order)), make([]int, len(b.Order))}
	for i, v := range b.Order {
		h.place[v] = i
	}
	for v, edges := range b.Edges {
		after, before := 0, 0
		for _, e := range edges {
			if h.reaches(e, +1) {
				after++
			}
			if h.reaches(e, -1) {
				before++
			}
		}
		h.divisor[v] = max(after, before)
	}
	return h
}

// reaches reports whether the factor of an edge has variables after (+1) or before (-1) the edge's.
func (h *trwsWeights) reaches(e *edge, direction int) bool {
	return slices.ContainsFunc(h.Scope[e.Factor], func(x *edge) bool { return direction*(h.place[x.Var]-h.place[e.Var]) > 0 })
}

// forward and backward return the divisors of the two sweeps: 0, for no message, if the factor has
// no variables ahead.
func (h *trwsWeights) forward(e *edge) int  { return h.divide(e, +1) }
func (h *trwsWeights) backward(e *edge) int { return h.divide(e, -1) }

func (h *trwsWeights) divide(e *edge, direction int) int {
	if !h.reaches(e, direction) {
		return 0
	}
	return h.divisor[e.Var]
}

// kept returns the share of its sum that v keeps in the backward sweep, as a fraction.
func (h *trwsWeights) kept(v model.VarID) [2]int32 {
	n, sent := max(1, h.divisor[v]), 0
	for _, e := range h.Edges[v] {
		if h.reaches(e, -1) {
			sent++
		}
	}
	return [2]int32{int32(n - sent), int32(n)}
}
