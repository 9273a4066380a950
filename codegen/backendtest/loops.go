package backendtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
)

// RandomLoops gives n programs made by seed with the steps that only loops have, among others. They run once: rounds are no matter of
// back-ends.
func RandomLoops(n int, seed uint64) []Case {
	cases := make([]Case, n)
	for i := range cases {
		g := &generator{r: rand.New(rand.NewPCG(seed, uint64(i))), loops: true}
		cases[i] = Case{Name: fmt.Sprintf("random loop %d.%d", seed, i), Program: g.program()}
		for range 2 {
			cases[i].Inputs = append(cases[i].Inputs, g.input())
		}
		if err := g.p.Verify(); err != nil {
			panic(fmt.Sprintf("backendtest: %s: %v", cases[i].Name, err))
		}
	}
	return cases
}

// numbersOfLoops makes the numbers that tallies count in.
func (g *generator) numbersOfLoops() {
	g.total = g.span(ir.Span{Role: ir.RolePersistent, Len: 1})
	g.alive = g.span(ir.Span{Role: ir.RolePersistent, Len: 1})
}

// like gives the tables over the scope of t, but not t.
func (g *generator) like(t table) (list []table) {
	for _, u := range g.tables {
		if u.span != t.span && slices.Equal(u.scope, t.scope) {
			list = append(list, u)
		}
	}
	return list
}

// loopStep adds one of the steps.
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
	out := table{g.span(ir.Span{Role: ir.RoleTemp, Len: g.len(t.scope)}), t.scope}
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

// withoutZeros is the span of a table of constants above 0; NoSpan where there is none.
func (g *generator) withoutZeros(list []table) ir.SpanID {
	for _, t := range list {
		if d := g.p.Spans[t.span].Data; len(d) > 0 && slices.Min(d) > 0 {
			return t.span
		}
	}
	return ir.NoSpan
}

// loopStep does a step which only loops have, by its definition.
func (m *memory) loopStep(s ir.Step) {
	switch s := s.(type) {
	case *ir.Damp:
		rate, old, next, residual := m.numbers[s.Rate][0], m.numbers[s.Span], m.numbers[s.New], m.numbers[s.Residual]
		for i := range old {
			residual[0] = math.Max(residual[0], math.Abs(old[i]-next[i]))
			old[i] = rate*old[i] + (1-rate)*next[i]
		}
	case *ir.Boltzmann:
		m.boltzmann(s)
	case *ir.Powers:
		m.powers(s)
	case *ir.Tally:
		total := m.numbers[s.Total]
		sum, entropy := 0.0, 0.0
		for i, x := range m.numbers[s.In] {
			sum += x
			if x > 0 && s.Ref == ir.NoSpan {
				entropy -= x * math.Log(x)
			} else if x > 0 {
				entropy += x * math.Log(m.numbers[s.Ref][i]/x)
			}
		}
		switch {
		case s.Kind == ir.TallySum:
			total[0] += s.Factor * sum
		case s.Kind == ir.TallyEntropy:
			total[0] += s.Factor * entropy
		case sum == 0:
			m.numbers[s.Alive][0] = 0
		default:
			total[0] += s.Factor * math.Log(sum)
		}
	}
}

// powers multiplies what math.Pow gives: the numbers of random programs are not extreme.
func (m *memory) powers(s *ir.Powers) {
	out, sum := make([]float64, len(m.numbers[s.Out])), 0.0
	for i := range out {
		out[i] = 1
		for k, id := range s.In {
			if x := m.numbers[id][i]; x > 0 {
				out[i] *= math.Pow(x, s.Power[k])
			} else {
				out[i] = 0
				break
			}
		}
		sum += out[i]
	}
	for i := range out {
		if sum > 0 {
			out[i] /= sum
		}
	}
	copy(m.numbers[s.Out], out)
}

// boltzmann takes the powers as they are: energies of random programs are small.
func (m *memory) boltzmann(s *ir.Boltzmann) {
	out, sum := make([]float64, len(m.numbers[s.Out])), 0.0
	for i := range out {
		energy := 0.0
		for _, id := range s.In {
			energy += m.numbers[id][i]
		}
		out[i] = math.Exp(-energy)
		if s.Weight != ir.NoSpan {
			out[i] *= m.numbers[s.Weight][i]
		}
		sum += out[i]
	}
	for i := range out {
		if sum > 0 {
			out[i] /= sum
		}
	}
	copy(m.numbers[s.Out], out)
}
