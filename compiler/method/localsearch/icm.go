package localsearch

import (
	"flag"
	"fmt"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/blanket"
	"github.com/pgmc-go/pgmc/compiler/method/internal/chain"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// ICM is iterated conditional modes.
var ICM = method.Method{
	Name:  "icm",
	Doc:   "best states by iterated conditional modes",
	Kinds: "Bayesian, Markov", Guarantee: "a completion that no single change makes better", Cost: "sweeps times the blankets of the variables",
	Answers: &ir.Approximation{
		Kind: ir.Climb, Word: "icm", GoName: "ICM",
		Summary: "good completions, by iterated conditional modes",
		Doc: []string{"sets out to the best completion of ev found by iterated conditional modes: from each start, variables take their best state given all",
			"others until none changes."},
		Options: []ir.RunOption{
			{Name: "Restarts", Type: "int", Field: "Chains", Doc: "number of starts"},
			{Name: "Sweeps", Type: "int", Field: "Iterations", Doc: "largest number of sweeps from each start"},
			chain.Seed,
		},
	},
	New: func() method.Instance { return NewICMOptions() },
}

// ICMOptions are the options of ICM.
type ICMOptions struct {
	Chains     int    // number of starts; at least 1
	Iterations int    // largest number of sweeps from each start; at least 1
	Seed       uint64 // seed of the random numbers
}

// NewICMOptions returns the defaults.
func NewICMOptions() *ICMOptions {
	return &ICMOptions{Iterations: 1000, Chains: 10}
}

// MethodName returns the name of the method.
func (ICMOptions) MethodName() string { return ICM.Name }

// chain returns the options of the run.
func (x *ICMOptions) chain() ir.ChainOptions {
	return ir.ChainOptions{Iterations: x.Iterations, Chains: x.Chains, Seed: x.Seed}
}

// Bind declares the flags of the options.
func (x *ICMOptions) Bind(fs *flag.FlagSet) {
	fs.IntVar(&x.Chains, "chains", x.Chains, "number of starts")
	fs.IntVar(&x.Iterations, "iterations", x.Iterations, "largest number of sweeps from each start")
	fs.Uint64Var(&x.Seed, "seed", x.Seed, "seed of the random numbers")
}

// Check refuses other models and queries, and warns if the search may not reach the best states.
func (x *ICMOptions) Check(p *ir.Problem) diag.List {
	return checkClimb(ICM.Name, p, x.chain().Valid(), fmt.Sprintf("%d starts of %d sweeps; want at least one of each", x.Chains, x.Iterations))
}

// Plan returns the schedule of the one query.
func (x *ICMOptions) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	return climb(c, p, ir.DrawTempered, x.chain(), blanket.NoTrial(ir.ModeClimb))
}
