package tape_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/codegen/internal/tape"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/assemble"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// builder makes random programs of one block with all kinds of step, laid out.
type builder struct {
	r *rand.Rand
	p *ir.Program
	m *model.Model
}

func randomProgram(r *rand.Rand) (*ir.Program, *model.Model) {
	b := &builder{r, &ir.Program{Name: "random"}, &model.Model{Name: "random"}}
	for i := range 2 + r.IntN(5) {
		b.m.NewVar(fmt.Sprint("x", i), strings.Split("abcde", "")[:1+r.IntN(5)]...)
	}
	b.p.State = b.span(ir.Span{Elem: ir.Int32, Role: ir.RolePersistent, Len: len(b.m.Vars), Var: -1})
	exp := b.span(ir.Span{Elem: ir.Int32, Role: ir.RoleTemp, Len: 1, Var: -1})
	steps := []ir.Step{&ir.Zero{Span: exp}}
	for range 8 {
		c := b.contract()
		out := c.Out.Span
		steps = append(steps, &ir.Zero{Span: out}, c, &ir.Rescale{Span: out, Exp: []ir.SpanID{exp, ir.NoSpan}[r.IntN(2)]})
		if r.IntN(2) == 0 {
			steps = append(steps, &ir.Normalize{Span: out})
		}
		steps = append(steps, b.pick(), b.lookup())
	}
	root := b.span(ir.Span{Role: ir.RoleTemp, Len: 1, Var: -1})
	steps = append(steps, &ir.Contract{Out: ir.View{Span: root}})
	b.p.Blocks = []ir.Block{{Name: "all", Steps: steps}}
	b.p.Entries = []ir.Entry{{Query: &ir.Query{Name: "q"}, Blocks: []int{0}, Root: root, Exp: exp}}
	return b.p, b.m
}

func (b *builder) span(s ir.Span) ir.SpanID {
	size := &b.p.Work
	switch {
	case s.Elem == ir.Int32:
		size = &b.p.Ints
	case s.ReadOnly():
		size = &b.p.Data
		for range s.Len {
			s.Data = append(s.Data, b.r.Float64()*float64(b.r.IntN(4)))
		}
	}
	s.Offset = *size
	*size += s.Len
	b.p.Spans = append(b.p.Spans, s)
	return ir.SpanID(len(b.p.Spans) - 1)
}

// axes returns all variables in random order, fixed with probability 1/4.
func (b *builder) axes() []ir.Axis {
	var axes []ir.Axis
	for _, v := range b.r.Perm(len(b.m.Vars)) {
		a := ir.Axis{Var: model.VarID(v), Size: b.m.Card(model.VarID(v)), Kind: ir.AxisKind(b.r.IntN(2))}
		if b.r.IntN(4) == 0 {
			a.Kind = ir.AxisFixed
		}
		axes = append(axes, a)
	}
	return axes
}

// view returns a new table with the axes that has selects.
func (b *builder) view(role ir.Role, axes []ir.Axis, has func(ir.Axis) bool) ir.View {
	v, size := ir.View{Stride: make([]int, len(axes))}, 1
	for i := len(axes) - 1; i >= 0; i-- {
		if has(axes[i]) {
			v.Stride[i] = size
			size *= axes[i].Size
		}
	}
	v.Span = b.span(ir.Span{Role: role, Len: size, Var: -1})
	return v
}

func (b *builder) views(axes []ir.Axis) (views []ir.View) {
	for range b.r.IntN(5) {
		views = append(views, b.view(ir.RoleConst+ir.Role(b.r.IntN(2)), axes, func(ir.Axis) bool { return b.r.IntN(2) == 0 }))
	}
	return views
}

func (b *builder) contract() *ir.Contract {
	c := &ir.Contract{Axes: b.axes(), Reduce: ir.ReduceSum + ir.Reduce(b.r.IntN(2))}
	c.Out = b.view(ir.RoleTemp, c.Axes, func(a ir.Axis) bool { return a.Kind == ir.AxisOut })
	c.In = b.views(c.Axes)
	return c
}

func (b *builder) pick() *ir.Pick {
	axes := b.axes()
	axes[0].Kind = ir.AxisOut
	for i := range axes[1:] {
		axes[1+i].Kind = ir.AxisFixed
	}
	return &ir.Pick{Axes: axes, In: b.views(axes), Mode: ir.PickMode(b.r.IntN(2))}
}

func (b *builder) lookup() *ir.Lookup {
	axes, rows, n := b.axes(), 1, 1+b.r.IntN(4)
	for i := range axes {
		axes[i].Kind = ir.AxisFixed
		rows *= axes[i].Size
	}
	return &ir.Lookup{
		Axes:  axes,
		Out:   b.span(ir.Span{Role: ir.RoleTemp, Len: n, Var: -1}),
		Table: b.span(ir.Span{Role: ir.RoleConst, Len: rows * n, Var: -1}),
	}
}

