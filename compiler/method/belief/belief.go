package belief

import (
	"flag"
	"fmt"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Method is loopy belief propagation.
var Method = method.Method{
	Name:  "belief",
	Doc:   "approximate: messages between variables and factors until they settle",
	Kinds: "Bayesian, Markov", Guarantee: "exact without cycles; otherwise none, and may not settle", Cost: "rounds times the tables of the factors",
	New: func() method.Instance {
		return &instance{schedule: sequential, LoopOptions: ir.LoopOptions{Iterations: 1000, Tolerance: 1e-9}}
	},
}

// The schedules.
const (
	sequential = "sequential"
	flooding   = "flooding"
)

type instance struct {
	ir.LoopOptions
	schedule string
}

// Options binds the schedule, and the options of all loops.
func (x *instance) Options(fs *flag.FlagSet) {
	method.LoopFlags(&x.LoopOptions, fs)
	fs.StringVar(&x.schedule, "schedule", x.schedule, "the order of messages: sequential or flooding")
}

// Check refuses other queries, and dependency networks, whose factors have no product.
func (x *instance) Check(p *ir.Problem) diag.List {
	list := method.CheckLoop(Method.Name, ir.BP, x.LoopOptions, p)
	pos := diag.Pos{File: p.Model.File}
	if x.schedule != sequential && x.schedule != flooding {
		list.Errorf(pos, "found schedule %q; want %s or %s", x.schedule, sequential, flooding)
	}
	if p.Model.Kind == model.Dependency {
		list.Errorf(pos, "method belief wants a Bayesian or a Markov network; a dependency network has no joint distribution; try --method meanfield or gibbs")
	}
	return list
}

// Plan makes the schedule of the one query.
func (x *instance) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	b := newBuilder(&ir.Problem{Model: method.Decompose(p), Queries: p.Queries, Params: p.Params})
	b.start(x.schedule == flooding)
	if x.schedule == flooding {
		b.flood()
	} else {
		b.sweep()
	}
	b.end()
	plan := b.Finish(p.Queries[0], x.LoopOptions)
	if err := c.Fits(b.Schedule); err != nil {
		return nil, method.Approximate, err
	}
	if err := b.Fill(c.MaxTable, nil); err != nil {
		return nil, method.Approximate, fmt.Errorf("belief: %w", err)
	}
	if _, forest := method.BreadthFirst(b.Model); forest && x.schedule == sequential && x.Damping == 0 {
		return plan, method.Exact, nil
	}
	return plan, method.Approximate, nil
}
