package minibucket

import (
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/loop"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
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
		Options: method.RunOptions[SearchOptions](),
	},
	Certifies: func(*model.Model) string {
		return "no completion exceeds the bound, which the search lowers to the best"
	},
	New: func() method.Instance { return NewSearchOptions() },
}

// SearchOptions are the options of Search.
type SearchOptions struct {
	Iterations int `opt:"iterations" default:"4096" help:"the most rounds of 4,096 nodes" range:"[1,inf)" run:"Iterations: largest number of rounds, of 4,096 nodes each"`
	Numbers    int `opt:"numbers" default:"262144" help:"the most numbers of all mini-buckets: more bound tighter, and take memory and time" range:"[1,268435456]" wrong:"method search: found {numbers} numbers of mini-buckets and {improve} rounds of improving them; want 1 to 268435456, and 0 or more"`
	Improve    int `opt:"improve" default:"100" help:"rounds of tightening the bounds while compiling" range:"[0,inf)" wrong:"=numbers"`
	Contexts   int `opt:"contexts" default:"2097152" help:"the most integers that keep what is known of parts of the search tree" range:"[0,1073741824]" wrong:"method search: found {contexts} integers for contexts; want 0 to 1073741824"`
}

// NewSearchOptions returns the defaults.
func NewSearchOptions() *SearchOptions { return options.New[SearchOptions]() }

// MethodName returns "search".
func (SearchOptions) MethodName() string { return Search.Name }

// Check refuses other queries.
func (x *SearchOptions) Check(p *ir.Problem, by method.Peers) diag.List {
	return loop.Check(x, p, by)
}

// Plan returns the schedule of the one query.
func (x *SearchOptions) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	b, err := newPlan(c, p, boxes{Search: true, Numbers: x.Numbers, Contexts: x.Contexts})
	if err != nil {
		return nil, method.Bound, err
	}
	plan := b.search(options.Part[ir.LoopOptions](x))
	if err := c.Fits(b.Schedule); err != nil {
		return nil, method.Bound, err
	}
	return plan, method.Bound, b.fixed.Improve(c, x.Improve)
}