// TestTapeAgreesWithEval checks that the tape leaves the same memory as the interpreter, bit for
// bit, since they share their kernels.
func TestTapeAgreesWithEval(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for round := range 300 {
		p, m := randomProgram(r)
		machine := eval.New(p, m)
		if err := machine.Run(&p.Entries[0]); err != nil {
			t.Fatal(err)
		}
		block, err := assemble.LaidOut(p, nil).Block(&p.Blocks[0])
		if err != nil {
			t.Fatal(err)
		}
		code := block.Words
		s, data, ints := make([]float64, p.Work), make([]float64, p.Data), make([]int32, p.Ints)
		for _, span := range p.Spans {
			copy(data[min(span.Offset, p.Data):], span.Data)
		}
		rng := pgmrt.NewRand(0)
		pgmrt.RunTape(code, s, data, ints, rng)
		for i := range p.Spans {
			id, span := ir.SpanID(i), &p.Spans[i]
			switch {
			case span.Elem == ir.Int32:
				if got, want := fmt.Sprint(ints[span.Offset:][:span.Len]), fmt.Sprint(machine.Ints(id)); got != want {
					t.Fatalf("round %d: span %d is %s; eval has %s", round, i, got, want)
				}
			case !span.ReadOnly():
				for j, want := range machine.Span(id) {
					if got := s[span.Offset+j]; math.Float64bits(got) != math.Float64bits(want) {
						t.Fatalf("round %d: span %d[%d] is %v; eval has %v", round, i, j, got, want)
					}
				}
			}
		}
		if n := testing.AllocsPerRun(1, func() { pgmrt.RunTape(code, s, data, ints, rng) }); n != 0 {
			t.Errorf("round %d: %v allocations", round, n)
		}
	}
}

func TestEmit(t *testing.T) {
	p := &ir.Program{
		Spans: []ir.Span{
			{Role: ir.RoleTemp, Len: 2, Offset: 4},
			{Role: ir.RoleConst, Len: 2, Offset: 0},
			{Elem: ir.Int32, Role: ir.RolePersistent, Len: 1, Offset: 0},
		},
		State: 2, Work: 6, Data: 2, Ints: 1,
	}
	axes := []ir.Axis{{Var: 0, Size: 2, Kind: ir.AxisOut}}
	copyIt := &ir.Contract{Axes: axes, Out: ir.View{Span: 0, Stride: []int{1}}, In: []ir.View{{Span: 1, Stride: []int{1}}}}
	draw := &ir.Pick{Axes: axes, In: []ir.View{{Span: 0, Stride: []int{1}}}, Mode: ir.PickDraw}
	for _, c := range []struct {
		name  string
		steps []ir.Step
		want  []string
	}{
		{"contract", []ir.Step{copyIt}, []string{"s := e.work()", "p := e.data()", "pgmrt.RunTape(e.k[3:", "], s[:], p[:], nil, nil)"}},
		{"draw", []ir.Step{draw}, []string{"t := e.state()", "], s[:], nil, t[:], e.rng)"}},
		{"empty", nil, []string{"func (e *Engine) up() {}"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ints := []int32{1, 2, 3}
			block := &ir.Block{Name: "up", Steps: c.steps}
			file := backend.NewFile(jen.NewFile("x"), func(name string) *jen.Statement { return jen.Qual("example.com/pgmrt", name) })
			out := &backend.Output{Program: p, File: file, Func: "up", Ints: &ints}
			if err := tape.Backend.Emit(out, block); err != nil {
				t.Fatal(err)
			}
			var text bytes.Buffer
			if err := out.File.Render(&text); err != nil {
				t.Fatal(err)
			}
			for _, want := range c.want {
				if !strings.Contains(text.String(), want) {
					t.Errorf("no %q in\n%s", want, text.String())
				}
			}
			if cost := tape.Backend.Cost(p, block); !cost.OK || cost.NS <= 0 || len(c.steps) > 0 && cost.Ops == 0 {
				t.Errorf("cost %+v", cost)
			}
		})
	}
}

func TestEmitRefuses(t *testing.T) {
	p := &ir.Program{Spans: []ir.Span{{Name: "m", Len: 1, Offset: -1}, {Name: "n", Len: 1}}, State: ir.NoSpan}
	fixed := &ir.Contract{Axes: []ir.Axis{{Size: 2, Kind: ir.AxisFixed}}, Out: ir.View{Span: 1, Stride: []int{0}}}
	for _, c := range []struct {
		name string
		step ir.Step
		want string
	}{
		{"no layout", &ir.Zero{Span: 0}, `span "m" has not been laid out`},
		{"no state", fixed, "program's state"},
	} {
		out := &backend.Output{Program: p, Func: "up", Ints: &[]int32{}}
		err := tape.Backend.Emit(out, &ir.Block{Name: "b", Steps: []ir.Step{c.step}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v; want %q", c.name, err, c.want)
		}
	}
}
