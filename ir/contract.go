package ir

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Contract sets each element of Out to the sum or the maximum, over the reduced axes, of the
// product of In. An empty product is 1. All numbers are at least 0. Axes are in loop order,
// outermost first; back-ends may loop in another order. No operand has Out's span.
type Contract struct {
	Axes   []Axis
	Out    View
	In     []View
	Reduce Reduce
}

// ContractOp is the operation of [Contract]. It sets Out to the product of In, reduced over the
// variables that are in a scope of In but not in Out's.
type ContractOp struct {
	Out    TableID
	In     []TableID
	Reduce Reduce
}

// Reduce is how a contraction combines the products that belong to one element of its result.
type Reduce uint8

// The reductions.
const (
	ReduceNone Reduce = iota // no axis is reduced
	ReduceSum
	ReduceMax
)

var reduceNames = [...]string{"product", "sum", "max"}

// String returns the name of the reduction in dumps.
func (r Reduce) String() string { return reduceNames[r] }

// Refs implements [Step].
func (c *Contract) Refs(visit RefVisitor) {
	visit.views(c.In, Read)
	visit.one(&c.Out.Span, Write)
}

// States implements [Step].
func (c *Contract) States(_ *Program, visit StateVisitor) { visit.fixed(c.Axes) }

// Views returns the views of c, the operands' before the result's.
func (c *Contract) Views() (views []*View) {
	for i := range c.In {
		views = append(views, &c.In[i])
	}
	return append(views, &c.Out)
}

// Looks implements [Viewer].
func (c *Contract) Looks() (axes []Axis, views []*View) { return c.Axes, c.Views() }

// Entries returns the number of products that c forms: the product of the sizes of its looping
// axes.
func (c *Contract) Entries() int { return entries(c.Axes) }

// Products implements [Step].
func (c *Contract) Products() int { return c.Entries() }

// elements yields, for each joint state of the axes, the element of the result and the element of
// each operand. The next one overwrites the slice.
func (c *Contract) elements() iter.Seq2[int, []int] {
	return func(yield func(to int, at []int) bool) {
		state, to, at := make([]int, len(c.Axes)), 0, make([]int, len(c.In))
		for range c.Entries() {
			if !yield(to, at) {
				return
			}
			for i := len(c.Axes) - 1; i >= 0; i-- {
				n := 1
				if state[i]++; state[i] == c.Axes[i].Size {
					n, state[i] = 1-c.Axes[i].Size, 0
				}
				to += n * c.Out.Stride[i]
				for k := range at {
					at[k] += n * c.In[k].Stride[i]
				}
				if state[i] != 0 {
					break
				}
			}
		}
	}
}

// Fills reports whether c sets every element of its result, apart from the padding of its fastest
// axis. It does unless an axis of the result is fixed.
func (c *Contract) Fills(p *Program) bool {
	n, size, stride := int64(1), 1, 0 // the fastest axis is one of size and stride
	for i, a := range c.Axes {
		if a.Kind != AxisOut {
			continue
		}
		n *= int64(a.Size) // the result's strides are in mixed-radix order: no more than its length
		if a.Size > 1 && (stride == 0 || c.Out.Stride[i] < stride) {
			size, stride = a.Size, c.Out.Stride[i]
		}
	}
	length := int64(p.Spans[c.Out.Span].Len)
	if n == length || p.Align == 0 {
		return n == length
	}
	padded := length / (n / int64(size))
	return padded-int64(size) < int64(p.Align) && n/int64(size)*padded == length
}

// String writes `sum [v0:2 v1:2*] s7(1 0) = s1(2 1) s2(0 1)`.
func (c *Contract) String() string {
	return fmt.Sprintf("%s %s %s = %s", c.Reduce, axesText(c.Axes), viewText(c.Out), viewsText(c.In))
}

func parseContract(ps *parser, word int) Step {
	c := &Contract{Reduce: Reduce(word), Axes: ps.axes()}
	c.Out = ps.view()
	ps.expect("=")
	c.In = ps.views()
	return c
}

