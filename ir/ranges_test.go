package ir

import (
	"fmt"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
)

// twoMessages is out(a) = Σb L(b)·up(a,b), up(a,b) = Σc T(a,b,c)·L(c), times L(a) at the end: 30
// states of a, 20 of b, 10 of c.
func twoMessages() *Program {
	const (
		la SpanID = iota
		lb
		lc
		table
		up
		out
		root
	)
	span := func(role Role, v model.VarID, n int) Span { return Span{Role: role, Len: n, Var: v, Offset: -1} }
	a, b, c := Axis{Var: 0, Size: 30}, Axis{Var: 1, Size: 20}, Axis{Var: 2, Size: 10}
	reduced := func(a Axis) Axis { a.Kind = AxisReduced; return a }
	view := func(id SpanID, stride ...int) View { return View{Span: id, Stride: stride} }
	p := &Program{State: NoSpan, Spans: []Span{
		span(RoleIn, 0, 30), span(RoleIn, 1, 20), span(RoleIn, 2, 10), span(RoleConst, -1, 6000), span(RoleTemp, -1, 600),
		span(RoleOut, 0, 30), span(RoleTemp, -1, 1),
	}}
	p.Spans[table].Data = make([]float64, 6000)
	p.Blocks = []Block{{Steps: []Step{
		&Contract{Axes: []Axis{a, b, reduced(c)}, Out: view(up, 20, 1, 0), In: []View{view(table, 200, 10, 1), view(lc, 0, 0, 1)}, Reduce: ReduceSum},
		&Contract{Axes: []Axis{a, reduced(b)}, Out: view(out, 1, 0), In: []View{view(up, 20, 1), view(lb, 0, 1), view(la, 1, 0)}, Reduce: ReduceSum},
		&Contract{Axes: []Axis{reduced(a)}, Out: view(root, 0), In: []View{view(out, 1)}, Reduce: ReduceSum},
		&Normalize{Span: out},
	}}}
	p.Entries = []Entry{{Query: &Query{Name: "a", Kind: Posterior, Targets: []model.VarID{0}}, Blocks: []int{0}, Root: root, Exp: NoSpan, Outs: []SpanID{out}}}
	return p
}

func step(p *Program, i int) *Contract { return p.Blocks[0].Steps[i].(*Contract) }

// The likelihoods decide which loops may be narrowed. The strings list the narrowed axes of the two
// large contractions, and the axes beyond whose remaining states, of a and of b, the first result
// must be zero.
func TestRanges(t *testing.T) {
	exactly := func(_ int, _ *Contract, may []bool) []bool { return may }
	for _, tt := range []struct {
		name   string
		change func(p *Program)
		narrow func(block int, c *Contract, may []bool) []bool
		want   string
	}{
		// L(a) comes only with the second message, yet nobody else looks at the first.
		{"as it is", func(*Program) {}, exactly, "[true true true] [true true] false false"},
		{"a reader that narrows nothing", func(*Program) {}, func(_ int, c *Contract, may []bool) []bool {
			if len(may) == 2 {
				return []bool{false, false}
			}
			return may
		}, "[true true true] [true true] true true"},
		{"a block that narrows nothing", func(*Program) {}, func(_ int, c *Contract, may []bool) []bool {
			if len(may) == 2 {
				return nil
			}
			return may
		}, "[true true true] [] true true"},
		// Then Σb is over all states.
		{"no likelihood of b", func(p *Program) { step(p, 1).In = slices.Delete(step(p, 1).In, 1, 2) }, exactly, "[true false true] [true false] false true"},
		{"no likelihood of c", func(p *Program) { step(p, 0).In = step(p, 0).In[:1] }, exactly, "[true true false] [true true] false false"},
		// A posterior without its likelihood has numbers everywhere.
		{"no likelihood of a", func(p *Program) { step(p, 1).In = step(p, 1).In[:2] }, exactly, "[false true true] [false true] true false"},
		{"the first message is kept", func(p *Program) { p.Spans[4].Role = RolePersistent }, exactly, "[false false true] [true true] true true"},
		{"the first message is normalised", func(p *Program) {
			p.Blocks[0].Steps = slices.Insert(p.Blocks[0].Steps, 1, Step(&Normalize{Span: 4}))
		}, exactly, "[false false true] - true true"},
		// Rescaling looks at the block of a, whose states come one after the other, and at all of b
		// in it.
		{"the first message is rescaled", func(p *Program) {
			p.Blocks[0].Steps = slices.Insert(p.Blocks[0].Steps, 1, Step(&Rescale{Span: 4, Exp: NoSpan}))
		}, func(_ int, c *Contract, may []bool) []bool {
			if len(may) == 3 {
				return []bool{true, false, false}
			}
			return may
		}, "[true true true] - false true"},
		{"a state is fixed", func(p *Program) { step(p, 0).Axes[2].Kind = AxisFixed }, exactly, "[] [true true] false false"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := twoMessages()
			tt.change(p)
			r := RangesOf(p, tt.narrow)
			second := "-"
			if c, ok := p.Blocks[0].Steps[1].(*Contract); ok {
				second = fmt.Sprint(r.Narrowed(c))
			}
			if got := fmt.Sprint(r.Narrowed(step(p, 0)), " ", second, " ", r.SeenWhole(4, 0), " ", r.SeenWhole(4, 1)); got != tt.want {
				t.Errorf("got %s; want %s", got, tt.want)
			}
		})
	}
}

