package ep

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/compiler/method/internal/loop"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
)

// Method is expectation propagation.
var Method = method.Method{
	Name:  "ep",
	Role:  method.Projection,
	Doc:   "approximate: normal distributions as messages between clusters, also for softmax children and expressions",
	Kinds: "Bayesian", Guarantee: "exact if clusters hold what method clg holds; otherwise none", Cost: "iterations times the clusters: cubes of real variables, times joint states",
	Answers: &ir.Approximation{
		Kind: ir.Beliefs, Word: "ep", GoName: "EP",
		Summary: "approximate posteriors of all variables, by expectation propagation",
		Doc: []string{"sets out to approximate posteriors by expectation propagation given ev and soft, which may be nil, and LogP to an",
			"estimate of the natural logarithm of their density."},
		Options: method.RunOptions[Options](),
	},
	Takes: model.Reals | model.Gaussians | model.Mixed | model.Givens | model.Funcs | model.SoftChildren,
	Prefers: func(m *model.Model) bool {
		return m.Kind == model.Bayes && m.Traits()&(model.Funcs|model.SoftChildren) != 0
	},
	New: func() method.Instance { return NewOptions() },
}

// mostApart is the largest distance of prior means in different states, in least deviations:
// rounding errors of ln P are then about 1e-6.
const mostApart = 1e5

// The rules.
const (
	automatic  = "auto"
	hermite    = "hermite"
	precision5 = "precision5"
	unscented  = "unscented"
	taylor     = "taylor"
)

// Options are the options of the method.
type Options struct {
	Iterations int     `opt:"iterations" default:"1000" help:"largest number of iterations" range:"[1,inf)" run:"Iterations"`
	Tolerance  float64 `opt:"tolerance" default:"1e-9" help:"largest change of a number at convergence" range:"[0,inf)" run:"Tolerance; negative: never"`
	Damping    float64 `opt:"damping" help:"weight of the old value in an update, at least 0 and below 1" range:"[0,1)" run:"Damping: weight of the old value in an update, below 1; negative: none"`
	MaxCluster int     `opt:"max-cluster" default:"256" help:"joint states of discrete variables up to which a real variable is eliminated first" range:"[1,inf)" wrong:"found max-cluster {max-cluster}, points {points} and spread {spread}; want at least 1, 0 or 2 to 64, and a number above 0"`
	Rule       string  `opt:"rule" default:"auto" help:"integrals of softmax functions and expressions: auto, hermite, precision5, unscented or taylor" range:"auto|hermite|precision5|unscented|taylor"`
	// 0 means 31 points in one dimension, 11 in two, and 5 in more.
	Points int     `opt:"points" help:"points of rule hermite in each dimension; 0 chooses by dimension" range:"0|[2,64]" wrong:"=max-cluster"`
	Spread float64 `opt:"spread" default:"3" help:"square of the distance of points of rule unscented, in standard deviations" range:"(0,1e6]" wrong:"=max-cluster"`
}

// NewOptions returns the defaults.
func NewOptions() *Options { return options.New[Options]() }

// MethodName returns "ep".
func (Options) MethodName() string { return Method.Name }

// Check refuses other models, and options that are invalid.
func (x *Options) Check(p *ir.Problem, by method.Peers) diag.List {
	list := loop.Check(x, p, by)
	pos := diag.Pos{File: p.Model.File}
	if p.Model.Kind != model.Bayes && len(p.Model.Reals()) > 0 {
		list.Errorf(pos, "method ep needs CPDs for real variables; found a %v", p.Model.Kind)
	}
	gauss.CheckFunctions(&list, p.Model, method.By(Method.Name), by)
	return list
}

// Plan returns the schedule of the one query.
func (x *Options) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	claim := method.Approximate
	if plan, err := x.exactly(c, p); plan != nil || err != nil {
		return plan, method.Exact, err
	}
	if v, n := gauss.Apart(p.Model); n > mostApart {
		return nil, claim, diag.Errorf("ep: the prior means of %q in different states are %.2g standard deviations apart, with which numbers relative to one mean lose their digits; want at most %g; try %v or %v",
			v.Name, n, mostApart, c.By(method.MixedGaussians), c.By(method.ForwardSamples))
	}
	with, functions := gauss.WithNoise(p.Model)
	p = &ir.Problem{Model: with, Queries: p.Queries, Params: p.Params}
	b, err := newBuilder(c, p, x, x.MaxCluster)
	if err == nil && b.order == nil { // a tree on which no density arrives everywhere
		b, err = newBuilder(c, p, x, c.MaxTable)
	}
	if err == nil && b.order == nil {
		err = diag.Errorf("no order of messages brings the densities of all real variables together; try %v", c.By(method.ForwardSamples))
	}
	if err != nil {
		return nil, claim, fmt.Errorf("ep: %w", err)
	}
	if err := b.plan(); err != nil {
		return nil, claim, fmt.Errorf("ep: %w", err)
	}
	if b.exact() && !functions {
		claim = method.Exact
	}
	plan := b.Finish(p.Queries[0], options.Part[ir.LoopOptions](x))
	plan.Note = b.compare()
	if err := c.Fits(b.Schedule); err != nil {
		return nil, claim, err
	}
	return plan, claim, c.Err()
}

// exactly returns the plan of method clg for a network with real variables whose messages towards
// the roots are exact, nil of other networks, and nil if that takes too long: canonical forms lose
// digits if means are large compared with deviations, and the rows of that method do not. Method
// clg itself asks, by a query that nothing describes, what the messages would take.
func (x *Options) exactly(c *method.Context, p *ir.Problem) (*ir.Plan, error) {
	_, functions := gauss.WithNoise(p.Model)
	if q := p.Queries[0]; functions || len(p.Model.Reals()) == 0 || q.By == nil {
		return nil, nil
	}
	b, err := newBuilder(c, p, x, x.MaxCluster)
	if err != nil || b.order == nil || !b.exact() {
		return nil, c.Err()
	}
	marginals := &ir.Query{Name: ir.Marginals.String(), Kind: ir.Marginals}
	plan, _, err := c.Use(method.MixedGaussians, &ir.Problem{Model: p.Model, Queries: []*ir.Query{marginals}})
	if err != nil {
		return nil, c.Err()
	}
	loop.Once(plan.Schedule, p.Queries[0], options.Part[ir.LoopOptions](x))
	return plan, nil
}

// plan adds all operations.
func (b *builder) plan() error {
	b.begin()
	for _, s := range b.sites {
		if err := s.prepare(b); err != nil {
			return err
		}
	}
	for _, u := range b.order {
		if u.site != nil {
			u.site.update(b)
		} else {
			b.send(u.link)
		}
	}
	b.finish()
	return nil
}

// exact reports whether the messages towards the roots are exact and no CPD is approximated. Then
// all marginals have the means, variances and probabilities of the model.
func (b *builder) exact() bool {
	return len(b.sites) == 0 && !slices.ContainsFunc(b.clusters, func(k *cluster) bool { return k.up != nil && k.up.weak() })
}
