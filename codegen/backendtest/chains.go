package backendtest

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// RandomChains returns n programs made from seed that include the steps of samplers and searches.
// The steps run once, since the order of sweeps and trials does not concern back-ends.
func RandomChains(n int, seed uint64) []Case {
	cases := random("random chain", n, seed, 2, func(g *generator) { g.more = g.chainStep })
	return differ(cases)
}

// differ marks the programs as having steps that subtract.
func differ(cases []Case) []Case {
	for i := range cases {
		cases[i].Differs = true
	}
	return cases
}

// chainStep adds one step or a few that belong together.
func (g *generator) chainStep() {
	switch g.r.IntN(7) {
	case 0, 1:
		g.resample()
	case 2:
		g.findStart()
	case 3:
		g.updateStats()
	default:
		g.trial()
	}
}

// kept returns a span of n numbers that is kept between runs, with its initial values, which are
// random if values is empty.
func (g *generator) kept(n int, values ...float64) ir.SpanID {
	id := g.span(ir.Span{Role: ir.RolePersistent, Len: n})
	if len(values) > 0 {
		g.values[id] = values
	}
	return id
}

// some returns n different variables.
func (g *generator) some(n int) []model.VarID {
	var vars []model.VarID
	for _, v := range g.r.Perm(len(g.size))[:min(n, len(g.size))] {
		vars = append(vars, model.VarID(v))
	}
	return vars
}

// row returns the weights of some variables given others: a few tables and trees of numbers, or of
// logarithms.
func (g *generator) row(drawn []model.VarID, logs bool) ir.Row {
	var in []table
	for range 1 + g.r.IntN(2) {
		if logs {
			in = append(in, g.logarithms(g.scope(3)))
		} else {
			in = append(in, g.operands(ir.NoSpan)...)
		}
	}
	var r ir.Row
	add := func(v model.VarID, kind ir.AxisKind) {
		if !slices.ContainsFunc(r.Axes, func(a ir.Axis) bool { return a.Var == v }) {
			r.Axes = append(r.Axes, ir.Axis{Var: v, Size: g.size[v], Kind: kind})
		}
	}
	for _, v := range drawn {
		add(v, ir.AxisOut)
	}
	for _, t := range in {
		for _, v := range t.scope {
			add(v, ir.AxisFixed)
		}
	}
	for _, t := range in {
		r.In = append(r.In, g.view(t, r.Axes))
	}
	for range g.r.IntN(3) {
		r.Trees = append(r.Trees, g.decisionTree(r.Axes, logs))
	}
	return r
}

// logarithms returns a table of logarithms, one in ten of them the logarithm of 0.
func (g *generator) logarithms(scope []model.VarID) table {
	data := make([]float64, g.len(scope))
	for i := range data {
		if data[i] = 2*g.r.Float64() - 1.5; g.r.IntN(10) == 0 {
			data[i] = ir.LogZero
		}
	}
	return table{span: g.span(ir.Span{Role: ir.RoleLogs, Len: len(data), Data: data}), scope: scope}
}

// decisionTree returns a tree that tests up to two of the axes.
func (g *generator) decisionTree(axes []ir.Axis, logs bool) ir.TreeView {
	t, leaf := ir.TreeView{Child: -1}, 1
	if g.r.IntN(2) == 0 {
		a := axes[g.r.IntN(len(axes))]
		t.Child, leaf = a.Var, a.Size
	}
	leaves, nodes := 0, g.r.Perm(len(axes))[:g.r.IntN(min(2, len(axes))+1)]
	for i, k := range nodes {
		n := ir.TreeTest{Var: axes[k].Var}
		for range axes[k].Size {
			n.Next = append(n.Next, int32(-1-leaves*leaf))
			leaves++
		}
		if i+1 < len(nodes) { // one of the states leads to the next test
			n.Next[g.r.IntN(len(n.Next))] = int32(i + 1)
		}
		t.Nodes = append(t.Nodes, n)
	}
	scope := table{}
	if logs {
		scope = g.logarithms(nil)
		s := &g.p.Spans[scope.span]
		s.Len = max(1, leaves) * leaf
		s.Data = nil
		for range s.Len {
			s.Data = append(s.Data, -g.r.Float64())
		}
		t.Leaves = scope.span
		return t
	}
	n := max(1, leaves) * leaf
	t.Leaves = g.span(ir.Span{Role: ir.RoleParam, Len: n, Data: g.numbers(n)})
	return t
}

// weights returns memory for the weights of a row.
func (g *generator) weights(r *ir.Row) ir.SpanID {
	_, states := r.Drawn()
	return g.span(ir.Span{Role: ir.RoleTemp, Len: states})
}

