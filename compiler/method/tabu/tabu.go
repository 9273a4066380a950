package tabu

import (
	"flag"
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/blanket"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// Method is tabu search.
var Method = method.Method{
	Name:  "tabu",
	Doc:   "best states by tabu search with restarts",
	Kinds: "Bayesian, Markov", Guarantee: "a completion that no single change makes better", Cost: "moves times the states of all variables",
	Answers: &ir.Approximation{
		Kind: ir.Climb, Word: "tabu", GoName: "TabuSearch",
		Summary: "good completions, by tabu search",
		Doc:     []string{"sets out to the best completion of ev that was found by tabu search: from each start, the best change that is free is made, if only for the worse."},
		Options: []ir.RunOption{
			{Name: "Restarts", Type: "int", Field: "Chains", Doc: "how many starts"},
			{Name: "Moves", Type: "int", Field: "Iterations", Doc: "from each"},
			{Name: "Tenure", Type: "int", Field: "Tenure", Doc: "for how many moves a state that was left is left alone"},
			method.SeedRun,
		},
	},
	New: func() method.Instance {
		return &instance{ir.ChainOptions{Iterations: 5000, Chains: 10}, ir.TrialOptions{Mode: ir.ModeMove, Hot: 1, Cold: 1}}
	},
}

type instance struct {
	ir.ChainOptions
	ir.TrialOptions
}

// Options binds the numbers of a run.
func (x *instance) Options(fs *flag.FlagSet) {
	fs.IntVar(&x.Chains, "chains", x.Chains, "how many starts")
	fs.IntVar(&x.Iterations, "iterations", x.Iterations, "moves from each")
	fs.IntVar(&x.Tenure, "tenure", x.Tenure, "for how many moves a state that was left is left alone; 0 chooses by the number of variables")
	fs.Uint64Var(&x.Seed, "seed", x.Seed, "of the random numbers")
}

// Check refuses other models and queries.
func (x *instance) Check(p *ir.Problem) diag.List {
	return blanket.CheckClimb(Method.Name, Method.Answers.Word, p, x.ChainOptions.Valid() && x.Tenure >= 0 && x.Tenure <= math.MaxInt32, fmt.Sprintf("%d starts of %d moves and a tenure of %d; want at least one start and one move, and no tenure below 0", x.Chains, x.Iterations, x.Tenure))
}

// A tenure that nothing was said of is a quarter of the variables, so that some are always free, and at most longTenure.
const (
	tenureShare = 4
	longTenure  = 100
)

// Plan makes the schedule of the one query.
func (x *instance) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	trial := x.TrialOptions
	if trial.Tenure == 0 {
		trial.Tenure = min(longTenure, 1+len(p.Model.Vars)/tenureShare)
	}
	return blanket.Climb(c, p, ir.TabuMove, x.ChainOptions, trial)
}
