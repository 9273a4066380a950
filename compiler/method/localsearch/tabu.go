package localsearch

import (
	"fmt"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/options"
)

// Tabu is tabu search.
var Tabu = method.Method{
	Name:  "tabu",
	Doc:   "best states by tabu search with restarts",
	Kinds: "Bayesian, Markov", Guarantee: "a completion that no single change makes better", Cost: "moves times the states of all variables",
	Answers: &ir.Approximation{
		Kind: ir.Climb, Word: "tabu", GoName: "TabuSearch",
		Summary: "good completions, by tabu search",
		Doc:     []string{"sets out to the best completion of ev found by tabu search: from each start, a move makes the best change that is not tabu, even for the worse."},
		Options: method.RunOptions[TabuOptions](),
	},
	New: func() method.Instance { return NewTabuOptions() },
}

// TabuOptions are the options of Tabu.
type TabuOptions struct {
	Chains     int    `opt:"chains" default:"10" help:"number of starts" range:"[1,2147483647]" run:"Restarts"`
	Iterations int    `opt:"iterations" default:"5000" help:"moves from each start" range:"[1,2147483647]" run:"Moves"`
	Tenure     int    `opt:"tenure" help:"number of moves for which a state that was left is tabu; 0 derives it from the number of variables" range:"[0,2147483647]" run:"Tenure"`
	Seed       uint64 `opt:"seed" help:"seed of the random numbers" run:"Seed"`
}

// NewTabuOptions returns the defaults.
func NewTabuOptions() *TabuOptions { return options.New[TabuOptions]() }

// MethodName returns the name of the method.
func (TabuOptions) MethodName() string { return Tabu.Name }

// Check refuses other models and queries, and warns if the search may not reach the best states.
func (x *TabuOptions) Check(p *ir.Problem, by method.Peers) diag.List {
	return checkClimb(Tabu.Name, p, options.Check(x) == nil, fmt.Sprintf("%d starts of %d moves and a tenure of %d; want at least one start and one move, and no tenure below 0", x.Chains, x.Iterations, x.Tenure), by)
}

// The default tenure is 1 plus a quarter of the number of variables, so that some are always free,
// and at most longTenure.
const (
	tenureShare = 4
	longTenure  = 100
)

// Plan returns the schedule of the one query.
func (x *TabuOptions) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	trial := ir.TrialOptions{Mode: ir.ModeMove, Hot: 1, Cold: 1, Tenure: x.Tenure}
	if trial.Tenure == 0 {
		trial.Tenure = min(longTenure, 1+len(p.Model.Vars)/tenureShare)
	}
	return climb(c, p, ir.TabuMove, options.Part[ir.ChainOptions](x), trial)
}
