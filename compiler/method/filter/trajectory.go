package filter

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// This file plans draws of whole sequences given evidence: after a filter has gone forward, each
// slice is drawn given a draw of the slice after it, from the last one back (Carter and Kohn 1994,
// Frühwirth-Schnatter 1994).

// trajectory plans draws of slices, in which the persisting variables are observed if the slice
// after it has been drawn.
func (d *discrete) trajectory(q *ir.Query) error {
	if err := d.draw(q, ir.DrawFirst, d.showing(d.slice, true), nil); err != nil {
		return err
	}
	return d.draw(q, ir.DrawNext, d.showing(d.step, true), []ir.TableID{d.belief})
}

func (d *discrete) draw(q *ir.Query, name string, m *model.Model, in []ir.TableID) error {
	p := &ir.Problem{Model: m, Into: d.s, Queries: []*ir.Query{{Name: name, Kind: ir.Sample}}}
	for _, t := range in {
		p.Fronts = append(p.Fronts, ir.Front{Table: t, Scope: d.s.Tables[t].Scope})
	}
	first := len(d.s.Entries)
	if err := d.use(p); err != nil {
		return err
	}
	made := d.s.Entries[first]
	d.s.Entries = d.s.Entries[:first:first]
	made.Stream = &ir.ScheduleStream{In: in}
	d.entry(q, name, made)
	return nil
}

// trajectory plans draws of slices from their moments given the draw of the slice after it, which
// enters in the place of the smoothed belief: with covariances of 0, unless it is the belief after
// the last slice.
func (g *gaussian) trajectory(q *ir.Query) error {
	g.needSmoothed()
	g.draw(q, ir.DrawFirst, g.slice, nil)
	g.draw(q, ir.DrawNext, g.step, []ir.TableID{g.belief})
	return nil
}

func (g *gaussian) draw(q *ir.Query, name string, m *model.Model, in []ir.TableID) {
	p := g.back(m, in)
	all := g.smoothedMoments(p)
	e := ir.ScheduleEntry{Stream: &ir.ScheduleStream{In: append(slices.Clone(in), g.filtered, g.smoothed)}}
	noise := g.add(ir.Table{Name: "noise, " + name, Role: ir.RoleTemp, Var: -1, Parts: len(all.Scope)})
	value := map[model.VarID]circuit.Node{}
	for i, v := range all.Scope {
		spread := p.Sqrt(p.Max(all.Between(v, v), circuit.Zero))
		value[v] = p.Sum(all.Of(v), p.Prod(spread, p.Read(gauss.Part(noise, i))))
		if flag, far := all.IsDiffuse(p.Circuit, v); far != circuit.Zero { // it has no distribution
			p.defined = p.Prod(p.defined, p.Sub(circuit.One, flag))
		}
		all.Condition(p.Circuit, v, circuit.One, value[v])
	}
	g.evidenceDensity(p, &e)
	for _, v := range g.m.Vars {
		if v.Latent {
			continue
		}
		out := g.add(ir.Table{Name: "draw of " + v.Name + ", " + name, Scope: []model.VarID{v.ID}, Role: ir.RoleOut, Var: v.ID})
		p.Write(gauss.Part(out, 0).MapPart, value[v.ID])
		p.Write(gauss.Part(out, 1).MapPart, circuit.Zero)
		e.Outs = append(e.Outs, out)
	}
	if in != nil && len(g.before) > 0 { // all has the values as means, and covariances of 0
		g.leave(p, all, g.before, name, &e)
	}
	e.Blocks = []int{g.block(name, &ir.NoiseOp{Out: noise}, p.MapOp())}
	g.entry(q, name, e)
}
