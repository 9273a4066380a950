package topdown

import (
	"errors"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
)

// Method is exact inference by an arithmetic circuit that a search makes.
var Method = method.Method{
	Name:  "topdown",
	Doc:   "exact: a decision circuit, compiled top-down with component caching; for models that are mostly zeros and ones",
	Kinds: "Bayesian, Markov", Guarantee: "exact", Cost: "components that differ after branching",
	New:      func() method.Instance { return NewOptions() },
	Circuits: &method.Circuits{Answers: answers, Suits: suits, Completes: completes, Within: within},
}

// Options are the options of the method. The default steps take some minutes.
type Options struct {
	Steps int `opt:"search-steps" default:"2_000_000_000" help:"largest number of factors and variables that the search looks at" range:"[1,9e15]" wrong:"found {search-steps} search steps; want at least 1"`
}

// NewOptions returns the defaults.
func NewOptions() *Options { return options.New[Options]() }

// MethodName returns "topdown".
func (Options) MethodName() string { return Method.Name }

// Check refuses queries of approximate methods.
func (x *Options) Check(p *ir.Problem, by method.Peers) diag.List {
	return method.CheckOptions(x, p)
}

// Plan returns a decision circuit for probabilities, posteriors and samples, and one of maxima for
// most probable completions. Other queries, and queries of variable parameters, are planned as
// method circuit plans them.
func (x *Options) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	if p.Params == ir.Var {
		return c.Use(method.Circuit, p)
	}
	b := &planner{ctx: c, p: p, steps: int64(x.Steps)}
	plan, err := b.plan()
	return plan, method.Exact, b.refusal(err)
}

// withinSteps is the number of steps for a caller that compares sizes.
const withinSteps = 4_000_000

// within plans as the method does, with fewer steps, but fails if P(evidence) takes more than ops
// operations; 0 means any number. Unless more is nil, it calls more for further queries. Best
// completions with too large a circuit are left to method jointree.
func within(c *method.Context, p *ir.Problem, ops int, more method.MoreFunc) (*ir.Plan, error) {
	if p.Params == ir.Var {
		return nil, errTooLarge
	}
	b := &planner{ctx: c, p: p, steps: withinSteps, within: ops, more: more, compared: true}
	return b.plan()
}

// answers reports whether values of a circuit of sums and their derivatives answer queries of a
// kind.
func answers(kind ir.QueryKind) bool {
	switch kind {
	case ir.LogProb, ir.Marginals, ir.Posterior, ir.Sets, ir.Jeffrey:
		return true
	}
	return false
}

// suits reports whether at least half of the numbers of m that are not zero are ones. What is left
// of a factor after some branches is then often all ones, and vanishes. Where fewer are ones, an
// elimination on non-zero entries makes circuits that are as small, in less time.
func suits(m *model.Model) bool {
	ones, others := 0, 0
	for _, f := range m.Factors {
		values, _ := f.Table()
		for _, x := range values {
			switch x {
			case 0:
			case 1:
				ones++
			default:
				others++
			}
		}
	}
	return ones > 0 && ones >= others
}

// completes reports whether the method computes most probable completions of m.
func completes(*model.Model) bool { return true }

// refusal adds advice to an error about a limit.
func (b *planner) refusal(err error) error {
	memory, steps := diag.Option{Name: "max-mem"}, diag.Option{Name: "search-steps"}
	switch {
	case errors.Is(err, errWork):
		return &method.TooManyNodes{Message: diag.Errorf("the search for a decision circuit took more than %d steps; raise %v, or use %v", b.steps, steps, b.ctx.By(method.Tables))}
	case errors.Is(err, errTooLarge):
		return &method.TooManyNodes{Message: diag.Errorf("the decision circuit outgrew its share of %v %d bytes; raise %v, or use %v", memory, b.ctx.MaxMem, memory, b.ctx.By(method.Tables))}
	}
	return err
}
