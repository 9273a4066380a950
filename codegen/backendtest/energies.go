package backendtest

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// RandomEnergies returns n programs made from seed that include the steps on energies. The steps
// run once, since the rounds of a loop do not concern back-ends.
func RandomEnergies(n int, seed uint64) []Case {
	return differ(random("random energy", n, seed, 2, func(g *generator) { g.more = g.energyStep }))
}

// energyStep adds one of the steps on energies.
func (g *generator) energyStep() {
	if g.energies == nil {
		g.energies = make([][]ir.SpanID, len(g.size))
		for v := range g.size {
			g.energyOf(model.VarID(v))
		}
	}
	v := model.VarID(g.r.IntN(len(g.size)))
	switch g.r.IntN(6) {
	case 0:
		g.energyOf(v)
	case 1, 2:
		g.minSum()
	case 3:
		g.sendMessages(v)
	case 4:
		g.choose(v)
	case 5:
		g.incumbent()
	}
}

// someEnergies returns one to n spans of energies of a variable.
func (g *generator) someEnergies(v model.VarID, n int) []ir.SpanID {
	var ids []ir.SpanID
	for range 1 + g.r.IntN(n) {
		ids = append(ids, g.energies[v][g.r.IntN(len(g.energies[v]))])
	}
	return ids
}

// energyOf adds energies of the states of a variable, computed from its likelihood, in which zeros
// become infinite energies, and from other energies.
func (g *generator) energyOf(v model.VarID) {
	s := &ir.Energy{Weight: ir.NoSpan}
	if g.r.IntN(4) > 0 || g.energies[v] == nil {
		i := slices.IndexFunc(g.tables, func(t table) bool { return g.p.Spans[t.span].Role == ir.RoleIn && t.scope[0] == v })
		s.Weight = g.tables[i].span
	}
	if g.energies[v] != nil {
		s.In = g.someEnergies(v, 2)
	}
	if g.r.IntN(2) == 0 {
		s.In = append(s.In, g.energyTable(g.size[v]))
	}
	s.Out = g.span(ir.Span{Role: ir.RoleTemp, Len: g.size[v]})
	g.energies[v] = append(g.energies[v], s.Out)
	g.steps = append(g.steps, s)
}

// energyTable returns n constant energies, one in six of them infinite.
func (g *generator) energyTable(n int) ir.SpanID {
	data := make([]float64, n)
	for i := range data {
		if data[i] = 4*g.r.Float64() - 1; g.r.IntN(6) == 0 {
			data[i] = math.MaxFloat64
		}
	}
	return g.span(ir.Span{Role: ir.RoleLogs, Len: n, Data: data})
}

func (g *generator) minSum() {
	if g.r.IntN(3) == 0 {
		g.envelope()
		return
	}
	s, size := &ir.MinSum{To: -1}, 1
	for i, v := range g.some(1 + g.r.IntN(3)) {
		a, in := ir.Axis{Var: v, Size: g.size[v]}, ir.NoSpan
		if g.r.IntN(3) == 0 {
			a.Kind = ir.AxisFixed
		} else if g.r.IntN(2) == 0 {
			s.To = i
		}
		if g.r.IntN(3) > 0 {
			in = g.someEnergies(v, 1)[0]
		}
		s.Axes, s.In = append(s.Axes, a), append(s.In, in)
		size *= a.Size
	}
	s.Table = g.energyTable(size)
	g.steps = append(g.steps, s)
	if s.To < 0 {
		s.Out = g.kept(1)
		return
	}
	to := s.Axes[s.To]
	s.Out = g.kept(to.Size)
	g.energies[to.Var] = append(g.energies[to.Var], s.Out)
}

