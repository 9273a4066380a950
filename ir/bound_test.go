package ir_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// bounded is a program that is computed and bounded step by step.
type bounded struct {
	p      *ir.Program
	bounds *ir.Bounds
	value  [][]float64
}

// add adds a span with the given numbers, of a constant or of a result still to be computed.
func (b *bounded) add(role ir.Role, numbers []float64) ir.SpanID {
	of := ir.Interval{}
	if role == ir.RoleConst {
		of = ir.IntervalOf(numbers)
	}
	b.p.Spans = append(b.p.Spans, ir.Span{Elem: ir.Float64, Role: role, Len: len(numbers), Data: numbers, Var: -1})
	b.bounds.Span, b.value = append(b.bounds.Span, of), append(b.value, numbers)
	return ir.SpanID(len(b.value) - 1)
}

// run computes a step, of three axes of three states of which the last is reduced, and its bounds.
func (b *bounded) run(c *ir.Contract) {
	for state := range 27 {
		at := func(v ir.View) int {
			return state/9*v.Stride[0] + state/3%3*v.Stride[1] + state%3*v.Stride[2]
		}
		x := 1.0
		for _, in := range c.In {
			x *= b.value[in.Span][at(in)]
		}
		out := &b.value[c.Out.Span][at(c.Out)]
		if c.Reduce == ir.ReduceMax {
			x = max(x, *out) - *out
		}
		*out += x
	}
	of, _ := c.Bound(b.bounds)
	b.bounds.Span[c.Out.Span] = of
}

// TestBoundByElement bounds random contractions of sparse tables. The bounds of each element hold
// what is computed, also with evidence, up to the rounding of logarithms. They are not worse than
// those of whole tables, and better in half of the cases.
func TestBoundByElement(t *testing.T) {
	better := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		sparse := func(n int) []float64 {
			x := make([]float64, n)
			for i := range x {
				if r.IntN(3) > 0 {
					x[i] = math.Exp2(float64(-r.IntN(60)))
				}
			}
			return x
		}
		likelihood := []float64{float64(r.IntN(2)), 1, float64(r.IntN(2))}
		reduce := []ir.Reduce{ir.ReduceSum, ir.ReduceMax}[r.IntN(2)]
		f, g, h := sparse(27), sparse(9), sparse(9)
		run := func(fine bool) *bounded {
			b := &bounded{p: &ir.Program{}}
			b.bounds = &ir.Bounds{Program: b.p, Element: map[ir.SpanID][]ir.Interval{}, ByElement: fine}
			axes := []ir.Axis{{Var: 0, Size: 3}, {Var: 1, Size: 3}, {Var: 2, Size: 3, Kind: ir.AxisReduced}}
			first := &ir.Contract{Axes: axes, Reduce: reduce, In: []ir.View{
				{Span: b.add(ir.RoleConst, f), Stride: []int{9, 3, 1}}, {Span: b.add(ir.RoleConst, g), Stride: []int{0, 3, 1}},
				{Span: b.add(ir.RoleIn, likelihood), Stride: []int{0, 0, 1}}}}
			first.Out = ir.View{Span: b.add(ir.RoleTemp, make([]float64, 9)), Stride: []int{1, 3, 0}}
			second := &ir.Contract{Axes: slices.Clone(axes), Reduce: reduce, In: []ir.View{
				{Span: first.Out.Span, Stride: []int{3, 0, 1}}, {Span: b.add(ir.RoleConst, h), Stride: []int{0, 1, 3}}}}
			second.Out = ir.View{Span: b.add(ir.RoleTemp, make([]float64, 9)), Stride: []int{3, 1, 0}}
			b.run(first)
			b.run(second)
			return b
		}
		coarse, fine := run(false), run(true)
		for id, elements := range fine.bounds.Element {
			whole, tight := coarse.bounds.Span[id], fine.bounds.Span[id]
			if tight.Lo <= tight.Hi && (tight.Lo < whole.Lo || tight.Hi > whole.Hi+1e-9) {
				t.Errorf("seed %d: span %d is within %v by element and within %v as a whole", seed, id, tight, whole)
			}
			if tight.Lo > whole.Lo {
				better++
			}
			for i, x := range fine.value[id] {
				if l := math.Log2(x); x > 0 && (l < elements[i].Lo-1e-9 || l > elements[i].Hi+1e-9) {
					t.Errorf("seed %d: element %d of span %d is 2^%g, beyond %v", seed, i, id, l, elements[i])
				}
			}
		}
	}
	if better < 300 {
		t.Errorf("%d of 600 lower bounds are better than those of whole tables", better)
	}
}

// TestBoundOfFixedState expects bounds of a whole table for a contraction that looks at an observed
// state, in place of those of its elements, which may be from an earlier step.
func TestBoundOfFixedState(t *testing.T) {
	b := &bounded{p: &ir.Program{}}
	b.bounds = &ir.Bounds{Program: b.p, Element: map[ir.SpanID][]ir.Interval{}, ByElement: true}
	in := ir.View{Span: b.add(ir.RoleConst, []float64{.5, 1, .25}), Stride: []int{1}}
	out := ir.View{Span: b.add(ir.RoleTemp, make([]float64, 1)), Stride: []int{0}}
	b.bounds.Element[out.Span] = []ir.Interval{{Lo: 0, Hi: 0}}
	c := &ir.Contract{Axes: []ir.Axis{{Var: model.VarID(0), Size: 3, Kind: ir.AxisFixed}}, In: []ir.View{in}, Out: out}
	if of, _ := c.Bound(b.bounds); of != (ir.Interval{Lo: -2}) || b.bounds.Element[out.Span] != nil {
		t.Errorf("bounds are %v, by element %v", of, b.bounds.Element[out.Span])
	}
}
