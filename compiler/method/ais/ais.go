package ais

import (
	"flag"
	"fmt"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/blanket"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Method is annealed importance sampling.
var Method = method.Method{
	Name:  "ais",
	Doc:   "sampled: annealed importance sampling, with standard errors",
	Kinds: "Bayesian, Markov", Guarantee: "approaches the posterior; ln P without bias in P", Cost: "samples times temperatures times the blankets of the variables",
	Answers: &ir.Approximation{
		Kind: ir.Weighted, Word: "ais", GoName: "AnnealedImportance",
		Summary: "estimates of the posteriors of all variables, by annealed importance sampling",
		Doc: []string{"sets out to estimates of posteriors, given ev and soft, which may be nil, and LogP to that of the logarithm of their probability, by samples that are",
			"drawn at random and then moved while factors gain weight, and weigh as much as that makes them more probable."},
		Options: []ir.RunOption{
			{Name: "Samples", Type: "int", Field: "Chains", Doc: "how many"},
			{Name: "Temperatures", Type: "int", Field: "Iterations", Doc: "on the way of each"},
			method.SeedRun,
		},
	},
	New: func() method.Instance { return &instance{ir.ChainOptions{Iterations: 200, Chains: 1000}} },
}

type instance struct{ ir.ChainOptions }

// Options binds the numbers of a run.
func (x *instance) Options(fs *flag.FlagSet) {
	fs.IntVar(&x.Chains, "chains", x.Chains, "how many samples")
	fs.IntVar(&x.Iterations, "iterations", x.Iterations, "temperatures on the way of each")
	fs.Uint64Var(&x.Seed, "seed", x.Seed, "of the random numbers")
}

// Check refuses other models and queries.
func (x *instance) Check(p *ir.Problem) diag.List {
	return blanket.CheckTrials(Method.Name, Method.Answers.Word, p, x.Valid(), fmt.Sprintf("%d samples of %d temperatures; want at least one of each", x.Chains, x.Iterations))
}

// Plan makes the schedule of the one query.
func (x *instance) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	with, _ := method.Causes(p.Model)
	t := blanket.NewTrials(&ir.Problem{Model: with, Queries: p.Queries, Params: p.Params})
	singles := make([][]model.VarID, len(with.Vars))
	for v := range singles {
		singles[v] = []model.VarID{model.VarID(v)}
	}
	clear, add, end := t.Weigh()
	t.Begin = []ir.Op{t.Latent(), t.Logarithms(), clear}
	t.Start = append([]ir.Op{t.FindStart(true)}, t.Scores(blanket.Soft)...)
	move := t.Trial(ir.DrawTempered)
	move.Levels = t.Moves(blanket.Soft, singles)
	t.Step, t.Finish, t.Check, t.End = []ir.Op{move}, append(t.RejectZero(), add), []ir.Op{t.FindStart(false)}, end
	plan := t.Made(p.Queries[0], x.ChainOptions, blanket.NoTrial(ir.ModeBridge))
	if err := c.Fits(t.Schedule); err != nil {
		return nil, method.Sampled, err
	}
	if err := t.Fill(c); err != nil {
		return nil, method.Sampled, fmt.Errorf("ais: %w", err)
	}
	return plan, method.Sampled, nil
}
