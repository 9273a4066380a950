package localsearch

import (
	"fmt"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/blanket"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/options"
)

// Anneal is simulated annealing.
var Anneal = method.Method{
	Name:  "anneal",
	Doc:   "best states by simulated annealing",
	Kinds: "Bayesian, Markov", Guarantee: "a completion that no single change makes better", Cost: "sweeps times the blankets of the variables",
	Answers: &ir.Approximation{
		Kind: ir.Climb, Word: "anneal", GoName: "SimulatedAnnealing",
		Summary: "good completions, by simulated annealing",
		Doc: []string{"sets out to the best completion of ev found by simulated annealing: from each start, variables are drawn given all others at a falling",
			"temperature, and then take their best states until none changes."},
		Options: method.RunOptions[AnnealOptions](),
	},
	New: func() method.Instance { return NewAnnealOptions() },
}

// AnnealOptions are the options of Anneal.
type AnnealOptions struct {
	Chains     int     `opt:"chains" default:"4" help:"number of starts" range:"[1,2147483647]" run:"Restarts"`
	Iterations int     `opt:"iterations" default:"1000" help:"sweeps of each start at falling temperatures" range:"[1,2147483647]" run:"Sweeps"`
	Hot        float64 `opt:"hot" help:"first temperature, in units of ln P; 0 derives it from the numbers of the factors" range:"[0,inf)" run:"Hot"`
	Cold       float64 `opt:"cold" help:"last temperature; 0 means a fiftieth of the first" range:"[0,inf)" run:"Cold"`
	Seed       uint64  `opt:"seed" help:"seed of the random numbers" run:"Seed"`
}

// NewAnnealOptions returns the defaults.
func NewAnnealOptions() *AnnealOptions { return options.New[AnnealOptions]() }

// MethodName returns the name of the method.
func (AnnealOptions) MethodName() string { return Anneal.Name }

// Check refuses other models and queries, and warns if the search may not reach the best states.
func (x *AnnealOptions) Check(p *ir.Problem, by method.Peers) diag.List {
	return checkClimb(Anneal.Name, p, options.Check(x) == nil && x.trial(p).Valid(), fmt.Sprintf("%d starts of %d sweeps at temperatures from %v to %v; want at least one of each, and temperatures that fall and stay above 0",
		x.Chains, x.Iterations, x.Hot, x.Cold), by)
}

// Plan returns the schedule of the one query.
func (x *AnnealOptions) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	return climb(c, p, ir.DrawTempered, options.Part[ir.ChainOptions](x), x.trial(p))
}

// coolest is the default ratio of the first to the last temperature.
const coolest = 50

// trial returns the options of the trials, with defaults for temperatures that are 0. The default
// first temperature is twice the mean range of a factor's logarithms, but at least 2, at which most
// changes are accepted. On Grids_12 of the UAI competition of 2014, a first temperature of 20 led
// to the best states, and one of 2 to states that are 22 below them in ln P.
func (x *AnnealOptions) trial(p *ir.Problem) ir.TrialOptions {
	o := ir.TrialOptions{Mode: ir.ModeCool, Hot: x.Hot, Cold: x.Cold, Tenure: 1}
	if o.Hot == 0 {
		o.Hot = max(2, 2*blanket.MeanLogRange(p.Model))
	}
	if o.Cold == 0 {
		o.Cold = o.Hot / coolest
	}
	return o
}
