package minibucket

import (
	"flag"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Search is branch and bound over a pseudo tree.
var Search = method.Method{
	Name:  "search",
	Doc:   "bound: a most probable completion by branch and bound, proven when it ends, and a bound before",
	Kinds: "Bayesian, Markov", Guarantee: "proven best when the search ends; a bound that holds at any time",
	Cost: "exponential where mini-buckets are split; it stops when told to",
	Answers: &ir.Approximation{
		Kind: ir.Decoding, Word: "search", GoName: "Search", Anytime: true,
		Summary: "most probable completions, by branch and bound",
		Doc: []string{"sets out to a most probable completion of ev found by depth-first branch and bound over an AND/OR tree (Marinescu and Dechter",
			"2009), with mini-buckets as bounds. If ctx ends first, out is the best completion so far, and the report has the bound; both are",
			"returned with the error of ctx."},
		Options: []ir.RunOption{
			{Name: "Iterations", Type: "int", Field: "Iterations", Doc: "largest number of rounds, of 4,096 nodes each"},
		},
	},
	Certifies: func(*model.Model) string {
		return "no completion exceeds the bound, which the search lowers to the best"
	},
	New: func() method.Instance { return NewSearchOptions() },
}

// SearchOptions are the options of Search.
type SearchOptions struct {
	Iterations int // the most rounds of 4,096 nodes; at least 1
	Numbers    int // the most numbers of all mini-buckets; at least 1
	Improve    int // rounds of tightening the bound while compiling; at least 0
	Contexts   int // the most integers of tables of what is known of parts of the tree; at least 0
}

// The defaults: some seventeen million nodes, and 8 MiB of integers.
const (
	defaultIterations = 1 << 12
	defaultContexts   = 1 << 21
)

// NewSearchOptions returns the defaults.
func NewSearchOptions() *SearchOptions {
	return &SearchOptions{Iterations: defaultIterations, Numbers: defaultNumbers, Improve: defaultRounds, Contexts: defaultContexts}
}

// MethodName returns "search".
func (SearchOptions) MethodName() string { return Search.Name }

// loop returns the options of the loop.
func (x *SearchOptions) loop() ir.LoopOptions { return ir.LoopOptions{Iterations: x.Iterations} }

// Bind declares the flags of the options.
func (x *SearchOptions) Bind(fs *flag.FlagSet) {
	fs.IntVar(&x.Iterations, "iterations", x.Iterations, "the most rounds of 4,096 nodes")
	bindBoxes(fs, &x.Numbers, &x.Improve)
	fs.IntVar(&x.Contexts, "contexts", x.Contexts, "the most integers that keep what is known of parts of the search tree")
}

// Check refuses other queries.
func (x *SearchOptions) Check(p *ir.Problem) diag.List {
	list := check(Search.Name, p, x.Numbers, x.Improve, x.loop())
	if x.Contexts < 0 || x.Contexts > mostContexts {
		list.Errorf(diag.Pos{File: p.Model.File}, "method search: found %d integers for contexts; want 0 to %d", x.Contexts, mostContexts)
	}
	return list
}

// Plan returns the schedule of the one query.
func (x *SearchOptions) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	b, err := newPlan(c, p, boxes{Search: true, Numbers: x.Numbers, Contexts: x.Contexts})
	if err != nil {
		return nil, method.Bound, err
	}
	plan := b.search(x.loop())
	if err := c.Fits(b.Schedule); err != nil {
		return nil, method.Bound, err
	}
	return plan, method.Bound, b.fixed.Improve(c, x.Improve)
}
