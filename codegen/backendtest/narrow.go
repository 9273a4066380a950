package backendtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/vector"
)

// Narrowed returns cases of two messages, the second computed from the first, with a likelihood of
// each variable that leaves some of its states possible. Loops over these may be narrowed. The
// second message has its loops in another order and reads part of the first's skipped states. The
// first is rescaled, or it is laid out for vectors, with rows that are padded; some step then reads
// all of it.
func Narrowed() []Case {
	tests := []struct{ sizes, out []int }{
		{repeat(2, 10), []int{0, 2, 3, 5, 6, 7, 8}},
		{repeat(3, 7), []int{1, 3, 4}},
		{repeat(4, 6), []int{0, 1, 2, 5}},
		{repeat(3, 7), []int{0, 1, 2, 3, 4, 5}},
		{[]int{20, 20, 7}, []int{0, 2}},
		{[]int{61, 31}, []int{0}},
		{[]int{61, 31}, []int{1}},
		{[]int{23, 8, 17}, []int{0, 1}},
		{[]int{5, 67, 4}, []int{0, 1}},
		{[]int{5, 2, 67, 4}, []int{1, 2}},
	}
	var cases []Case
	for i, r := range []ir.Reduce{ir.ReduceSum, ir.ReduceMax} {
		for k, tt := range tests {
			for _, padded := range []bool{false, true} {
				cases = append(cases, narrowed(rand.New(rand.NewPCG(uint64(i), uint64(k))), tt.sizes, tt.out, r, padded))
			}
		}
	}
	return cases
}

// narrowed returns one of the cases: a table times likelihoods reduced to out and rescaled, then
// that times another table reduced to one variable. If the rows of the first are padded, the second
// has no likelihoods, so that it reads all of the first.
func narrowed(r *rand.Rand, sizes, out []int, reduce ir.Reduce, padded bool) Case {
	g := &generator{r: r, size: sizes, p: &ir.Program{Name: "narrowed"}, vectors: padded}
	if padded {
		g.p.Align = vector.Lanes
	}
	g.p.State = g.span(ir.Span{Elem: ir.Int32, Role: ir.RolePersistent, Len: len(sizes)})
	g.exp = g.span(ir.Span{Elem: ir.Int32, Role: ir.RoleTemp, Len: 1})
	var all, scope []model.VarID
	var in []table
	for v, n := range sizes {
		all = append(all, model.VarID(v))
		in = append(in, table{span: g.span(ir.Span{Role: ir.RoleIn, Len: n, Var: model.VarID(v)}), scope: all[v : v+1]})
	}
	for _, v := range out {
		scope = append(scope, model.VarID(v))
	}
	likelihoods := slices.Clone(in)
	first := g.temporary(scope)
	answer := table{span: g.span(ir.Span{Role: ir.RoleOut, Len: g.len(scope[:1]), Var: scope[0]}), scope: scope[:1]}
	root := table{span: g.span(ir.Span{Role: ir.RoleTemp, Len: 1})}
	g.steps = append(g.steps, &ir.Zero{Span: g.exp})
	g.message(first, append(in, g.parameters(all)), reduce)
	further := slices.Clip(likelihoods)
	if padded {
		further = nil
	} else {
		g.steps = append(g.steps, &ir.Rescale{Span: first.span, Exp: g.exp})
	}
	turned := slices.Clone(all)
	slices.Reverse(turned)
	g.message(answer, append(further, first, g.parameters(turned)), reduce)
	g.message(root, []table{answer}, reduce)
	g.p.Blocks = []ir.Block{{Name: "messages", Steps: g.steps}}
	g.p.Entries = []ir.Entry{{Query: &ir.Query{Name: "q", Kind: ir.Posterior, Targets: scope[:1]}, Blocks: []int{0}, Root: root.span, Exp: g.exp, Outs: []ir.SpanID{answer.span}}}
	layOut(g.p)
	c := Case{Name: strings.ReplaceAll(fmt.Sprint("narrowed ", reduce, sizes, "to", out, " padded ", padded), " ", ","), Program: g.p}
	for range 20 {
		input := Input{Values: map[ir.SpanID][]float64{}, States: make([]int32, len(sizes))}
		for _, t := range likelihoods {
			input.Values[t.span] = g.leaving(g.len(t.scope))
		}
		c.Inputs = append(c.Inputs, input)
	}
	return c
}

// message contracts in to out, reducing over all other variables.
func (g *generator) message(out table, in []table, reduce ir.Reduce) {
	c := &ir.Contract{Reduce: reduce}
	for v, n := range g.size {
		has := func(t table) bool { return slices.Contains(t.scope, model.VarID(v)) }
		kind := ir.AxisReduced
		if has(out) {
			kind = ir.AxisOut
		}
		if slices.ContainsFunc(in, has) {
			c.Axes = append(c.Axes, ir.Axis{Var: model.VarID(v), Size: n, Kind: kind})
		}
	}
	c.Out = g.view(out, c.Axes)
	for _, t := range in {
		c.In = append(c.In, g.view(t, c.Axes))
	}
	g.steps = append(g.steps, c)
}

// leaving returns a likelihood that leaves all of n states possible, one, some, or rarely none.
func (g *generator) leaving(n int) []float64 {
	l := make([]float64, n)
	first, end := 0, n
	switch k := g.r.IntN(16); {
	case k < 6:
		first = g.r.IntN(n)
		end = first + 1
	case k < 10:
		first = g.r.IntN(n)
		end = first + g.r.IntN(n-first) + 1
	case k == 10:
		end = 0
	}
	for i := first; i < end; i++ {
		l[i] = g.r.Float64()
	}
	return l
}