func (c *Contract) verify(v *verifier) {
	v.axes(c.Axes)
	if !v.view(c.Axes, c.Out, "result") {
		return
	}
	v.writable(c.Out.Span)
	c.verifyResult(v)
	for _, in := range c.In {
		if v.view(c.Axes, in, "operand") {
			v.apart(c.Out.Span, in.Span)
		}
	}
	reduced := slices.ContainsFunc(c.Axes, func(a Axis) bool { return a.Kind == AxisReduced })
	switch {
	case c.Reduce > ReduceMax:
		v.errorf("no such reduction: %d", c.Reduce)
	case c.Reduce == ReduceNone && reduced:
		v.errorf("a product with a reduced axis")
	case c.Reduce != ReduceNone && !reduced:
		v.errorf("a %v without a reduced axis", c.Reduce)
	}
}

// verifyResult checks that no two joint states share an element of the result: the result has
// stride 0 along reduced axes, and each other stride exceeds the reach of all smaller ones.
func (c *Contract) verifyResult(v *verifier) {
	var loops []int
	for i, a := range c.Axes {
		switch {
		case a.Kind == AxisReduced && c.Out.Stride[i] != 0:
			v.errorf("result s%d moves along v%d, over which it is reduced", c.Out.Span, a.Var)
		case a.Kind == AxisOut && a.Size > 1:
			loops = append(loops, i)
		}
	}
	slices.SortFunc(loops, func(a, b int) int { return cmp.Compare(c.Out.Stride[a], c.Out.Stride[b]) })
	reach := 0
	for _, i := range loops {
		if c.Out.Stride[i] <= reach {
			v.errorf("result s%d has one element for several states of v%d", c.Out.Span, c.Axes[i].Var)
			return
		}
		reach += c.Out.Stride[i] * (c.Axes[i].Size - 1)
	}
}

// Bound returns bounds on the result, computed from the bounds of the operands. Likelihoods are at
// most 1, and likelihoods that are states are 0 or 1. Bound does not store the bound, since a pass
// may rescale the result.
func (c *Contract) Bound(b *Bounds) (of Interval, table bool) {
	delete(b.Element, c.Out.Span)
	if b.ByElement && c.whole() {
		return c.boundElements(b), true
	}
	for _, in := range c.In {
		x := b.Span[in.Span]
		if x.Lo > x.Hi {
			return x, true
		}
		of.Lo, of.Hi = of.Lo+x.Lo, of.Hi+x.Hi
	}
	if c.Reduce == ReduceSum {
		for _, a := range c.Axes {
			if a.Kind == AxisReduced {
				of.Hi += math.Log2(float64(a.Size))
			}
		}
	}
	return of, true
}

// keepsMask implements masker.
func (c *Contract) keepsMask(mask []varSet, _ SpanID, v model.VarID) bool {
	return slices.ContainsFunc(c.Axes, func(a Axis) bool { return a.Var == v && a.Kind == AxisOut }) &&
		slices.ContainsFunc(c.In, func(in View) bool { return mask[in.Span].has(v) })
}

// look implements ranger.
func (c *Contract) look(f *rangeFinder, block int) {
	if !f.several[c.Out.Span] {
		f.made[c.Out.Span] = c
	}
	n := &narrowed{may: f.may(c, func(v model.VarID) bool { return !f.matter[c.Out.Span].has(v) })}
	if n.may != nil {
		n.exact = f.narrows(block, c, n.may)
	}
	if n.exact != nil {
		f.note(c, n)
	}
	f.seen(c.Axes, c.In, func(axis int) bool { return n.exact != nil && n.exact[axis] })
}

// reach implements ranger.
func (c *Contract) reach(f *rangeFinder) {
	if f.answer[c.Out.Span] {
		f.needed(c.Axes, []View{c.Out}, func(int, int) bool { return false })
	}
	f.needed(c.Axes, c.In, func(k, i int) bool {
		a := &c.Axes[i]
		return loops(*a) && f.masked(a.Var, c.In, k) || a.Kind == AxisOut && !f.matter[c.Out.Span].has(a.Var)
	})
}

