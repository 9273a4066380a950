package particle

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/blanket"
	"github.com/pgmc-go/pgmc/compiler/method/internal/forward"
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// planSlices returns a schedule with an entry that draws slice 0 of one particle, and one that
// draws a later slice given the variables before it.
func planSlices(c *method.Context, p *ir.Problem, how *ir.Histories) (*ir.Plan, error) {
	slice := *p.Model
	slice.Transition = nil
	step := hideBefore(p.Model)
	s := &ir.Schedule{Model: step, Params: p.Params}
	for _, of := range []struct {
		name string
		m    *model.Model
	}{{ir.FilterFirst, &slice}, {ir.FilterNext, step}} {
		if err := planSlice(c, s, of.m, p, of.name, how); err != nil {
			return nil, fmt.Errorf("particle: %w", err)
		}
	}
	return &ir.Plan{Schedule: s}, c.Fits(s)
}

// entryQuery returns the query of an entry: that of smooth, if it is asked for, which has the same
// entries as filter.
func entryQuery(p *ir.Problem, name string) *ir.Query {
	i := slices.IndexFunc(p.Queries, func(q *ir.Query) bool { return q.Kind == ir.Smooth })
	named := *p.Queries[max(i, 0)]
	named.Name = name
	return &named
}

// hideBefore returns the network of a later slice of m, in which the variables before it are
// latent.
func hideBefore(m *model.Model) *model.Model {
	step := m.Step()
	for i, v := range step.Vars[len(m.Vars):] {
		hidden := *v
		hidden.Given, hidden.Latent = false, true
		step.Vars[len(m.Vars)+i] = &hidden
	}
	return step
}

// planSlice adds the entry that draws a slice m. What enters is the values of the real variables
// before it, and their states, which the caller sets; what leaves is the values of its real
// variables, and if some may be certain the number that are.
func planSlice(c *method.Context, s *ir.Schedule, m *model.Model, p *ir.Problem, name string, how *ir.Histories) error {
	d, stream, real := newSlice(s, m, p, how, 0)
	n := len(p.Model.Vars)
	var order []model.VarID
	for _, v := range m.Topological() {
		if int(v) < n {
			order = append(order, v)
		}
	}
	if rule := rules[how.Draw.Proposal]; rule != nil {
		d.Propose = func(c *gauss.Code) forward.Proposal {
			return newFitted(c, rule, d, m, real, p.Model.Transition.Before)
		}
	}
	d.BeginSample()
	d.DrawAll(order)
	if d.Values != ir.NoTable {
		stream.Out = append(stream.Out, d.Values)
	}
	if d.Both {
		stream.Out = append(stream.Out, d.Count())
	}
	return endSlice(c, s, p, name, d, stream)
}

// newSlice returns the blocks that draw a slice m, which has none yet, and their stream. The values
// of the real variables before it, which newSlice also returns, enter with a number of others.
func newSlice(s *ir.Schedule, m *model.Model, p *ir.Problem, how *ir.Histories, others int) (d *forward.Sampler, stream *ir.ScheduleStream, real []model.VarID) {
	d = forward.New(blanket.NewTrials(&ir.Problem{Model: m, Queries: p.Queries, Params: p.Params, Into: s, More: true}), p.Model.Reals(), ir.RoleOut)
	stream = &ir.ScheduleStream{Histories: how}
	var before []model.VarID
	for _, v := range m.Vars[len(p.Model.Vars):] {
		before = append(before, v.ID)
	}
	discrete, real := m.SplitReal(before)
	d.States, stream.States = slices.Clone(discrete), discrete
	if len(real) > 0 {
		t := d.Add(ir.Table{Name: "values before", Role: ir.RolePersistent, Var: -1, Parts: len(real) + others})
		stream.In = []ir.TableID{t}
		for i, v := range real {
			d.Before[v] = gauss.Part(t, i)
		}
	}
	return d, stream, real
}

// endSlice adds the entry of the blocks of d.
func endSlice(c *method.Context, s *ir.Schedule, p *ir.Problem, name string, d *forward.Sampler, stream *ir.ScheduleStream) error {
	d.MergeBlocks()
	s.Entries = append(s.Entries, ir.ScheduleEntry{Query: entryQuery(p, name), Root: d.One, Logs: []ir.TableID{d.Log}, Stream: stream, Blocks: d.Blocks()})
	return d.Fill(c)
}
