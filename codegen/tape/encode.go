package tape

import (
	"fmt"

	"github.com/pgmc-go/pgmc/codegen/backend"
	"github.com/pgmc-go/pgmc/codegen/backend/walk"
	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Encode appends to code the instructions that run b, a block of p whose loops ranges may narrow. The program must have been
// laid out.
func Encode(code []int32, p *ir.Program, ranges *ir.Ranges, b *ir.Block) ([]int32, error) {
	e := encoder{p, ranges}
	for _, step := range b.Steps {
		if err := e.placed(step); err != nil {
			return nil, fmt.Errorf("tape: block %q: %w", b.Name, err)
		}
		code = e.step(code, step)
	}
	return code, nil
}

type encoder struct {
	p      *ir.Program
	ranges *ir.Ranges
}

// placed checks that the spans of a step have a place.
func (e encoder) placed(step ir.Step) error {
	ids := append(ir.ReadSpans(step), ir.WriteSpans(step)...)
	if readsState(step) {
		ids = append(ids, e.p.State)
	}
	for _, id := range ids {
		if id == ir.NoSpan {
			return fmt.Errorf("a step needs the program's state, which has no span")
		}
		s := &e.p.Spans[id]
		if _, sums := step.(*ir.Sums); s.Offset < 0 || sums && s.ReadOnly() && s.Copy == 0 {
			return fmt.Errorf("span %q has not been laid out", s.Name)
		}
	}
	return nil
}

// readsState reports whether a step reads or writes the state of a variable.
func readsState(step ir.Step) bool {
	switch s := step.(type) {
	case *ir.Pick, *ir.Walk, *ir.Resample, *ir.Seek, *ir.MinSum, *ir.Choose, *ir.Judge, *ir.Trial:
		return true
	case *ir.Contract:
		return anyFixed(s.Axes)
	case *ir.Lookup:
		return anyFixed(s.Axes)
	}
	return false
}

func anyFixed(axes []ir.Axis) bool {
	for _, a := range axes {
		if a.Kind == ir.AxisFixed {
			return true
		}
	}
	return false
}

func (e encoder) step(code []int32, step ir.Step) []int32 {
	switch s := step.(type) {
	case *ir.Contract:
		return pgmrt.AppendContract(code, &pgmrt.Nest{
			Max: s.Reduce == ir.ReduceMax, Axes: e.narrowedAxes(s), Out: e.view(s.Out), In: e.views(s.In)})
	case *ir.Sums:
		return pgmrt.AppendSums(code, e.nodes(s), s.Max)
	case *ir.Walk:
		return walk.Append(code, e.p, s)
	case *ir.Pick:
		return pgmrt.AppendPick(code, e.axes(s.Axes), e.views(s.In), e.state(s.Axes[0]), s.Mode == ir.PickDraw)
	case *ir.Normalize:
		span := &e.p.Spans[s.Span]
		return pgmrt.AppendNormalize(code, span.Offset, span.Len)
	case *ir.Rescale:
		span, exp := &e.p.Spans[s.Span], -1
		if s.Exp != ir.NoSpan {
			exp = e.p.Spans[s.Exp].Offset
		}
		return pgmrt.AppendRescale(code, span.Offset, span.Len, exp)
	case *ir.Zero:
		span := &e.p.Spans[s.Span]
		return pgmrt.AppendZero(code, span.Elem == ir.Int32, span.Offset, span.Len)
	case *ir.Lookup:
		out := &e.p.Spans[s.Out]
		return pgmrt.AppendLookup(code, e.axes(s.Axes), e.view(rows(s, out.Len)), out.Offset, out.Len)
	}
	if code := e.loopStep(code, step); code != nil {
		return code
	}
	if n := len(code); len(backend.AppendChain(code, e.p, step)) > n {
		return backend.AppendChain(code, e.p, step)
	}
	if n := len(code); len(backend.AppendEnergies(code, e.p, step)) > n {
		return backend.AppendEnergies(code, e.p, step)
	}
	panic(fmt.Sprintf("tape: unknown step %T", step))
}

// nodes gives the nodes of a circuit by places in work memory.
func (e encoder) nodes(s *ir.Sums) []pgmrt.TapeNode {
	places := s.Places(e.p)
	at := func(x int32) int {
		if x < 0 {
			return -1
		}
		span := &e.p.Spans[s.SpanAt(places[x].Span)]
		if span.ReadOnly() {
			return int(span.Copy) - 1 + places[x].At
		}
		return span.Offset + places[x].At
	}
	nodes := make([]pgmrt.TapeNode, len(s.Set))
	for i, x := range s.Set {
		nodes[i].Set = at(x)
		for _, t := range s.Terms[s.First[i]:s.First[i+1]] {
			nodes[i].Terms = append(nodes[i].Terms, [2]int{at(t[0]), at(t[1])})
		}
	}
	return nodes
}

// rows views the table of a look-up along its axes, row-major with rows of n numbers.
func rows(s *ir.Lookup, n int) ir.View {
	v := ir.View{Span: s.Table, Stride: make([]int, len(s.Axes))}
	for i := len(s.Axes) - 1; i >= 0; i-- {
		v.Stride[i] = n
		n *= s.Axes[i].Size
	}
	return v
}

func (e encoder) axes(axes []ir.Axis) []pgmrt.NestAxis {
	out := make([]pgmrt.NestAxis, len(axes))
	for i, a := range axes {
		out[i] = pgmrt.NestAxis{Size: a.Size, State: pgmrt.Looping}
		if a.Kind == ir.AxisFixed {
			out[i].State = e.state(a)
		}
	}
	return out
}

// narrowedAxes are the axes of c, with the places of the ranges that narrow them.
func (e encoder) narrowedAxes(c *ir.Contract) []pgmrt.NestAxis {
	axes := e.axes(c.Axes)
	for i, narrowed := range e.ranges.Narrowed(c) {
		if narrowed {
			axes[i].Range = 1 + e.p.Ints + e.ranges.Place(c.Axes[i].Var)
		}
	}
	return axes
}

// state is where the state of a's variable lies.
func (e encoder) state(a ir.Axis) int { return e.p.Spans[e.p.State].Offset + int(a.Var) }

func (e encoder) views(views []ir.View) []pgmrt.NestView {
	out := make([]pgmrt.NestView, len(views))
	for i, v := range views {
		out[i] = e.view(v)
	}
	return out
}

func (e encoder) view(v ir.View) pgmrt.NestView {
	span := &e.p.Spans[v.Span]
	return pgmrt.NestView{Data: span.ReadOnly(), Offset: span.Offset, Stride: v.Stride}
}
