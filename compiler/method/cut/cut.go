package cut

import (
	"fmt"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/loop"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
)

// Method is completion by minimum cuts.
var Method = method.Method{
	Name:  "cut",
	Doc:   "bound: a probable completion by minimum cuts, exact with two states and submodular energies, and otherwise by expansion or swap moves",
	Kinds: "Bayesian, Markov, of pairs", Guarantee: "exact for binary submodular energies; otherwise no move improves the states; proven best if the bound is reached",
	Cost: "rounds times a maximum flow for each move",
	Answers: &ir.Approximation{
		Kind: ir.Decoding, Word: "cut", GoName: "Cut",
		Summary: "probable completions, by minimum cuts",
		Doc:     []string{"sets out to a probable completion of ev found by minimum cuts."},
		Options: method.RunOptions[Options](),
	},
	Proves: func(m *model.Model) bool {
		c := m.CountEnergies(mostProved)
		return c.Cuts()
	},
	New: func() method.Instance { return NewOptions() },
}

// mostProved is the size of a table of two variables with two states, and others with one.
const mostProved = 4

// swap is a value of Moves.
const swap = "swap"

// Options are the options of the method.
type Options struct {
	Iterations int     `opt:"iterations" default:"1000" help:"largest number of rounds" range:"[1,inf)" run:"Iterations: largest number of rounds, each of which tries every move"`
	Tolerance  float64 `opt:"tolerance" default:"1e-9" help:"end after a round that gains no more" range:"[0,inf)" run:"Tolerance; negative: run all rounds"`
	Moves      string  `opt:"moves" default:"expansion" help:"for variables of more than two states: expansion or swap" range:"expansion|swap"`
}

// NewOptions returns the defaults.
func NewOptions() *Options { return options.New[Options]() }

// MethodName returns "cut".
func (Options) MethodName() string { return Method.Name }

// Check refuses other queries, and factors over three or more variables.
func (x *Options) Check(p *ir.Problem, by method.Peers) diag.List {
	list := loop.Check(x, p, by)
	for _, f := range p.Model.Factors {
		if wide := p.Model.Several(f); len(wide) > 2 {
			list.Errorf(f.Pos, "the %s is over %d variables; method cut needs factors over at most two; try %v", p.Model.FactorName(f), len(wide), by(method.DualMessages))
			break
		}
	}
	return list
}

// Plan returns the schedule of the one query.
func (x *Options) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	b, err := newPlan(p, c.MaxTable)
	if err != nil {
		return nil, method.Bound, fmt.Errorf("cut: %w", err)
	}
	move := b.moves(x.Moves)
	b.round(move)
	decode := b.end()
	plan := b.Finish(p.Queries[0], options.Part[ir.LoopOptions](x))
	b.Schedule.Entries[0].Loop.Decode = decode
	if err := c.Fits(b.Schedule); err != nil {
		return nil, method.Bound, err
	}
	if move == choose && !b.mirror {
		return plan, method.Exact, nil
	}
	return plan, method.Bound, nil
}
