package belief

import (
	"flag"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// Method is loopy belief propagation.
var Method = method.Method{
	Name:  "belief",
	Doc:   "approximate: messages between variables and factors until they settle",
	Kinds: "Bayesian, Markov", Guarantee: "exact without cycles; otherwise none, and may not settle", Cost: "rounds times the tables of the factors",
	Answers: &ir.Approximation{
		Kind: ir.Beliefs, Word: "bp", GoName: "BP",
		Summary: "approximate posteriors of all variables, by belief propagation",
		Doc: []string{"sets out to approximate posteriors by belief propagation, given ev and soft, which may be nil, and LogP to the Bethe",
			"estimate of the logarithm of their probability."},
		Options: method.LoopRun, KeepsExclusive: true,
	},
	New: func() method.Instance {
		return &instance{schedule: sequential, regions: bethe, cluster: defaultCluster, LoopOptions: ir.LoopOptions{Iterations: 1000, Tolerance: 1e-9}}
	},
}

// The schedules.
const (
	sequential = "sequential"
	flooding   = "flooding"
	residual   = "residual"
)

// defaultCluster is the most joint states of a cluster of a join graph, where nothing else is said.
const defaultCluster = 1 << 16

type instance struct {
	ir.LoopOptions
	schedule string
	regions  string
	cluster  int // the most joint states of a cluster of a join graph
}

// Options binds the schedule, and the options of all loops.
func (x *instance) Options(fs *flag.FlagSet) {
	method.LoopFlags(&x.LoopOptions, fs)
	fs.StringVar(&x.schedule, "schedule", x.schedule, "the order of messages: sequential, flooding or residual")
	fs.StringVar(&x.regions, "regions", x.regions, "between what messages go: bethe, variables and factors; of clusters, factors, loops of up to N variables as loopN, or join")
	fs.IntVar(&x.cluster, "max-cluster", x.cluster, "of a join graph: the most joint states of a cluster")
}

// Check refuses other queries, and dependency networks, whose factors have no product.
func (x *instance) Check(p *ir.Problem) diag.List {
	list := method.CheckLoop(Method.Name, Method.Answers.Word, x.LoopOptions, p)
	pos := diag.Pos{File: p.Model.File}
	if x.schedule != sequential && x.schedule != flooding && x.schedule != residual {
		list.Errorf(pos, "found schedule %q; want %s, %s or %s", x.schedule, sequential, flooding, residual)
	}
	if _, ok := loopLength(x.regions); !ok && !slices.Contains([]string{bethe, factors, join}, x.regions) {
		list.Errorf(pos, "found regions %q; %s", x.regions, wantRegions)
	}
	switch {
	case x.cluster < 1:
		list.Errorf(pos, "found max-cluster %d; want at least 1", x.cluster)
	case x.cluster != defaultCluster && x.regions != join:
		list.Errorf(pos, "max-cluster %d with regions %s, which have no limit; want it with --regions join", x.cluster, x.regions)
	}
	return list
}

// Plan makes the schedule of the one query.
func (x *instance) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	parts := &ir.Problem{Model: method.Decompose(p), Queries: p.Queries, Params: p.Params}
	if x.regions != bethe {
		return x.generalised(c, parts)
	}
	b := newBuilder(parts)
	b.start(x.schedule == flooding)
	switch {
	case x.schedule == flooding:
		b.flood()
	case x.schedule == residual && len(p.Model.Vars) > 0:
		b.visits()
	default:
		b.sweep()
	}
	b.end()
	return x.finish(c, p, b.LoopPlan, b.forest())
}

// generalised makes the schedule on a region graph.
func (x *instance) generalised(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	g, err := x.regionsOf(c, p.Model)
	if err != nil {
		return nil, method.Approximate, err
	}
	b := newGeneralised(p, g)
	switch {
	case x.schedule == flooding:
		b.flood()
	case x.schedule == residual && len(g.inners) > 0:
		b.visits()
	default:
		b.sweep()
	}
	b.end()
	_, tree := g.breadthFirst()
	return x.finish(c, p, b.LoopPlan, tree)
}

// finish makes the plan, and says whether it is exact: on a tree, one sweep is.
func (x *instance) finish(c *method.Context, p *ir.Problem, l *method.LoopPlan, tree bool) (*ir.Plan, method.Claim, error) {
	plan := l.Finish(p.Queries[0], x.LoopOptions)
	if err := c.Fits(l.Schedule); err != nil {
		return nil, method.Approximate, err
	}
	if err := l.Fill(c.MaxTable, nil); err != nil {
		return nil, method.Approximate, fmt.Errorf("belief: %w", err)
	}
	if x.schedule == sequential && x.Damping == 0 && tree {
		return plan, method.Exact, nil
	}
	return plan, method.Approximate, nil
}
