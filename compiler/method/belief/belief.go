package belief

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/factors"
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/compiler/method/internal/loop"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
)

// Method is loopy belief propagation.
var Method = method.Method{
	Name:  "belief",
	Doc:   "approximate: messages between variables and factors until they converge",
	Kinds: "Bayesian, Markov", Guarantee: "exact without cycles; otherwise none, and it may not converge", Cost: "iterations times the tables of the factors",
	Answers: &ir.Approximation{
		Kind: ir.Beliefs, Word: "bp", GoName: "BP",
		Summary: "approximate posteriors of all variables, by belief propagation",
		Doc: []string{"sets out to approximate posteriors by belief propagation given ev and soft, which may be nil, and LogP to the Bethe",
			"estimate of the natural logarithm of their probability."},
		Options: method.RunOptions[Options](), KeepsExclusive: true,
	},
	Takes: model.Reals | model.Gaussians | model.Canonicals | model.Givens,
	New:   func() method.Instance { return NewOptions() },
}

// The schedules.
const (
	sequential = "sequential"
	flooding   = "flooding"
	residual   = "residual"
)

// Options are the options of the method.
type Options struct {
	Iterations int     `opt:"iterations" default:"1000" help:"largest number of iterations" range:"[1,inf)" run:"Iterations"`
	Tolerance  float64 `opt:"tolerance" default:"1e-9" help:"largest change of a number at convergence" range:"[0,inf)" run:"Tolerance; negative: never"`
	Damping    float64 `opt:"damping" help:"weight of the old value in an update, at least 0 and below 1" range:"[0,1)" run:"Damping: weight of the old value in an update, below 1; negative: none"`
	Schedule   string  `opt:"schedule" default:"sequential" help:"order of messages: sequential, flooding or residual" range:"sequential|flooding|residual"`
	Regions    string  `opt:"regions" default:"bethe" help:"region graph: bethe, the factor graph; or clusters: factors, loopN with loops of up to N variables, or join"`
	MaxCluster int     `opt:"max-cluster" default:"65536" help:"with regions join: largest number of joint states of a cluster" range:"[1,inf)"`
}

// NewOptions returns the defaults.
func NewOptions() *Options { return options.New[Options]() }

// MethodName returns "belief".
func (Options) MethodName() string { return Method.Name }

// Check refuses other queries, and options that are invalid or do not go together.
func (x *Options) Check(p *ir.Problem, by method.Peers) diag.List {
	list := loop.Check(x, p, by)
	x.checkReals(p, &list, by)
	pos := diag.Pos{File: p.Model.File}
	if _, ok := loopLength(x.Regions); !ok && !slices.Contains([]string{bethe, ofFactors, join}, x.Regions) {
		list.Errorf(pos, "found regions %q; %s", x.Regions, wantRegions)
	}
	if x.MaxCluster >= 1 && x.MaxCluster != NewOptions().MaxCluster && x.Regions != join {
		list.Errorf(pos, "found max-cluster %d with regions %s; only %v has such a limit", x.MaxCluster, x.Regions, regionsOf(join))
	}
	return list
}

// checkReals refuses networks with real variables that messages of single numbers do not suit.
func (x *Options) checkReals(p *ir.Problem, list *diag.List, by method.Peers) {
	m := p.Model
	pos := diag.Pos{File: m.File}
	switch reals := len(m.Reals()); {
	case reals == 0:
	case reals < len(m.Vars):
		list.Errorf(pos, "method belief takes networks whose variables are all discrete, or all real; %d of %d are real; try %v", reals, len(m.Vars), by(method.Projection))
	case x.Regions != bethe:
		list.Errorf(pos, "found regions %s; method belief has %s for real variables", x.Regions, bethe)
	}
	gauss.CheckFunctions(list, m, method.By(Method.Name), by)
}

// gaussian returns the schedule of a network of real variables.
func (x *Options) gaussian(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	with, functions := gauss.WithNoise(p.Model)
	b := newGaussian(&ir.Problem{Model: with, Queries: p.Queries, Params: p.Params})
	for i := range b.h {
		if !(b.j[i][i] > 0) && !p.Model.Vars[i].Given {
			return nil, method.Approximate, fmt.Errorf("belief: the precision of variable %q is %v; want one above 0", p.Model.Vars[i].Name, b.j[i][i])
		}
	}
	b.begin()
	order, forest := b.order()
	if x.Schedule == residual {
		b.visits(order)
	} else {
		b.rounds(order, x.Schedule == flooding)
	}
	b.end()
	return x.finish(c, p, b.Plan, forest && !functions)
}

// Plan returns the schedule of the one query.
func (x *Options) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	if len(p.Model.Reals()) > 0 {
		return x.gaussian(c, p)
	}
	parts := &ir.Problem{Model: factors.Decompose(p), Queries: p.Queries, Params: p.Params}
	if x.Regions != bethe {
		return x.generalised(c, parts)
	}
	b := newBuilder(parts)
	b.start(x.Schedule == flooding)
	switch {
	case x.Schedule == flooding:
		b.flood()
	case x.Schedule == residual && len(p.Model.Vars) > 0:
		b.visits()
	default:
		b.sweep()
	}
	b.end()
	return x.finish(c, p, b.Plan, b.forest())
}

// generalised returns the schedule on a region graph.
func (x *Options) generalised(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	g, err := x.regionsOf(c, p.Model)
	if err != nil {
		return nil, method.Approximate, err
	}
	b := newGeneralised(p, g)
	switch {
	case x.Schedule == flooding:
		b.flood()
	case x.Schedule == residual && len(g.inners) > 0:
		b.visits()
	default:
		b.sweep()
	}
	b.end()
	_, tree := g.breadthFirst()
	return x.finish(c, p, b.Plan, tree)
}

// finish returns the plan. It is exact on a tree, after one sequential iteration without damping.
func (x *Options) finish(c *method.Context, p *ir.Problem, l *loop.Plan, tree bool) (*ir.Plan, method.Claim, error) {
	plan := l.Finish(p.Queries[0], options.Part[ir.LoopOptions](x))
	if err := c.Fits(l.Schedule); err != nil {
		return nil, method.Approximate, err
	}
	if err := l.Fill(c.MaxTable, nil); err != nil {
		return nil, method.Approximate, fmt.Errorf("belief: %w", err)
	}
	if x.Schedule == sequential && x.Damping == 0 && tree {
		return plan, method.Exact, nil
	}
	return plan, method.Approximate, nil
}
