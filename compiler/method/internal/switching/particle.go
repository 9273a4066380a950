package switching

import (
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// This file plans particles that are drawn from the posterior of their slice. What enters is one
// particle of the slice before: a state of its discrete variables, and values of its real ones,
// with covariances of 0. The density of the evidence is its weight. The states of the slice are
// drawn from their posterior first, then the real variables given these, each given those before
// it.

// PlanParticles returns a schedule of filter for particles as how says. Each entry has the query of
// its name.
func PlanParticles(c *method.Context, p *ir.Problem, how *ir.Histories, query func(name string) *ir.Query) (*ir.Schedule, error) {
	b := newBuilder(c, p, Rule{Histories: how})
	b.belief = belief{ir.NoTable, ir.NoTable}
	if len(b.before.discrete) > 0 {
		b.belief.states = b.Add(ir.Table{Name: "states before", Scope: b.before.discrete, Role: ir.RolePersistent, Var: -1})
	}
	if n := len(b.before.real); n > 0 {
		b.belief.moments = b.Add(ir.Table{Name: "values before", Role: ir.RolePersistent, Var: -1, Parts: n})
	}
	for _, s := range []*slice{{name: ir.FilterFirst, m: b.first, draw: true}, {name: ir.FilterNext, m: b.step, in: true, draw: true}} {
		if err := b.plan(s, query(s.name)); err != nil {
			return nil, err
		}
	}
	return b.S, c.Fits(b.S)
}

// drawsParticle reports whether the slice of one particle is drawn, given its evidence.
func (s *slice) drawsParticle() bool { return s.draw && !s.back }

// certain returns the moments of real variables with values in a table.
func certain(t ir.TableID, real []model.VarID) (m gauss.Stored) {
	m.Scope = real
	for i := range real {
		m.Mean = append(m.Mean, gauss.Part(t, i))
		m.Cov = append(m.Cov, make([]gauss.Number, i+1))
		for j := range m.Cov[i] {
			m.Cov[i][j] = gauss.Constant(0)
		}
	}
	return m
}

// leaveParticle plans the draw of the real variables of a slice with drawn states, and adds their
// values to the stream.
func (b *builder) leaveParticle(s *slice) {
	own := b.own(s.m)
	if len(own) == 0 {
		return
	}
	values := b.Add(ir.Table{Name: "values, " + s.name, Role: ir.RoleOut, Var: -1, Parts: len(own)})
	s.e.Stream.Out = []ir.TableID{values}
	b.Fixed = s.context
	c := gauss.NewCode()
	moments := s.moments.Of(own)
	all := moments.Read(c)
	b.drawAll(s, c, all)
	for i := range own {
		c.Write(ir.MapPart{Table: values, Part: i}, all.Mean[i])
	}
	b.Do(c)
	s.e.Blocks = append(s.e.Blocks, b.Block(s.name+" values"))
	b.Fixed = nil
}
