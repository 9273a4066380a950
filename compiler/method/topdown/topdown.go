package topdown

import (
	"errors"
	"flag"
	"fmt"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/factors"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Method is exact inference by an arithmetic circuit that a search makes.
var Method = method.Method{
	Name:  "topdown",
	Doc:   "exact: a decision circuit, compiled top-down with component caching; for models that are mostly zeros and ones",
	Kinds: "Bayesian, Markov", Guarantee: "exact", Cost: "components that differ after branching",
	New: func() method.Instance { return NewOptions() },
}

// DefaultSteps is the default of Options.Steps: some minutes.
const DefaultSteps = 2_000_000_000

// Options are the options of the method.
type Options struct {
	Steps int // largest number of factors and variables that the search looks at; at least 1
}

// NewOptions returns the defaults.
func NewOptions() *Options { return &Options{Steps: DefaultSteps} }

// MethodName returns "topdown".
func (Options) MethodName() string { return Method.Name }

// Bind declares the flags of the options.
func (x *Options) Bind(fs *flag.FlagSet) {
	fs.IntVar(&x.Steps, "search-steps", x.Steps, "largest number of factors and variables that the search looks at")
}

// Check refuses queries of approximate methods.
func (x *Options) Check(p *ir.Problem) diag.List {
	var list diag.List
	if x.Steps < 1 {
		list.Errorf(diag.Pos{File: p.Model.File}, "found %d search steps; want at least 1", x.Steps)
	}
	return list
}

// Plan returns a decision circuit for probabilities, posteriors and samples, and one of maxima for
// most probable completions. Other queries, and those of variable parameters, are planned as method
// circuit plans them.
func (x *Options) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	if p.Params == ir.Var {
		return c.Use("circuit", p)
	}
	plan := &ir.Plan{Schedule: &ir.Schedule{Model: p.Model, Params: p.Params}}
	var sums, maxima, others []*ir.Query
	for _, q := range p.Queries {
		switch q.Kind {
		case ir.LogProb, ir.Marginals, ir.Posterior, ir.Sets, ir.Jeffrey, ir.Sample:
			sums = append(sums, q)
		case ir.MPE:
			maxima = append(maxima, q)
		default:
			others = append(others, q)
		}
	}
	if len(sums) > 0 {
		of, err := x.circuit(c, p, sums, factors.Decompose(p))
		if err != nil {
			return nil, method.Exact, err
		}
		plan.Circuit, plan.Note = of.Circuit, of.Note
	}
	if len(maxima) > 0 {
		of, err := x.circuit(c, p, maxima, factors.DecomposeTrees(p))
		if err != nil {
			return nil, method.Exact, err
		}
		plan.Max = of.Max
	}
	if len(others) > 0 {
		rest, _, err := c.Use("jointree", &ir.Problem{Model: p.Model, Queries: others, Params: p.Params})
		if err != nil {
			return plan, method.Exact, err
		}
		plan.Schedule = rest.Schedule
	}
	return plan, method.Exact, nil
}

// circuit plans queries by the decision circuit of m, a decomposition of the problem's model.
func (x *Options) circuit(c *method.Context, p *ir.Problem, queries []*ir.Query, m *model.Model) (*ir.Plan, error) {
	d, note, err := x.compile(c, p, m)
	switch {
	case errors.Is(err, errTooLarge), errors.Is(err, errWork):
		return nil, x.refusal(c, err)
	case err != nil:
		return nil, err
	}
	of := *p.Model
	of.Factors = []*model.Factor{{Scope: scopeOf(len(p.Model.Vars)), Child: -1, Dist: d}}
	plan, _, err := c.Use("circuit", &ir.Problem{Model: &of, Queries: queries, Params: p.Params})
	if err != nil {
		return nil, err
	}
	for _, out := range []*ir.Circuit{plan.Circuit, plan.Max} {
		if out != nil {
			out.Model = p.Model
		}
	}
	plan.Note = note
	return plan, nil
}

// Shares of the memory for planning: one in so many bytes is for the circuit, for what is left of
// factors, and for the cache.
const (
	nodesShare  = 8 // the circuit of the plan takes more
	tablesShare = 4
	cacheShare  = 4
)

// The steps of the first attempt of each way to branch, and how many times as many the next has.
const (
	firstSteps = 4_000_000
	moreSteps  = 4
)

// compile returns the decision circuit of m over the variables of p, and a note for people. Ways to
// branch are tried in turn, with more and more steps, since one may take a thousand times the steps
// of another.
func (x *Options) compile(c *method.Context, p *ir.Problem, m *model.Model) (d *model.Circuit, note string, err error) {
	e, err := encode(c, m)
	if err != nil {
		return nil, "", err
	}
	if !e.begin() {
		return &model.Circuit{Nodes: []model.CircuitNode{{Op: model.CircuitSum}}}, "", nil
	}
	ways := e.ways(c, m)
	limit := limits{nodes: c.MaxMem / nodesShare, tables: c.MaxMem / tablesShare, cache: c.MaxMem / cacheShare}
	for most := int64(firstSteps); ; most *= moreSteps {
		for _, way := range ways {
			limit.steps = min(e.steps+most, int64(x.Steps))
			b := newCompiler(c, e, limit)
			b.weight, b.hidden = way, make([]bool, len(m.Vars))
			for v := range b.hidden {
				b.hidden[v] = v >= len(p.Model.Vars)
			}
			root, err := b.run()
			if err == nil {
				d := b.out.circuit(root, e.numbers)
				return d, fmt.Sprintf("a decision circuit of %d nodes by %d branches: %d components found again, %d conflicts", len(d.Nodes), b.branches, b.hits, b.conflicts), nil
			}
			if !errors.Is(err, errWork) || limit.steps == int64(x.Steps) {
				return nil, "", err
			}
		}
	}
}

// ways returns ways to branch, the most promising first.
func (e *encoded) ways(c *method.Context, m *model.Model) [][]float64 {
	left := e.left(m)
	none := make([]float64, len(m.Vars))
	for list := range c.Orders(left, 1) {
		byOrder, strong := weights(left, list)
		if strong {
			return [][]float64{byOrder, none}
		}
		return [][]float64{none, byOrder}
	}
	return [][]float64{none}
}

// refusal adds advice to an error about a limit.
func (x *Options) refusal(c *method.Context, err error) error {
	memory, steps := diag.Option{Name: "max-mem"}, diag.Option{Name: "search-steps"}
	if errors.Is(err, errWork) {
		return &method.TooManyNodes{Message: diag.Errorf("the search for a decision circuit took more than %d steps; raise %v, or use %v", x.Steps, steps, method.By("jointree"))}
	}
	return &method.TooManyNodes{Message: diag.Errorf("the decision circuit outgrew its share of %v %d bytes; raise %v, or use %v", memory, c.MaxMem, memory, method.By("jointree"))}
}
