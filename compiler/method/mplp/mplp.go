package mplp

import (
	"flag"
	"fmt"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Method is max-product linear programming.
var Method = method.Method{
	Name:  "mplp",
	Doc:   "bound: a probable completion, and what no completion exceeds, by descent on the dual of a linear program",
	Kinds: "Bayesian, Markov", Guarantee: "the bound holds and never gets worse; proven best where it is reached", Cost: "rounds times twice the tables of the factors",
	Answers: &ir.Approximation{
		Kind: ir.Decoding, Word: "mplp", GoName: "MPLP",
		Summary: "probable completions and bounds, by max-product linear programming",
		Doc:     []string{"sets out to a probable completion of ev that is found by max-product linear programming, and gives the natural logarithm of its"},
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
	bound := b.Bound()
	last := make([]int32, len(b.Model.Vars)) // by variable: of how many factors it is the last on the way back
	seen := make([]bool, len(b.Model.Factors))
	for _, v := range b.Order {
		for _, e := range b.Edges[v] {
			if !seen[e.Factor] {
				seen[e.Factor] = true
				last[v]++
			}
		}
	}
	star := func(e *method.MaxEdge) int { return len(b.Edges[e.Var]) }
	b.Sweeps(bound, star, star, func(v model.VarID) [2]int32 {
		if len(b.Edges[v]) == 0 {
			return [2]int32{1, 1}
		}
		return [2]int32{last[v], int32(len(b.Edges[v]))}
	})
	plan, err := b.Bounding(c, p.Queries[0], x.LoopOptions, bound)
	if err != nil {
		return nil, method.Bound, fmt.Errorf("mplp: %w", err)
	}
	return plan, method.Bound, nil
}
