package backendtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Time returns the time of each case as emitted by b, in nanoseconds.
func Time(t testing.TB, b backend.Backend, cases []Case) []float64 {
	t.Helper()
	m := newModule(t, b, cases)
	m.build(t)
	ns := make([]float64, len(cases))
	for i, word := range strings.Fields(string(m.output(t, "time"))) {
		if _, err := fmt.Sscan(word, &ns[i]); err != nil {
			t.Fatal(err)
		}
	}
	return ns
}

// BoundsChecks returns the lines in which the Go compiler reports bounds checks in the emitted
// cases.
func BoundsChecks(t testing.TB, b backend.Backend, cases []Case) []string {
	t.Helper()
	m := newModule(t, b, cases)
	var found []string
	for line := range strings.Lines(string(m.build(t, "-gcflags=emitted.test/...=-d=ssa/check_bce/debug=1"))) {
		if strings.Contains(line, "blocks.go") {
			found = append(found, strings.TrimSpace(line))
		}
	}
	return found
}

// Messages returns cases of one message each, as in clique trees of typical networks: from 16 to
// 65536 products, of variables with two, a few, and many states, some of them prime numbers.
func Messages() []Case {
	tests := []struct{ sizes, out []int }{
		{repeat(2, 4), []int{1, 2}},
		{repeat(2, 6), []int{0, 1, 2, 3}},
		{repeat(4, 3), []int{0, 2}},
		{repeat(2, 10), []int{0, 2, 3, 5, 6, 7, 8}},
		{repeat(4, 5), []int{0, 1, 3}},
		{repeat(3, 6), []int{1, 3, 4}},
		{[]int{3, 5, 3, 2, 4}, []int{4}},
		{[]int{3, 5, 3, 2, 4}, nil},
		{repeat(2, 16), []int{0, 1, 2, 4, 5, 6, 7, 9, 10, 11, 12, 14, 15}},
		{repeat(4, 8), []int{0, 1, 2, 5, 6, 7}},
		{repeat(4, 8), []int{0, 1}},
		{[]int{20, 20, 20, 7}, []int{0, 2}},
		{[]int{61, 31, 23}, []int{0, 2}},
		{[]int{61, 31, 23}, []int{0, 1}},
	}
	var cases []Case
	for _, r := range []ir.Reduce{ir.ReduceSum, ir.ReduceMax} {
		for _, tt := range tests {
			cases = append(cases, Message(tt.sizes, tt.out, r))
		}
	}
	return cases
}

func repeat(size, n int) []int { return slices.Repeat([]int{size}, n) }

// Message returns a case with one message of a clique tree: a table over variables of the given
// sizes, times a message over every second of them and a likelihood of the last, reduced to the
// variables of out. Its numbers are parameters, so that nothing folds.
func Message(sizes, out []int, reduce ir.Reduce) Case {
	g := &generator{r: rand.New(rand.NewPCG(1, 2)), size: sizes, p: &ir.Program{Name: "message"}}
	g.p.State = g.span(ir.Span{Elem: ir.Int32, Role: ir.RolePersistent, Len: len(sizes)})
	var clique, half, scope []model.VarID
	for v := range sizes { // in order, the last fastest
		clique = append(clique, model.VarID(v))
		if v%2 == 0 {
			half = append(half, model.VarID(v))
		}
	}
	for _, v := range out {
		scope = append(scope, model.VarID(v))
	}
	last := clique[len(clique)-1:]
	result := table{span: g.span(ir.Span{Role: ir.RolePersistent, Len: g.len(scope)}), scope: scope}
	in := []table{g.parameters(clique), g.parameters(half), {span: g.span(ir.Span{Role: ir.RoleIn, Len: g.len(last), Var: last[0]}), scope: last}}
	c := &ir.Contract{Reduce: reduce}
	for v, n := range sizes {
		kind := ir.AxisReduced
		if slices.Contains(out, v) {
			kind = ir.AxisOut
		}
		c.Axes = append(c.Axes, ir.Axis{Var: model.VarID(v), Size: n, Kind: kind})
	}
	c.Out = g.view(result, c.Axes)
	for _, t := range in {
		c.In = append(c.In, g.view(t, c.Axes))
	}
	g.p.Blocks = []ir.Block{{Name: "message", Steps: []ir.Step{c}}}
	g.p.Entries = []ir.Entry{{Query: &ir.Query{Name: "q", Kind: ir.LogProb}, Blocks: []int{0}, Root: ir.NoSpan, Exp: ir.NoSpan}}
	layOut(g.p)
	input := Input{Values: map[ir.SpanID][]float64{result.span: g.positive(g.len(scope)), in[2].span: g.positive(g.len(last))}, States: make([]int32, len(sizes))}
	return Case{Name: strings.ReplaceAll(fmt.Sprint(reduce, sizes, "to", out), " ", ","), Program: g.p, Inputs: []Input{input}}
}

func (g *generator) parameters(scope []model.VarID) table {
	return table{span: g.span(ir.Span{Role: ir.RoleParam, Len: g.len(scope), Data: g.positive(g.len(scope))}), scope: scope}
}

func (g *generator) positive(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = .1 + g.r.Float64()
	}
	return out
}
