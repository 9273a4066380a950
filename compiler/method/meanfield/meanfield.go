package meanfield

import (
	"flag"
	"fmt"
	"math/rand/v2"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/factors"
	"github.com/pgmc-go/pgmc/compiler/method/internal/loop"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
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
		Options: loop.RunOptions,
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

// The schedules.
const (
	roundRobin = "roundrobin"
	queue      = "queue"
)

// What updates of a dependency network average.
const (
	ofLogs          = "log"
	ofProbabilities = "probability"
)

// The starts.
const (
	atLikelihood = "likelihood"
	atRandom     = "random"
)

// Options are the options of the method.
type Options struct {
	Iterations int     // largest number of iterations; at least 1
	Tolerance  float64 // the loop converges after an iteration that changes no number by more; at least 0
	Damping    float64 // weight of the old value in an update; at least 0 and below 1
	Schedule   string  // order of updates: roundrobin or queue
	Mean       string  // what updates average: log, or, in dependency networks only, probability
	Start      string  // initial marginals: likelihood or random
	Seed       uint64  // seed of a random start
}

// NewOptions returns the defaults.
func NewOptions() *Options {
	return &Options{Iterations: loop.Iterations, Tolerance: loop.Tolerance, Schedule: roundRobin, Mean: ofLogs, Start: atLikelihood}
}

// MethodName returns "meanfield".
func (Options) MethodName() string { return Method.Name }

// loop returns the options of the loop.
func (x *Options) loop() ir.LoopOptions {
	return ir.LoopOptions{Iterations: x.Iterations, Tolerance: x.Tolerance, Damping: x.Damping}
}

// Bind declares the flags of the options.
func (x *Options) Bind(fs *flag.FlagSet) {
	loop.Bind(fs, &x.Iterations, &x.Tolerance, &x.Damping)
	fs.StringVar(&x.Schedule, "schedule", x.Schedule, "order of updates: roundrobin or queue")
	fs.StringVar(&x.Mean, "mean", x.Mean, "what updates average: log (of probabilities), or, in dependency networks only, probability")
	fs.StringVar(&x.Start, "start", x.Start, "initial marginals: likelihood, or random, which multiplies it by numbers drawn from the seed")
	fs.Uint64Var(&x.Seed, "seed", x.Seed, "seed of a random start")
}

// Check refuses other queries and invalid options.
func (x *Options) Check(p *ir.Problem) diag.List {
	list := loop.Check(Method.Name, x.loop(), p)
	if x.Schedule != roundRobin && x.Schedule != queue {
		list.Errorf(diag.Pos{File: p.Model.File}, "found schedule %q; want %s or %s", x.Schedule, roundRobin, queue)
	}
	if x.Start != atLikelihood && x.Start != atRandom {
		list.Errorf(diag.Pos{File: p.Model.File}, "found start %q; want %s or %s", x.Start, atLikelihood, atRandom)
	}
	switch {
	case x.Mean == ofLogs:
	case x.Mean != ofProbabilities:
		list.Errorf(diag.Pos{File: p.Model.File}, "found mean %q; want %s or %s", x.Mean, ofLogs, ofProbabilities)
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
	plan := b.Finish(p.Queries[0], x.loop())
	if err := c.Fits(b.Schedule); err != nil {
		return nil, method.Approximate, err
	}
	if err := b.fill(c.MaxTable); err != nil {
		return nil, method.Approximate, fmt.Errorf("meanfield: %w", err)
	}
	return plan, method.Approximate, nil
}
