package localsearch

import (
	"fmt"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/blanket"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/options"
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
		Options: method.RunOptions[ICMOptions](),
	},
	New: func() method.Instance { return NewICMOptions() },
}

// ICMOptions are the options of ICM.
type ICMOptions struct {
	Chains     int    `opt:"chains" default:"10" help:"number of starts" range:"[1,2147483647]" run:"Restarts"`
	Iterations int    `opt:"iterations" default:"1000" help:"largest number of sweeps from each start" range:"[1,2147483647]" run:"Sweeps"`
	Seed       uint64 `opt:"seed" help:"seed of the random numbers" run:"Seed"`
}

// NewICMOptions returns the defaults.
func NewICMOptions() *ICMOptions { return options.New[ICMOptions]() }

// MethodName returns the name of the method.
func (ICMOptions) MethodName() string { return ICM.Name }

// Check refuses other models and queries, and warns if the search may not reach the best states.
func (x *ICMOptions) Check(p *ir.Problem, by method.Peers) diag.List {
	return checkClimb(ICM.Name, p, options.Check(x) == nil, fmt.Sprintf("%d starts of %d sweeps; want at least one of each", x.Chains, x.Iterations), by)
}

// Plan returns the schedule of the one query.
func (x *ICMOptions) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	return climb(c, p, ir.DrawTempered, options.Part[ir.ChainOptions](x), blanket.NoTrial(ir.ModeClimb))
}
