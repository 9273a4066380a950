package backendtest

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
)

// RandomLoops returns n programs made from seed that include the steps of loops. The steps run
// once, since the rounds of a loop do not concern back-ends.
func RandomLoops(n int, seed uint64) []Case {
	return random("random loop", n, seed, 2, func(g *generator) { g.loops = true })
}

// numbersOfLoops makes the numbers in which tallies count.
func (g *generator) numbersOfLoops() {
	g.total = g.span(ir.Span{Role: ir.RolePersistent, Len: 1})
	g.alive = g.span(ir.Span{Role: ir.RolePersistent, Len: 1})
}

// like returns the tables over the scope of t, except t.
func (g *generator) like(t table) (list []table) {
	for _, u := range g.tables {
		if u.span != t.span && slices.Equal(u.scope, t.scope) {
			list = append(list, u)
		}
	}
	return list
}

// loopStep adds one of the steps of loops.
func (g *generator) loopStep() {
	t := g.tables[g.r.IntN(len(g.tables))]
	like := g.like(t)
	if g.r.IntN(2) == 0 {
		s := &ir.Tally{Kind: ir.TallyKind(g.r.IntN(3)), Factor: []float64{1, -1, .3}[g.r.IntN(3)], Total: g.total, In: t.span, Alive: ir.NoSpan, Ref: ir.NoSpan}
		switch {
		case s.Kind == ir.TallyLog:
			s.Alive = g.alive
		case s.Kind == ir.TallyEntropy && g.withoutZeros(like) != ir.NoSpan && g.r.IntN(2) == 0:
			s.Ref = g.withoutZeros(like)
		}
		g.steps = append(g.steps, s)
		return
	}
	if len(like) == 0 {
		return
	}
	u := like[g.r.IntN(len(like))]
	if g.mayWrite(t) && g.r.IntN(2) == 0 {
		rate := g.span(ir.Span{Role: ir.RoleConst, Len: 1, Data: []float64{[]float64{0, .25, .9}[g.r.IntN(3)]}})
		g.steps = append(g.steps, &ir.Damp{Span: t.span, New: u.span, Rate: rate, Residual: g.alive})
		return
	}
	out := table{span: g.span(ir.Span{Role: ir.RoleTemp, Len: g.len(t.scope)}), scope: t.scope}
	if g.r.IntN(3) == 0 {
		s := &ir.Powers{Out: out.span}
		for range 1 + g.r.IntN(3) {
			s.In = append(s.In, like[g.r.IntN(len(like))].span)
			s.Power = append(s.Power, []float64{1, .5, -.75, 0}[g.r.IntN(4)])
		}
		g.steps = append(g.steps, s)
		g.tables = append(g.tables, out)
		return
	}
	s := &ir.Boltzmann{Out: out.span, Weight: []ir.SpanID{ir.NoSpan, t.span}[g.r.IntN(2)]}
	for range g.r.IntN(4) {
		s.In = append(s.In, like[g.r.IntN(len(like))].span)
	}
	g.steps = append(g.steps, s)
	g.tables = append(g.tables, out)
}

// withoutZeros returns the span of a table of positive constants, or NoSpan.
func (g *generator) withoutZeros(list []table) ir.SpanID {
	for _, t := range list {
		if d := g.p.Spans[t.span].Data; len(d) > 0 && slices.Min(d) > 0 {
			return t.span
		}
	}
	return ir.NoSpan
}
