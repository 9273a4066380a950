package meanfield

import (
	"fmt"
	"math/rand/v2"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/factors"
	"github.com/pgmc-go/pgmc/compiler/method/internal/loop"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
)

// Method is naive mean field.
var Method = method.Method{
	Name:  "meanfield",
	Doc:   "approximate: the nearest distribution of independent variables",
	Kinds: "Bayesian, Markov, dependency", Guarantee: "a lower bound of ln P; converges, except in dependency networks", Cost: "iterations times the tables of the factors",
	Answers: &ir.Approximation{
		Kind: ir.Beliefs, Word: "meanfield", GoName: "MeanField",
		Summary: "approximate posteriors of all variables, by mean field",
		Doc: []string{"sets out to the distribution of independent variables that was found to be nearest to the posterior given ev and soft, which",
			"may be nil. LogP is a lower bound of the natural logarithm of their probability."},
		Markov: []string{"sets out to the distribution of independent variables that was found to be nearest to the posterior given ev and soft, which",
			"may be nil. LogP is an estimate of the natural logarithm of their probability: a lower bound of ln Z given them, minus one of ln Z."},
		Options: method.RunOptions[Options](),
	},
	Takes: model.Cycles,
	Certifies: func(m *model.Model) string {
		if m.Kind != model.Bayes {
			return "" // its LogP is a difference of two bounds, or there is none
		}
		return "ln P is at least its estimate; nothing is proven of posteriors"
	},
	New: func() method.Instance { return NewOptions() },
}

// Values of options.
const (
	queue           = "queue"       // a schedule
	ofLogs          = "log"         // what updates of a dependency network average, or
	ofProbabilities = "probability" // in dependency networks only
	atRandom        = "random"      // a start
)

// Options are the options of the method.
type Options struct {
	Iterations int     `opt:"iterations" default:"1000" help:"largest number of iterations" range:"[1,inf)" run:"Iterations"`
	Tolerance  float64 `opt:"tolerance" default:"1e-9" help:"largest change of a number at convergence" range:"[0,inf)" run:"Tolerance; negative: never"`
	Damping    float64 `opt:"damping" help:"weight of the old value in an update, at least 0 and below 1" range:"[0,1)" run:"Damping: weight of the old value in an update, below 1; negative: none"`
	Schedule   string  `opt:"schedule" default:"roundrobin" help:"order of updates: roundrobin or queue" range:"roundrobin|queue"`
	Mean       string  `opt:"mean" default:"log" help:"what updates average: log (of probabilities), or, in dependency networks only, probability" range:"log|probability"`
	Start      string  `opt:"start" default:"likelihood" help:"initial marginals: likelihood, or random, which multiplies it by numbers drawn from the seed" range:"likelihood|random"`
	Seed       uint64  `opt:"seed" help:"seed of a random start"`
}

// NewOptions returns the defaults.
func NewOptions() *Options { return options.New[Options]() }

// MethodName returns "meanfield".
func (Options) MethodName() string { return Method.Name }

// Check refuses other queries and invalid options.
func (x *Options) Check(p *ir.Problem, by method.Peers) diag.List {
	list := loop.Check(x, p, by)
	switch {
	case x.Mean != ofProbabilities:
	case p.Model.Kind != model.Dependency:
		list.Errorf(diag.Pos{File: p.Model.File}, "found mean probability, which is for dependency networks, whose updates read one CPD; want mean %s", ofLogs)
	default:
		for _, f := range p.Model.Factors {
			if len(factors.Terms(p.Model, f)) > 1 {
				list.Errorf(diag.Pos{File: p.Model.File}, "found mean probability, and the %s is a product of features, which is not averaged as a whole; want mean %s", p.Model.FactorName(f), ofLogs)
				break
			}
		}
	}
	return list
}

// Plan returns the schedule of the one query.
func (x *Options) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	b := newBuilder(p, x.Mean == ofProbabilities)
	if x.Start == atRandom {
		b.draws = rand.New(rand.NewPCG(x.Seed, 0))
	}
	b.start()
	if x.Schedule == queue && len(p.Model.Vars) > 0 {
		b.queue(len(p.Model.Vars))
	} else {
		b.sequential(len(p.Model.Vars))
	}
	b.end()
	plan := b.Finish(p.Queries[0], options.Part[ir.LoopOptions](x))
	if err := c.Fits(b.Schedule); err != nil {
		return nil, method.Approximate, err
	}
	if err := b.fill(c.MaxTable); err != nil {
		return nil, method.Approximate, fmt.Errorf("meanfield: %w", err)
	}
	return plan, method.Approximate, nil
}
