package icm

import (
	"flag"
	"fmt"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/blanket"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// Method is iterated conditional modes.
var Method = method.Method{
	Name:  "icm",
	Doc:   "best states by iterated conditional modes",
	Kinds: "Bayesian, Markov", Guarantee: "a completion that no single change makes better", Cost: "sweeps times the blankets of the variables",
	Answers: &ir.Approximation{
		Kind: ir.Climb, Word: "icm", GoName: "ICM",
		Summary: "good completions, by iterated conditional modes",
		Doc: []string{"sets out to the best completion of ev that was found by iterated conditional modes: from each start, variables take their best state given all others",
			"until none changes."},
		Options: []ir.RunOption{
			{Name: "Restarts", Type: "int", Field: "Chains", Doc: "how many starts"},
			{Name: "Sweeps", Type: "int", Field: "Iterations", Doc: "at most so many from each"},
			method.SeedRun,
		},
	},
	New: func() method.Instance {
		return &instance{ir.ChainOptions{Iterations: 1000, Chains: 10}, blanket.NoTrial(ir.ModeClimb)}
	},
}

type instance struct {
	ir.ChainOptions
	ir.TrialOptions
}

// Options binds the numbers of a run.
func (x *instance) Options(fs *flag.FlagSet) {
	fs.IntVar(&x.Chains, "chains", x.Chains, "how many starts")
	fs.IntVar(&x.Iterations, "iterations", x.Iterations, "at most so many sweeps from each")
	fs.Uint64Var(&x.Seed, "seed", x.Seed, "of the random numbers")
}

// Check refuses other models and queries.
func (x *instance) Check(p *ir.Problem) diag.List {
	return blanket.CheckClimb(Method.Name, Method.Answers.Word, p, x.ChainOptions.Valid(), fmt.Sprintf("%d starts of %d sweeps; want at least one of each", x.Chains, x.Iterations))
}

// Plan makes the schedule of the one query.
func (x *instance) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	return blanket.Climb(c, p, ir.DrawTempered, x.ChainOptions, x.TrialOptions)
}