// Tables implements [Op].
func (op *ContractOp) Tables(visit TableVisitor) {
	visit.all(op.In, Read)
	visit.one(op.Out, Write)
}

// States implements [Op].
func (op *ContractOp) States(*Schedule, StateVisitor) {}

// Entries returns the number of joint states of the variables of op that are not fixed.
func (op *ContractOp) Entries(joint JointStates, b *OpBlock) float64 {
	return joint(b.Fixed, append([]TableID{op.Out}, op.In...)...)
}

// Products implements [Op].
func (op *ContractOp) Products(joint JointStates, b *OpBlock) float64 { return op.Entries(joint, b) }

// Operands implements [Multiplier].
func (op *ContractOp) Operands() *[]TableID { return &op.In }

// Text implements [Op].
func (op *ContractOp) Text(s *Schedule) string {
	return fmt.Sprintf("%s = %s %s  # %s, %d entries", s.tables(op.Out), op.Reduce, s.tables(op.In...), s.Tables[op.Out].Name, s.Size(op.Out))
}

func (op *ContractOp) verify(v *scheduleVerifier, b *OpBlock) {
	if !v.tables(op.In...) || !v.writable(op.Out) {
		return
	}
	op.verifyScopes(v, b)
	v.ordered(b, append(slices.Clone(op.In), op.Out))
}

// verifyScopes checks that the operands cover the result, and that a variable is reduced if and
// only if Reduce says so. Variables with one state do not count.
func (op *ContractOp) verifyScopes(v *scheduleVerifier, b *OpBlock) {
	out := v.s.Tables[op.Out].Scope
	covered := map[model.VarID]bool{}
	reduced, trivial := false, false
	for _, t := range op.In {
		if t == op.Out {
			v.errorf("t%d is both the result and an operand", t)
		}
		for _, id := range v.s.Tables[t].Scope {
			covered[id] = true
			if !slices.Contains(out, id) && !slices.Contains(b.Fixed, id) {
				reduced, trivial = reduced || v.s.Model.Width(id) > 1, true
			}
		}
	}
	for _, id := range out {
		if slices.Contains(b.Fixed, id) {
			v.errorf("result t%d has %q, which is fixed", op.Out, v.name(id))
		} else if !covered[id] && v.s.Model.Width(id) > 1 {
			v.errorf("result t%d has %q, which no operand has", op.Out, v.name(id))
		}
	}
	switch {
	case op.Reduce > ReduceMax:
		v.errorf("no such reduction: %d", op.Reduce)
	case op.Reduce == ReduceNone && reduced:
		v.errorf("a product whose result lacks a variable of its operands")
	case op.Reduce != ReduceNone && !trivial:
		v.errorf("a %v over nothing", op.Reduce)
	}
}

// Lower orders the axes: first the fixed ones, then the result's, then the reduced ones. If the
// fastest variable belongs to the result, its axis comes last, so that the innermost loop runs over
// its contiguous elements.
func (op *ContractOp) Lower(l *Lowering) Step {
	vars := l.scope(append(slices.Clone(op.In), op.Out)...)
	out := l.schedule.Tables[op.Out].Scope
	var fixed, kept, reduced []model.VarID
	for _, v := range vars {
		switch {
		case slices.Contains(l.block.Fixed, v):
			fixed = append(fixed, v)
		case slices.Contains(out, v):
			kept = append(kept, v)
		default:
			reduced = append(reduced, v)
		}
	}
	c := &Contract{Reduce: op.Reduce}
	if len(reduced) == 0 {
		c.Reduce = ReduceNone
	}
	last := len(kept)
	if len(reduced) > 0 && len(kept) > 0 && vars[len(vars)-1] == kept[last-1] {
		last--
	}
	c.Axes = l.axes(c.Axes, fixed, AxisFixed)
	c.Axes = l.axes(c.Axes, kept[:last], AxisOut)
	c.Axes = l.axes(c.Axes, reduced, AxisReduced)
	c.Axes = l.axes(c.Axes, kept[last:], AxisOut)
	c.Out = l.view(op.Out, c.Axes)
	c.In = l.views(op.In, c.Axes)
	return c
}