// envelope adds a minimal sum by the distance between the states of two variables with equally
// many, if there are such. One of them may be fixed.
func (g *generator) envelope() {
	two := g.some(2)
	n := g.size[two[0]]
	if n < 2 || len(two) < 2 || g.size[two[1]] != n {
		return
	}
	s := &ir.MinSum{Axes: []ir.Axis{{Var: two[0], Size: n}, {Var: two[1], Size: n}}, To: g.r.IntN(2), Form: ir.FormPotts + ir.Form(g.r.IntN(3))}
	s.In = []ir.SpanID{ir.NoSpan, ir.NoSpan}
	s.In[1-s.To] = g.someEnergies(two[1-s.To], 1)[0]
	if g.r.IntN(3) == 0 {
		s.Axes[1-s.To].Kind = ir.AxisFixed
	}
	d := model.Pairwise{Metric: model.Metric(s.Form - ir.FormPotts), Weight: float64(1+g.r.IntN(20)) / 8, Cap: float64(g.r.IntN(2)) * 2.5}
	far := make([]float64, 2*n-1)
	for i := range far {
		far[i] = d.Energy(i, n-1)
	}
	s.Table = g.span(ir.Span{Role: ir.RoleLogs, Len: len(far), Data: far})
	s.Out = g.kept(n)
	g.energies[two[s.To]] = append(g.energies[two[s.To]], s.Out)
	g.steps = append(g.steps, s)
}

// sendMessages sends the energies of a variable to up to three factors.
func (g *generator) sendMessages(v model.VarID) {
	n := g.size[v]
	s := &ir.SendMessages{Base: g.someEnergies(v, 1)[0], Belief: g.kept(n), Alive: g.kept(1), Bound: ir.NoSpan, Residual: ir.NoSpan, Rate: ir.NoSpan, Share: [2]int32{0, 1}}
	for range g.r.IntN(4) {
		s.In = append(s.In, g.someEnergies(v, 1)[0])
		s.Out = append(s.Out, g.kept(n))
		s.Divide = append(s.Divide, int32(g.r.IntN(3)))
	}
	if g.r.IntN(2) == 0 {
		s.Bound, s.Share = g.kept(1), [2]int32{int32(g.r.IntN(3)), 3}
	}
	if g.r.IntN(3) > 0 {
		s.Residual = g.kept(1)
	}
	if s.Residual != ir.NoSpan && g.r.IntN(2) == 0 {
		s.Rate = g.span(ir.Span{Role: ir.RolePersistent, Len: 1})
		g.values[s.Rate] = []float64{[]float64{0, .25, .9}[g.r.IntN(3)]}
	}
	g.steps = append(g.steps, s)
	g.energies[v] = append(g.energies[v], s.Belief)
	g.energies[v] = append(g.energies[v], s.Out...)
}

func (g *generator) choose(v model.VarID) {
	s := &ir.Choose{Axis: ir.Axis{Var: v, Size: g.size[v]}, In: g.someEnergies(v, 3), Value: g.kept(1), Ties: g.kept(1), Belief: g.someEnergies(v, 1)[0]}
	s.Final = g.r.IntN(len(s.In) + 1)
	g.steps = append(g.steps, s)
}

// incumbent ends up to four rounds, and each chooses another state. The best states are undefined
// before the first.
func (g *generator) incumbent() {
	s := &ir.UpdateIncumbent{Best: g.span(ir.Span{Elem: ir.Int32, Role: ir.RolePersistent, Len: len(g.size)})}
	for i, x := range [...]float64{g.r.Float64(), -g.r.Float64(), 0, 0, -2, math.MaxFloat64, 0, 0} {
		*s.Run.All()[i] = g.kept(1, x)
	}
	g.steps = append(g.steps, s)
	for range g.r.IntN(4) {
		v := model.VarID(g.r.IntN(len(g.size)))
		c := &ir.Choose{Axis: ir.Axis{Var: v, Size: g.size[v]}, In: g.someEnergies(v, 1), Final: g.r.IntN(2), Value: s.Run.Value, Ties: g.kept(1), Belief: g.someEnergies(v, 1)[0]}
		total := &ir.Tally{Kind: ir.TallySum, Factor: .25, Total: s.Run.Bound, In: g.kept(1), Alive: ir.NoSpan, Ref: ir.NoSpan} // raises the bound
		g.steps = append(g.steps, c, total, s)
	}
}