func (g *generator) resample() {
	vars := g.some(1 + g.r.IntN(2)*g.r.IntN(3))
	s := &ir.Resample{Row: g.row(vars, false), Scaled: g.r.IntN(2) == 0}
	s.Weights = g.weights(&s.Row)
	for _, v := range vars {
		tally := ir.NoSpan
		if g.r.IntN(4) > 0 {
			tally = g.kept(g.size[v])
		}
		s.Tallies = append(s.Tallies, tally)
	}
	g.steps = append(g.steps, s)
}

// findStart adds a search for a starting state over some variables. Each may backtrack to any
// earlier one.
func (g *generator) findStart() {
	s := &ir.FindStart{Outcome: g.kept(1)}
	for i, v := range g.some(4) {
		l := ir.StartLevel{Row: g.row([]model.VarID{v}, false), Back: g.r.IntN(i+1) - 1}
		l.Weights = g.weights(&l.Row)
		s.Levels = append(s.Levels, l)
	}
	g.steps = append(g.steps, s)
}

// updateStats adds some steps of the statistics of one variable, which has two states or is real.
func (g *generator) updateStats() {
	s := ir.UpdateStats{}
	for _, id := range s.Stats.All() {
		*id = g.kept(2)
	}
	for i, x := range [...]float64{.5, float64(1 + g.r.IntN(3)), float64(1 + g.r.IntN(3)), 1, math.Inf(1), 0} {
		*s.Run.All()[i] = g.kept(1, x)
	}
	for range 1 + g.r.IntN(4) {
		step := s
		step.Kind = ir.StatsKind(g.r.IntN(int(ir.StatsRunReal) + 1))
		if g.r.IntN(4) > 0 && step.Kind == ir.StatsClear {
			step.Kind = ir.StatsRun
		}
		g.steps = append(g.steps, &step)
	}
}

// trial adds a step of trials, or a few that belong together.
func (g *generator) trial() {
	s := &ir.Trial{Kind: ir.TrialKind(g.r.IntN(int(ir.RestoreBest) + 1))}
	for i, x := range [...]float64{
		[]float64{0, .5, 2, math.Inf(1)}[g.r.IntN(4)], // inverse temperature
		[]float64{-1, -2, ir.LogZero}[g.r.IntN(3)],    // weight
		-3, []float64{math.Inf(-1), -1.5}[g.r.IntN(2)], // score, and best score
		[]float64{0, 3}[g.r.IntN(2)], 5, 0, 0, // total or tenure, squares, moves, error
	} {
		*s.Run.All()[i] = g.kept(1, x)
	}
	vars := g.some(1 + g.r.IntN(3))
	switch s.Kind {
	case ir.DrawForward, ir.AddScore, ir.RejectZero, ir.DrawTempered, ir.TabuMove:
		g.trialLevels(s, vars)
	default:
		g.trialLists(s, vars)
	}
	g.steps = append(g.steps, s)
	switch s.Kind {
	case ir.TabuMove: // rows are kept between moves
		g.steps = append(g.steps, s, s)
	case ir.KeepBest:
		restore := *s
		restore.Kind = ir.RestoreBest
		g.steps = append(g.steps, &restore)
	case ir.AddWeight:
		last := *s
		last.Kind = ir.MeasureError
		g.steps = append(g.steps, s, &last)
	}
}

// trialLevels gives s a level for each variable. Any level may depend on any other.
func (g *generator) trialLevels(s *ir.Trial, vars []model.VarID) {
	for i, v := range vars {
		l := ir.TrialLevel{Row: g.row([]model.VarID{v}, s.Kind != ir.DrawForward)}
		l.Weights = g.weights(&l.Row)
		for k := range vars {
			l.Near = append(l.Near, int32(k))
		}
		s.Levels = append(s.Levels, l)
		if s.Kind == ir.TabuMove {
			s.Vars, s.First, s.Second = append(s.Vars, v), append(s.First, g.kept(g.size[vars[i]])), append(s.Second, ir.NoSpan)
		}
	}
}

// trialLists gives s its spans for each variable.
func (g *generator) trialLists(s *ir.Trial, vars []model.VarID) {
	s.Vars = vars
	for _, v := range vars {
		first, second := ir.NoSpan, ir.NoSpan
		switch s.Kind {
		case ir.KeepBest, ir.RestoreBest:
			first = g.kept(1, float64(g.r.IntN(g.size[v])))
		default:
			first, second = g.kept(g.size[v]), g.kept(g.size[v])
		}
		s.First, s.Second = append(s.First, first), append(s.Second, second)
	}
}
