package lw

import (
	"flag"
	"fmt"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/blanket"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Method is likelihood weighting.
var Method = method.Method{
	Name:  "lw",
	Doc:   "sampled: likelihood weighting, which without evidence is forward sampling",
	Kinds: "Bayesian", Guarantee: "approaches the posterior; ln P without bias in P", Cost: "samples times the rows of the CPDs",
	Answers: &ir.Approximation{
		Kind: ir.Weighted, Word: "lw", GoName: "LikelihoodWeighting",
		Summary: "estimates of the posteriors of all variables, by likelihood weighting",
		Doc: []string{"sets out to estimates of posteriors, given ev and soft, which may be nil, and LogP to that of the logarithm of their probability, by samples that are",
			"drawn from parents to children and weigh as much as the evidence is probable given their states. Without evidence that is forward sampling."},
		Options: []ir.RunOption{{Name: "Samples", Type: "int", Field: "Iterations", Doc: "how many"}, method.SeedRun},
	},
	New: func() method.Instance { return &instance{ir.ChainOptions{Iterations: 10000, Chains: 1}} },
}

type instance struct{ ir.ChainOptions }

// Options binds the numbers of a run.
func (x *instance) Options(fs *flag.FlagSet) {
	fs.IntVar(&x.Iterations, "iterations", x.Iterations, "how many samples")
	fs.Uint64Var(&x.Seed, "seed", x.Seed, "of the random numbers")
}

// Check refuses other models and queries.
func (x *instance) Check(p *ir.Problem) diag.List {
	list := blanket.CheckTrials(Method.Name, Method.Answers.Word, p, x.Valid(), fmt.Sprintf("%d samples; want at least one", x.Iterations))
	if p.Model.Kind != model.Bayes && !list.HasErrors() {
		list.Errorf(diag.Pos{File: p.Model.File}, "method lw draws variables given their parents and wants a Bayesian network; this is a %v; try --method ais or gibbs",
			p.Model.Kind)
	}
	return list
}

// Plan makes the schedule of the one query.
func (x *instance) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	with, parts := method.Causes(p.Model)
	t := blanket.NewTrials(&ir.Problem{Model: with, Queries: p.Queries, Params: p.Params})
	cpd := make([]int, len(p.Model.Vars))
	for n, f := range p.Model.Factors {
		cpd[f.ChildVar()] = n
	}
	forward := t.Trial(ir.DrawForward)
	for _, v := range p.Model.Topological() {
		for _, n := range parts[cpd[v]] {
			scope := with.Factors[n].Scope
			drawn := scope[len(scope)-1]
			if len(parts[cpd[v]]) == 1 {
				drawn = v
			}
			forward.Levels = append(forward.Levels, t.Level(blanket.Plain, []model.VarID{drawn}, []int{n}))
		}
	}
	clear, add, end := t.Weigh()
	t.Begin, t.Step, t.Check, t.End = []ir.Op{clear}, []ir.Op{forward, add}, []ir.Op{t.FindStart(false)}, end
	plan := t.Made(p.Queries[0], x.ChainOptions, blanket.NoTrial(ir.ModeSample))
	if err := c.Fits(t.Schedule); err != nil {
		return nil, method.Sampled, err
	}
	if err := t.Fill(c); err != nil {
		return nil, method.Sampled, fmt.Errorf("lw: %w", err)
	}
	return plan, method.Sampled, nil
}
