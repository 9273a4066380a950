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
		Doc: []string{"sets out to the best completion of ev that was found by simulated annealing: from each start, variables are drawn given all others at a falling temperature,",
			"and then take their best states until none changes."},
		Options: []ir.RunOption{
			{Name: "Restarts", Type: "int", Field: "Chains", Doc: "how many starts"},
			{Name: "Sweeps", Type: "int", Field: "Iterations", Doc: "of each at falling temperature"},
			{Name: "Hot", Type: "float64", Field: "Hot", Doc: "the first temperature, in units of ln P"},
			{Name: "Cold", Type: "float64", Field: "Cold", Doc: "the last"},
			chain.Seed,
		},
	},
	New: func() method.Instance { return NewAnnealOptions() },
}

// AnnealOptions are the options of Anneal.
type AnnealOptions struct {
	Chains     int     // how many starts; at least 1
	Iterations int     // sweeps of each start at falling temperature; at least 1
	Seed       uint64  // of the random numbers
	Hot        float64 // the first temperature, in units of ln P; 0 chooses by the numbers of the factors
	Cold       float64 // the last temperature; 0 is a fiftieth of the first
}

// NewAnnealOptions returns the defaults.
func NewAnnealOptions() *AnnealOptions {
	return &AnnealOptions{Iterations: 1000, Chains: 4}
}

// MethodName names the method.
func (AnnealOptions) MethodName() string { return Anneal.Name }

// chain returns the options of the run.
func (x *AnnealOptions) chain() ir.ChainOptions {
	return ir.ChainOptions{Iterations: x.Iterations, Chains: x.Chains, Seed: x.Seed}
}

// Bind declares flags for the numbers of a run.
func (x *AnnealOptions) Bind(fs *flag.FlagSet) {
	fs.IntVar(&x.Chains, "chains", x.Chains, "how many starts")
	fs.IntVar(&x.Iterations, "iterations", x.Iterations, "sweeps of each at falling temperature")
	fs.Float64Var(&x.Hot, "hot", x.Hot, "the first temperature, in units of ln P; 0 chooses by the numbers of the factors")
	fs.Float64Var(&x.Cold, "cold", x.Cold, "the last temperature; 0 is a fiftieth of the first")
	fs.Uint64Var(&x.Seed, "seed", x.Seed, "of the random numbers")
}

// Check refuses other models and queries.
func (x *AnnealOptions) Check(p *ir.Problem) diag.List {
	return checkClimb(Anneal.Name, Anneal.Answers.Word, p, x.chain().Valid() && (x.Hot == 0 || x.Hot > 0) && x.trial(p).Valid(), fmt.Sprintf("%d starts of %d sweeps at temperatures from %v to %v; want at least one of each, and temperatures that fall and stay above 0",
		x.Chains, x.Iterations, x.Hot, x.Cold))
}

// Plan makes the schedule of the one query.
func (x *AnnealOptions) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	return climb(c, p, ir.DrawTempered, x.chain(), x.trial(p))
}

// coolest is how many times lower the last temperature is than the first, where nothing was said of
// it.
const coolest = 50

// trial fills in the temperatures that nothing was said of. The first is twice how far the numbers
// of a factor are apart in the mean, but at least 2: there most changes are free. On Grids_12 of
// the UAI competition of 2014, 20 led to the best states, and 2 to such that are 22 below them in
// ln P.
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
