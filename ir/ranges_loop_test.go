package ir

import (
	"fmt"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
)

// meanOfRounds is a loop in which q(b), 20 states, starts as L(b) and moves to L(b) exp -energy(b),
// and every round sums Σb T(a,b)·q(b), 30 states of a.
func meanOfRounds() *Program {
	const (
		lb SpanID = iota
		table
		q
		next
		energy
		sum
		residual
		rate
		logP
		possible
	)
	span := func(role Role, n int) Span { return Span{Role: role, Len: n, Var: -1, Offset: -1} }
	a, b := Axis{Var: 0, Size: 30}, Axis{Var: 1, Size: 20}
	reduced := Axis{Var: 1, Size: 20, Kind: AxisReduced}
	view := func(id SpanID, stride ...int) View { return View{Span: id, Stride: stride} }
	p := &Program{State: NoSpan, Spans: []Span{span(RoleIn, 20), span(RoleConst, 600), span(RolePersistent, 20), span(RoleTemp, 20),
		span(RoleConst, 20), span(RoleOut, 30), span(RolePersistent, 1), span(RolePersistent, 1), span(RolePersistent, 1), span(RolePersistent, 1)}}
	p.Spans[lb].Var = 1
	p.Blocks = []Block{
		{Steps: []Step{&Contract{Axes: []Axis{b}, Out: view(q, 1), In: []View{view(lb, 1)}}, &Normalize{Span: q}}},
		{Steps: []Step{
			&Contract{Axes: []Axis{a, reduced}, Out: view(sum, 1, 0), In: []View{view(table, 20, 1), view(q, 0, 1)}, Reduce: ReduceSum},
			&Boltzmann{Out: next, Weight: lb, In: []SpanID{energy}},
			&Damp{Span: q, New: next, Rate: rate, Residual: residual},
		}},
	}
	p.Entries = []Entry{{Query: &Query{Name: "q", Kind: Beliefs, Targets: []model.VarID{0}}, Blocks: []int{0, 1}, Root: possible, Exp: NoSpan,
		Outs: []SpanID{sum}, Loop: &Loop{First: 1, End: 2, Residual: residual, Rate: rate, LogP: logP, Bound: NoSpan, Improper: NoSpan}}}
	return p
}

// In a loop, only reduced axes are narrowed, and only along tables that are zero in the states that
// evidence rules out, whichever step wrote them last.
func TestLoopRanges(t *testing.T) {
	all := func(_ int, _ *Contract, may []bool) []bool { return may }
	for _, tt := range []struct {
		name   string
		change func(p *Program)
		want   string
	}{
		{"as it is", func(*Program) {}, "[false true]"},
		{"a kept table that is not set first", func(p *Program) { p.Entries[0].Blocks, p.Entries[0].Loop.First, p.Entries[0].Loop.End = []int{1}, 0, 1 }, "[]"},
		{"a kept table of which a part is set first", func(p *Program) { p.Blocks[0].Steps[0].(*Contract).Axes[0].Size = 19 }, "[]"},
		{"an update without the likelihood", func(p *Program) { p.Blocks[1].Steps[1].(*Boltzmann).Weight = NoSpan }, "[]"},
		{"a start without the likelihood", func(p *Program) { p.Blocks[0].Steps[0].(*Contract).In[0].Span = 4 }, "[]"},
		{"a start at zero", func(p *Program) { p.Blocks[0].Steps[0] = &Zero{Span: 2} }, "[false true]"},
		{"a likelihood of another variable", func(p *Program) { p.Spans[0].Var = 0 }, "[]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := meanOfRounds()
			tt.change(p)
			c := p.Blocks[1].Steps[0].(*Contract)
			if got := fmt.Sprint(RangesOf(p, all).Narrowed(c)); got != tt.want {
				t.Errorf("narrowed along %s; want %s", got, tt.want)
			}
		})
	}
}
