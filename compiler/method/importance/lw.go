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

// LW is likelihood weighting.
var LW = method.Method{
	Name:  "lw",
	Role:  method.ForwardSamples,
	Doc:   "sampled: likelihood weighting, which without evidence is forward sampling",
	Kinds: "Bayesian", Guarantee: "approaches the posterior; the estimate of P is unbiased", Cost: "samples times the rows of the CPDs",
	Answers: &ir.Approximation{
		Kind: ir.Weighted, Word: "lw", GoName: "LikelihoodWeighting",
		Summary: "estimates of the posteriors of all variables, by likelihood weighting",
		Doc: []string{"sets out to estimates of posteriors given ev and soft, which may be nil, and LogP to an estimate of the natural logarithm of their",
			"probability, by likelihood weighting. Samples are drawn from parents to children. The weight of a sample is the probability of the evidence",
			"given its states. Without evidence this is forward sampling."},
		Options: method.RunOptions[LWOptions](),
	},
	Takes:   model.Reals | model.Gaussians | model.Mixed | model.Givens | model.Funcs | model.SoftChildren,
	Forward: true,
	New:     func() method.Instance { return NewLWOptions() },
}

// LWOptions are the options of LW.
type LWOptions struct {
	Iterations int    `opt:"iterations" default:"10000" help:"number of samples" range:"[1,2147483647]" run:"Samples"`
	Seed       uint64 `opt:"seed" help:"seed of the random numbers" run:"Seed"`
	Collapsed  bool   `opt:"collapsed" help:"draw discrete variables alone, and integrate real ones in closed form"`
}

// NewLWOptions returns the defaults.
func NewLWOptions() *LWOptions { return options.New[LWOptions]() }

// MethodName returns the name of the method.
func (LWOptions) MethodName() string { return LW.Name }

// chain returns the options of the run.
func (x *LWOptions) chain() ir.ChainOptions {
	return ir.ChainOptions{Iterations: x.Iterations, Chains: 1, Seed: x.Seed}
}

// Check refuses other models and queries.
func (x *LWOptions) Check(p *ir.Problem, by method.Peers) diag.List {
	list := blanket.CheckTrials(LW.Name, p, options.Check(x) == nil, fmt.Sprintf("%d samples; want at least one", x.Iterations))
	if p.Model.Kind != model.Bayes && !list.HasErrors() {
		list.Errorf(diag.Pos{File: p.Model.File}, "found a %v; method lw draws variables given their parents and needs a Bayesian network; try %v or %s",
			p.Model.Kind, method.By(AIS.Name), by(method.MarkovChain).Value)
	}
	if x.Collapsed && !list.HasErrors() {
		checkCollapsed(&list, p.Model)
	}
	return list
}

// Plan returns the schedule of the one query.
func (x *LWOptions) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	if len(p.Model.Reals()) > 0 {
		return x.planHybrid(c, p)
	}
	with, parts := factors.Causes(p.Model)
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
	plan := t.Build(p.Queries[0], x.chain(), blanket.NoTrial(ir.ModeSample))
	if err := c.Fits(t.Schedule); err != nil {
		return nil, method.Sampled, err
	}
	if err := t.Fill(c); err != nil {
		return nil, method.Sampled, fmt.Errorf("lw: %w", err)
	}
	return plan, method.Sampled, nil
}
