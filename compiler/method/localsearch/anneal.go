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
		Options: []ir.RunOption{
			{Name: "Restarts", Type: "int", Field: "Chains", Doc: "number of starts"},
			{Name: "Sweeps", Type: "int", Field: "Iterations", Doc: "sweeps of each start at falling temperatures"},
			{Name: "Hot", Type: "float64", Field: "Hot", Doc: "first temperature, in units of ln P"},
			{Name: "Cold", Type: "float64", Field: "Cold", Doc: "last temperature"},
			chain.Seed,
		},
	},
	New: func() method.Instance { return NewAnnealOptions() },
}

// AnnealOptions are the options of Anneal.
type AnnealOptions struct {
	Chains     int     // number of starts; at least 1
	Iterations int     // sweeps of each start at falling temperatures; at least 1
	Seed       uint64  // seed of the random numbers
	Hot        float64 // first temperature, in units of ln P; 0 derives it from the numbers of the factors
	Cold       float64 // last temperature; 0 means a fiftieth of the first
}

// NewAnnealOptions returns the defaults.
func NewAnnealOptions() *AnnealOptions {
	return &AnnealOptions{Iterations: 1000, Chains: 4}
}

// MethodName returns the name of the method.
func (AnnealOptions) MethodName() string { return Anneal.Name }

// chain returns the options of the run.
func (x *AnnealOptions) chain() ir.ChainOptions {
	return ir.ChainOptions{Iterations: x.Iterations, Chains: x.Chains, Seed: x.Seed}
}

// Bind declares the flags of the options.
func (x *AnnealOptions) Bind(fs *flag.FlagSet) {
	fs.IntVar(&x.Chains, "chains", x.Chains, "number of starts")
	fs.IntVar(&x.Iterations, "iterations", x.Iterations, "sweeps of each start at falling temperatures")
	fs.Float64Var(&x.Hot, "hot", x.Hot, "first temperature, in units of ln P; 0 derives it from the numbers of the factors")
	fs.Float64Var(&x.Cold, "cold", x.Cold, "last temperature; 0 means a fiftieth of the first")
	fs.Uint64Var(&x.Seed, "seed", x.Seed, "seed of the random numbers")
}

// Check refuses other models and queries, and warns if the search may not reach the best states.
func (x *AnnealOptions) Check(p *ir.Problem) diag.List {
	return checkClimb(Anneal.Name, p, x.chain().Valid() && (x.Hot == 0 || x.Hot > 0) && x.trial(p).Valid(), fmt.Sprintf("%d starts of %d sweeps at temperatures from %v to %v; want at least one of each, and temperatures that fall and stay above 0",
		x.Chains, x.Iterations, x.Hot, x.Cold))
}

// Plan returns the schedule of the one query.
func (x *AnnealOptions) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	return climb(c, p, ir.DrawTempered, x.chain(), x.trial(p))
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
