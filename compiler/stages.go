package compiler

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// addSlices adds the policies of a template. Slices in a row with the same policy of a decision
// share a table.
func (r *Result) addSlices(ctx context.Context, opt Options) error {
	m := r.Model
	policies, err := policiesOf(ctx, m, decide.Options{MaxTable: opt.withDefaults().MaxTable, Packaged: true})
	if err != nil {
		return fmt.Errorf("query %q: %w", ir.Policy, err)
	}
	size := len(m.Vars)
	slices.SortStableFunc(policies, func(p, q *decide.Policy) int { return int(p.Decision)%size - int(q.Decision)%size })
	e := &ir.Entry{Query: &ir.Query{Name: ir.Policy.String(), Kind: ir.Policy}, Root: ir.NoSpan, Exp: ir.NoSpan}
	for _, p := range policies {
		if cases, ok := m.TableSize(inSlice(p.Known, size)); !ok || cases > ir.MaxCases {
			return fmt.Errorf("query %q: %w", ir.Policy, tooManyCases(m, p.Decision%model.VarID(size), inSlice(p.Known, size)))
		}
		d := stageOf(m, p)
		if n := len(e.Decisions); n > 0 && continues(e.Decisions[n-1], d) {
			e.Decisions[n-1].Stage.Last++
			continue
		}
		e.Decisions = append(e.Decisions, d)
	}
	r.Program.Entries = append(r.Program.Entries, *e)
	return nil
}

// policiesOf returns the policies of all slices, over the numbers of Unroll.
func policiesOf(ctx context.Context, m *model.Model, o decide.Options) ([]*decide.Policy, error) {
	x, err := decide.Induct(ctx, m, make([][]float64, len(m.Vars)), o)
	if err == nil {
		return slices.Concat(x.First.Policies, x.Later), nil
	}
	if !errors.Is(err, decide.ErrHidden) {
		return nil, err
	}
	all := m.Unroll(m.Diagram.Horizon)
	s, err := decide.Solve(ctx, all, make([][]float64, len(all.Vars)), o)
	if err != nil {
		return nil, err
	}
	return s.Policies, nil
}

// inSlice returns the variables of one slice for those of all slices.
func inSlice(vars []model.VarID, size int) (list []model.VarID) {
	for _, v := range vars {
		list = append(list, v%model.VarID(size))
	}
	return list
}

// stageOf returns the table of a policy of one slice.
func stageOf(m *model.Model, p *decide.Policy) *ir.DecisionTable {
	size := len(m.Vars)
	t := int(p.Decision) / size
	d := &ir.DecisionTable{Decision: p.Decision % model.VarID(size), Known: inSlice(p.Known, size), Choice: p.Choice, Stage: &ir.Stage{First: t, Last: t}}
	d.Options = m.Card(d.Decision)
	if x := m.Decides(d.Decision); x != nil && x.Once {
		d.Stage = nil
		return d
	}
	for i, v := range d.Known {
		of, before := m.Original(v)
		ago := t - int(p.Known[i])/size + before
		if x := m.Decides(v); x != nil && x.Once {
			ago = 0
		}
		d.Known[i], d.Stage.Ago = of, append(d.Stage.Ago, ago)
	}
	return d
}

// continues reports whether b is a in the next slice.
func continues(a, b *ir.DecisionTable) bool {
	return a.Stage != nil && b.Stage != nil && a.Decision == b.Decision && a.Stage.Last+1 == b.Stage.First && slices.Equal(a.Known, b.Known) &&
		slices.Equal(a.Stage.Ago, b.Stage.Ago) && slices.Equal(a.Choice, b.Choice)
}