// Programs in which a table is made twice, or blocks run in another order than they stand, are left
// alone; and a nil Ranges narrows nothing.
func TestNoRanges(t *testing.T) {
	all := func(_ int, _ *Contract, may []bool) []bool { return may }
	twice, turned := twoMessages(), twoMessages()
	twice.Blocks[0].Steps = append(twice.Blocks[0].Steps, twice.Blocks[0].Steps[0])
	turned.Blocks = append(turned.Blocks, Block{})
	turned.Entries[0].Blocks = []int{1, 0}
	for name, p := range map[string]*Program{"twice": twice, "turned": turned} {
		if r := RangesOf(p, all); r != nil {
			t.Errorf("%s: %d variables; want none", name, len(r.Vars()))
		}
	}
	var r *Ranges
	if r.Ints() != 0 || r.Place(0) != -1 || r.Narrowed(step(twice, 0)) != nil || r.Maker(4) != nil {
		t.Error("the nil Ranges narrows a loop")
	}
}

// Blocks of different entries may write a table. It then counts as read whole, whichever entry
// runs, and nothing else changes. An entry that runs both, or reads the table before it sets it,
// leaves all loops alone.
func TestRangesOfEntries(t *testing.T) {
	all := func(_ int, _ *Contract, may []bool) []bool { return may }
	build := func(first, second []int) *Program {
		p := twoMessages()
		steps := p.Blocks[0].Steps
		again := *steps[1].(*Contract)
		other := p.Entries[0]
		p.Blocks = []Block{{Steps: steps[:1]}, {Steps: steps[1:]}, {Steps: []Step{&again, steps[2]}}, {Steps: []Step{&Normalize{Span: 5}}}}
		p.Entries[0].Blocks, other.Blocks = first, second
		p.Entries = append(p.Entries, other)
		return p
	}
	p := build([]int{0, 1}, []int{0, 2, 3})
	r := RangesOf(p, all)
	for k, want := range []string{"[true true true]", "[true true]", "[true true]"} {
		if got := fmt.Sprint(r.Narrowed(p.Blocks[k].Steps[0].(*Contract))); got != want {
			t.Errorf("block %d is narrowed along %s; want %s", k, got, want)
		}
	}
	if r.SeenWhole(4, 0) || !r.SeenWhole(5, 0) || r.Maker(4) == nil || r.Maker(5) != nil {
		t.Errorf("message and answer are seen whole: %v, %v; want false, true", r.SeenWhole(4, 0), r.SeenWhole(5, 0))
	}
	for name, p := range map[string]*Program{"both": build([]int{0, 1}, []int{0, 1, 2}), "stale": build([]int{0, 1}, []int{0, 3})} {
		if r := RangesOf(p, all); r != nil {
			t.Errorf("%s: %d variables; want none", name, len(r.Vars()))
		}
	}
}

// Places are pairs, one after the other; the result's blocks are those of the slow axes that are
// narrowed exactly.
func TestRangesPlaces(t *testing.T) {
	p := twoMessages()
	r := RangesOf(p, func(_ int, c *Contract, may []bool) []bool { return []bool{true, false, true}[:len(may)] })
	if got := fmt.Sprint(r.Vars(), r.Place(0), r.Place(1), r.Place(2), r.Place(3), r.Ints()); got != "[0 1 2] 0 2 4 -1 6" {
		t.Errorf("places are %s", got)
	}
	loops, size := r.Blocks(step(p, 0))
	if fmt.Sprint(loops, size) != "[0] 20" || r.Maker(4) != step(p, 0) || r.Input(2) != 2 {
		t.Errorf("blocks by axes %v, of %d; want a's, of 20", loops, size)
	}
	step(p, 0).Out.Stride = []int{24, 1, 0} // rows of 20 numbers, padded to 24
	p.Spans[4].Len = 30 * 24
	if loops, size = r.Blocks(step(p, 0)); loops != nil || size != 29*24+20 {
		t.Errorf("padded rows are blocks by axes %v, of %d; want one block of %d", loops, size, 29*24+20)
	}
}
