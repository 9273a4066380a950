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
	New: func() method.Instance {
		return &instance{ir.ChainOptions{Iterations: 1000, Chains: 10}, blanket.NoTrial}
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
	return blanket.CheckClimb("icm", ir.ICM, p, x.ChainOptions.Valid(), fmt.Sprintf("%d starts of %d sweeps; want at least one of each", x.Chains, x.Iterations))
}

// Plan makes the schedule of the one query.
func (x *instance) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	return blanket.Climb(c, p, ir.TrialTemper, x.ChainOptions, x.TrialOptions)
}
