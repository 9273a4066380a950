package localsearch

import (
	"fmt"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/blanket"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// checkClimb is blanket.CheckTrials for searches. It also warns if single changes may not connect
// all states.
func checkClimb(name string, p *ir.Problem, valid bool, options string, by method.Peers) diag.List {
	list := blanket.CheckTrials(name, p, valid, options)
	if list.HasErrors() {
		return list
	}
	list.Append(blanket.CheckGroups(p.Model, "the search may not reach the best states", by))
	return list
}

// climb plans a search for the best states of all variables. Trials start from states that agree
// with the evidence and change groups of variables that must change together. The answer is the
// best of all states visited. The kind of step is DrawTempered or TabuMove.
func climb(c *method.Context, p *ir.Problem, step ir.TrialKind, o ir.ChainOptions, trial ir.TrialOptions) (*ir.Plan, method.Claim, error) {
	t := blanket.NewTrials(p)
	groups, _ := blanket.Groups(p.Model)
	t.Begin = []ir.Op{t.Logarithms()}
	keep, restore := t.KeepBest(blanket.Logs)
	t.Start = append(append([]ir.Op{t.FindStart(false)}, t.Scores(blanket.Logs)...), keep)
	move := t.Trial(step)
	move.Levels = t.Moves(blanket.Logs, groups)
	if step == ir.TabuMove {
		for _, g := range groups {
			move.Vars = append(move.Vars, g[0])
			move.First, move.Second = append(move.First, t.Kept("tabu for "+t.Model.Vars[g[0]].Name, g...)), append(move.Second, ir.NoTable)
		}
	}
	t.Step, t.End = []ir.Op{move, keep}, restore
	plan := t.Build(p.Queries[0], o, trial)
	if err := c.Fits(t.Schedule); err != nil {
		return nil, method.Bound, err
	}
	if err := t.Fill(c); err != nil {
		return nil, method.Bound, fmt.Errorf("%s: %w", p.Queries[0].Method, err)
	}
	return plan, method.Bound, nil
}
