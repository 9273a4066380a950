package blanket

import (
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// CheckClimb is CheckTrials for a search for states, and warns where single changes may not lead everywhere.
func CheckClimb(name, word string, p *ir.Problem, valid bool, options string) diag.List {
	list := CheckTrials(name, word, p, valid, options)
	if list.HasErrors() {
		return list
	}
	list.Append(Cut(p.Model, "the search may not reach the best states: compare several seeds, or try --method jointree"))
	return list
}

// Cut warns of factors whose zeros keep variables from changing one at a time, and that are too wide for these to change together.
func Cut(m *model.Model, consequence string) (list diag.List) {
	_, wide := Groups(m)
	if len(wide) == 0 {
		return list
	}
	others := ""
	if n := len(wide) - 1; n > 0 {
		others = fmt.Sprintf(", and %d more", n)
	}
	f, pos := m.Factors[wide[0]], diag.Pos{File: m.File}
	if f.Pos.Line > 0 {
		pos = f.Pos
	}
	list.Warnf(pos, "zeros of the %s%s keep variables from changing one at a time, and they are too many to be drawn together; %s",
		m.FactorName(f), others, consequence)
	return list
}

// Climb plans a search for the best states of all variables: trials from states that agree with the evidence, which change by the groups of
// variables that have to change together, and of which the best states met are the answer. The kind of step is TrialTemper or TrialTabu.
func Climb(c *method.Context, p *ir.Problem, step ir.TrialKind, o ir.ChainOptions, trial ir.TrialOptions) (*ir.Plan, method.Claim, error) {
	t := NewTrials(p)
	groups, _ := Groups(p.Model)
	t.Begin = []ir.Op{t.Logarithms()}
	keep, restore := t.Keep(Logs)
	t.Start = append(append([]ir.Op{t.FindStart(false)}, t.Scores(Logs)...), keep)
	move := t.Trial(step)
	move.Levels = t.Moves(Logs, groups)
	if step == ir.TabuMove {
		for _, g := range groups {
			move.Vars = append(move.Vars, g[0])
			move.First, move.Second = append(move.First, t.Kept("tabu for "+t.Model.Vars[g[0]].Name, g...)), append(move.Second, ir.NoTable)
		}
	}
	t.Step, t.End = []ir.Op{move, keep}, restore
	plan := t.Made(p.Queries[0], o, trial)
	if err := c.Fits(t.Schedule); err != nil {
		return nil, method.Bound, err
	}
	if err := t.Fill(c); err != nil {
		return nil, method.Bound, fmt.Errorf("%s: %w", p.Queries[0].Method, err)
	}
	return plan, method.Bound, nil
}

// Spread is how far the largest number of a factor is from the least that is not 0, as the difference of their logarithms, in the mean over the
// factors whose tables are small.
func Spread(m *model.Model) float64 {
	sum, n := 0.0, 0
	state := make([]int, len(m.Vars))
	for _, f := range m.Factors {
		size, ok := m.TableSize(f.Scope)
		if !ok || size > wholeStates || size < 2 {
			continue
		}
		low, high := math.Inf(1), 0.0
		for range size {
			if x := m.Value(f, state); x > 0 {
				low, high = min(low, x), max(high, x)
			}
			m.Next(f.Scope, state)
		}
		if high > 0 {
			sum += math.Log(high) - math.Log(low)
			n++
		}
	}
	return sum / float64(max(1, n))
}
