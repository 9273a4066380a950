package importance

import (
	"fmt"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/blanket"
	"github.com/pgmc-go/pgmc/compiler/method/internal/factors"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
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
		Options: method.RunOptions[AISOptions](),
	},
	New: func() method.Instance { return NewAISOptions() },
}

// AISOptions are the options of AIS.
type AISOptions struct {
	Chains     int    `opt:"chains" default:"1000" help:"number of samples" range:"[1,2147483647]" run:"Samples"`
	Iterations int    `opt:"iterations" default:"200" help:"temperatures per sample" range:"[1,2147483647]" run:"Temperatures"`
	Seed       uint64 `opt:"seed" help:"seed of the random numbers" run:"Seed"`
}

// NewAISOptions returns the defaults.
func NewAISOptions() *AISOptions { return options.New[AISOptions]() }

// MethodName returns the name of the method.
func (AISOptions) MethodName() string { return AIS.Name }

// Check refuses other models and queries.
func (x *AISOptions) Check(p *ir.Problem, by method.Peers) diag.List {
	return blanket.CheckTrials(AIS.Name, p, options.Check(x) == nil, fmt.Sprintf("%d samples of %d temperatures; want at least one of each", x.Chains, x.Iterations))
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
	plan := t.Build(p.Queries[0], options.Part[ir.ChainOptions](x), blanket.NoTrial(ir.ModeBridge))
	if err := c.Fits(t.Schedule); err != nil {
		return nil, method.Sampled, err
	}
	if err := t.Fill(c); err != nil {
		return nil, method.Sampled, fmt.Errorf("ais: %w", err)
	}
	return plan, method.Sampled, nil
}
