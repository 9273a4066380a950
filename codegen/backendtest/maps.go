package backendtest

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// RandomMaps returns n programs made from seed that include the steps on numbers of either sign.
func RandomMaps(n int, seed uint64) []Case {
	return random("random map", n, seed, 2, func(g *generator) { g.more = g.mapStep })
}

// mapStep adds a map of numbers with logarithms in a table, or of random numbers.
func (g *generator) mapStep() {
	if kind := g.r.IntN(8); !g.plain && kind < 3 {
		[]func(){g.antilog, g.antilog, g.noise}[kind]()
		return
	}
	s := &ir.Map{Consts: []float64{0, 1000, .5, -2}}
	in, out := g.operands(ir.NoSpan), g.scope(3)
	s.Axes = g.mapAxes(in, out)
	for _, t := range in {
		s.In = append(s.In, ir.MapView{View: g.view(t, s.Axes)})
	}
	result := g.proper
	if g.code(s); g.plain {
		result = g.share
	}
	parts, n := 1+g.r.IntN(2), g.len(out)
	whole := table{span: g.span(ir.Span{Role: ir.RoleTemp, Len: parts * n}), scope: out}
	for k := range parts {
		s.Out = append(s.Out, ir.MapView{View: g.view(whole, s.Axes), At: k * n})
		s.Set = append(s.Set, result(s))
	}
	s.Scratch = g.span(ir.Span{Role: ir.RoleTemp})
	g.p.Spans[s.Scratch].Len = max(1, s.ScratchLen())
	g.steps = append(g.steps, s)
	if parts == 1 {
		g.tables = append(g.tables, whole)
		return
	}
	sum := table{span: g.span(ir.Span{Role: ir.RoleTemp, Len: n}), scope: out} // a table of both parts
	second := &ir.Map{Axes: s.Axes, In: s.Out, Code: []ir.Instr{{Op: circuit.Sum, A: 0, B: 1}}, Set: []int32{2}, Out: []ir.MapView{{View: g.view(sum, s.Axes)}}}
	second.Axes = slices.DeleteFunc(slices.Clone(s.Axes), func(a ir.Axis) bool { return !slices.Contains(out, a.Var) })
	second.In = []ir.MapView{{View: g.view(whole, second.Axes)}, {View: g.view(whole, second.Axes), At: n}}
	second.Out[0].View = g.view(sum, second.Axes)
	second.Scratch = g.span(ir.Span{Role: ir.RoleTemp, Len: 1})
	g.p.Spans[second.Scratch].Len = second.ScratchLen()
	g.steps = append(g.steps, second)
	g.tables = append(g.tables, sum)
}

// mapAxes returns the axes of a map: the axes of its result, and others that are reduced or fixed.
func (g *generator) mapAxes(in []table, out []model.VarID) (axes []ir.Axis) {
	seen := map[model.VarID]bool{}
	add := func(v model.VarID, kind ir.AxisKind) {
		if !seen[v] {
			seen[v] = true
			axes = append(axes, ir.Axis{Var: v, Size: g.size[v], Kind: kind})
		}
	}
	for _, v := range out {
		add(v, ir.AxisOut)
	}
	for _, t := range in {
		for _, v := range t.scope {
			kind := []ir.AxisKind{ir.AxisReduced, ir.AxisReduced, ir.AxisFixed}[g.r.IntN(3)]
			if g.plain {
				kind = ir.AxisReduced
			}
			add(v, kind)
		}
	}
	g.r.Shuffle(len(axes), func(i, j int) { axes[i], axes[j] = axes[j], axes[i] })
	return axes
}

// code adds random instructions with finite results.
func (g *generator) code(s *ir.Map) {
	if g.plain {
		g.arithmetic(s)
		return
	}
	value := func() int32 { return int32(g.r.IntN(s.Values())) }
	for range g.r.IntN(12) {
		op := []circuit.Op{circuit.Sum, circuit.Prod, circuit.Max, circuit.Min, circuit.Sub, circuit.Ratio, circuit.Sqrt, circuit.Exp, circuit.Log, circuit.Quot,
			circuit.Pow, circuit.Atan2, circuit.Sin, circuit.Cos, circuit.Tanh}[g.r.IntN(15)]
		a, b := value(), value()
		switch op {
		case circuit.Sqrt, circuit.Exp, circuit.Log, circuit.Quot, circuit.Pow:
			a = g.proper(s)
			a = g.instr(s, circuit.Min, a, int32(len(s.In))+2) // at most .5
			b = g.instr(s, circuit.Sum, a, int32(len(s.In))+2) // from .5 to 1
			a = map[bool]int32{true: b, false: a}[op >= circuit.Sqrt]
		}
		g.instr(s, op, a, b)
	}
}

func (g *generator) instr(s *ir.Map, op circuit.Op, a, b int32) int32 {
	s.Code = append(s.Code, ir.Instr{Op: op, A: a, B: b})
	return int32(s.Values() - 1)
}

// proper returns a value from 0 to 1000.
func (g *generator) proper(s *ir.Map) int32 {
	zero := int32(len(s.In))
	v := g.instr(s, circuit.Max, int32(g.r.IntN(s.Values())), zero)
	return g.instr(s, circuit.Min, v, zero+1)
}

// antilog takes the numbers of a table for logarithms.
func (g *generator) antilog() {
	t := g.tables[g.r.IntN(len(g.tables))]
	like := g.like(t)
	if len(like) == 0 {
		return
	}
	out := table{span: g.span(ir.Span{Role: ir.RoleTemp, Len: g.len(t.scope)}), scope: t.scope}
	most := table{span: g.span(ir.Span{Role: ir.RoleTemp, Len: 1})}
	g.steps = append(g.steps, &ir.Antilog{Out: out.span, Most: most.span, In: t.span, Weight: like[g.r.IntN(len(like))].span})
	g.tables = append(g.tables, out, most)
}

// noise adds the positive parts of normal draws.
func (g *generator) noise() {
	scope := g.scope(2)
	draws := table{span: g.span(ir.Span{Role: ir.RoleTemp, Len: g.len(scope)}), scope: scope}
	out := table{span: g.span(ir.Span{Role: ir.RoleTemp, Len: g.len(scope)}), scope: scope}
	s := &ir.Map{Consts: []float64{0}, Code: []ir.Instr{{Op: circuit.Max, A: 0, B: 1}}, Set: []int32{2}}
	for _, v := range scope {
		s.Axes = append(s.Axes, ir.Axis{Var: v, Size: g.size[v], Kind: ir.AxisOut})
	}
	s.In, s.Out = []ir.MapView{{View: g.view(draws, s.Axes)}}, []ir.MapView{{View: g.view(out, s.Axes)}}
	s.Scratch = g.span(ir.Span{Role: ir.RoleTemp})
	g.p.Spans[s.Scratch].Len = s.ScratchLen()
	step := &ir.Noise{Out: draws.span}
	if g.r.IntN(2) == 0 { // some numbers are known
		for range g.p.Spans[draws.span].Len {
			id := ir.NoSpan
			if g.r.IntN(3) > 0 {
				id = g.tables[g.r.IntN(len(g.tables))].span
			}
			step.Known = append(step.Known, id)
		}
	}
	g.steps = append(g.steps, step, s)
	g.tables = append(g.tables, out)
}
