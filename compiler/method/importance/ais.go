package importance

import (
	"flag"
	"fmt"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/blanket"
	"github.com/pgmc-go/pgmc/compiler/method/internal/chain"
	"github.com/pgmc-go/pgmc/compiler/method/internal/factors"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// AIS is annealed importance sampling.
var AIS = method.Method{
	Name:  "ais",
	Doc:   "sampled: annealed importance sampling, with standard errors",
	Kinds: "Bayesian, Markov", Guarantee: "approaches the posterior; the estimate of P is unbiased", Cost: "samples times temperatures times the blankets of the variables",
	Answers: &ir.Approximation{
		Kind: ir.Weighted, Word: "ais", GoName: "AnnealedImportance",
		Summary: "estimates of the posteriors of all variables, by annealed importance sampling",
		Doc: []string{"sets out to estimates of posteriors given ev and soft, which may be nil, and LogP to an estimate of the natural logarithm of their",
			"probability, by annealed importance sampling. Samples are drawn at random and then moved while the factors gain influence. The weight",
			"of a sample is the factor by which this raises its probability."},
		Options: []ir.RunOption{
			{Name: "Samples", Type: "int", Field: "Chains", Doc: "number of samples"},
			{Name: "Temperatures", Type: "int", Field: "Iterations", Doc: "temperatures per sample"},
			chain.Seed,
		},
	},
	New: func() method.Instance { return NewAISOptions() },
}

// AISOptions are the options of AIS.
type AISOptions struct {
	Chains     int    // number of samples; at least 1
	Iterations int    // temperatures per sample; at least 1
	Seed       uint64 // seed of the random numbers
}

// NewAISOptions returns the defaults.
func NewAISOptions() *AISOptions {
	return &AISOptions{Iterations: 200, Chains: 1000}
}

// MethodName returns the name of the method.
func (AISOptions) MethodName() string { return AIS.Name }

// chain returns the options of the run.
func (x *AISOptions) chain() ir.ChainOptions {
	return ir.ChainOptions{Iterations: x.Iterations, Chains: x.Chains, Seed: x.Seed}
}

// Bind declares the flags of the options.
func (x *AISOptions) Bind(fs *flag.FlagSet) {
	fs.IntVar(&x.Chains, "chains", x.Chains, "number of samples")
	fs.IntVar(&x.Iterations, "iterations", x.Iterations, "temperatures per sample")
	fs.Uint64Var(&x.Seed, "seed", x.Seed, "seed of the random numbers")
}

// Check refuses other models and queries.
func (x *AISOptions) Check(p *ir.Problem) diag.List {
	return blanket.CheckTrials(AIS.Name, p, x.chain().Valid(), fmt.Sprintf("%d samples of %d temperatures; want at least one of each", x.Chains, x.Iterations))
}

// Plan returns the schedule of the one query.
func (x *AISOptions) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	with, _ := factors.Causes(p.Model)
	t := blanket.NewTrials(&ir.Problem{Model: with, Queries: p.Queries, Params: p.Params})
	singles := make([][]model.VarID, len(with.Vars))
	for v := range singles {
		singles[v] = []model.VarID{model.VarID(v)}
	}
	clear, add, end := t.Weigh()
	t.Begin = []ir.Op{t.LatentStates(), t.Logarithms(), clear}
	t.Start = append([]ir.Op{t.FindStart(true)}, t.Scores(blanket.Soft)...)
	move := t.Trial(ir.DrawTempered)
	move.Levels = t.Moves(blanket.Soft, singles)
	t.Step, t.Finish, t.Check, t.End = []ir.Op{move}, append(t.RejectZero(), add), []ir.Op{t.FindStart(false)}, end
	plan := t.Build(p.Queries[0], x.chain(), blanket.NoTrial(ir.ModeBridge))
	if err := c.Fits(t.Schedule); err != nil {
		return nil, method.Sampled, err
	}
	if err := t.Fill(c); err != nil {
		return nil, method.Sampled, fmt.Errorf("ais: %w", err)
	}
	return plan, method.Sampled, nil
}
