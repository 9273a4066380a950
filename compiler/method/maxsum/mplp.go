package maxsum

import (
	"fmt"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/loop"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
)

// MPLP is max-product linear programming.
var MPLP = method.Method{
	Name:  "mplp",
	Doc:   "bound: a probable completion, and an upper bound on all completions, by descent on the dual of a linear program",
	Kinds: "Bayesian, Markov", Guarantee: "the bound holds and never gets worse; proven best if it is reached", Cost: "iterations times three times the tables of the factors",
	Answers: &ir.Approximation{
		Kind: ir.Decoding, Word: "mplp", GoName: "MPLP",
		Summary: "probable completions and bounds, by max-product linear programming",
		Doc:     []string{"sets out to a probable completion of ev found by max-product linear programming."},
		Options: method.RunOptions[MPLPOptions](), Pseudo: true,
	},
	Certifies: func(*model.Model) string { return dualBound },
	New:       func() method.Instance { return NewMPLPOptions() },
}

// MPLPOptions are the options of MPLP.
type MPLPOptions struct {
	Iterations  int     `opt:"iterations" default:"1000" help:"largest number of iterations" range:"[1,inf)" run:"Iterations"`
	Tolerance   float64 `opt:"tolerance" default:"1e-9" help:"end after two iterations that lower the bound by no more" range:"[0,inf)" run:"Tolerance; negative: end only if the completion reaches the bound"`
	Cycles      int     `opt:"cycles" default:"1000" help:"largest number of cycles of three or four pairs that tighten the relaxation; 0 for none" range:"[0,inf)" wrong:"found at most {cycles} cycles; want 0 or more"`
	Subgradient int     `opt:"subgradient" help:"subgradient steps after an iteration in which the bound stalled, which end at the optimum of the relaxation; 0 for none" range:"[0,inf)" wrong:"found {subgradient} subgradient steps; want 0 or more"`
}

// NewMPLPOptions returns the defaults.
func NewMPLPOptions() *MPLPOptions { return options.New[MPLPOptions]() }

// MethodName returns the name of the method.
func (MPLPOptions) MethodName() string { return MPLP.Name }

// Check refuses other queries.
func (x *MPLPOptions) Check(p *ir.Problem, by method.Peers) diag.List {
	return loop.Check(x, p, by)
}

// Plan returns the schedule of the one query.
func (x *MPLPOptions) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	b := newPlan(p, c.MaxTable)
	b.tableAll(x.Subgradient)
	joins := b.cycles(x.Cycles, anyPair)
	bound := b.Bound()
	last := make([]int32, len(b.Model.Vars)) // by variable: number of factors whose last variable in the backward sweep it is
	seen := make([]bool, len(b.Model.Factors))
	for _, v := range b.Order {
		for _, e := range b.Edges[v] {
			if !seen[e.Factor] {
				seen[e.Factor] = true
				last[v]++
			}
		}
	}
	star := func(e *edge) int { return len(b.Edges[e.Var]) }
	b.Sweeps(bound, star, star, func(v model.VarID) [2]int32 {
		if len(b.Edges[v]) == 0 {
			return [2]int32{1, 1}
		}
		return [2]int32{last[v], int32(len(b.Edges[v]))}
	})
	plan, err := b.FinishBound(c, p.Queries[0], options.Part[ir.LoopOptions](x), bound, joins, x.Cycles, x.Subgradient)
	if err != nil {
		return nil, method.Bound, fmt.Errorf("mplp: %w", err)
	}
	return plan, method.Bound, nil
}
