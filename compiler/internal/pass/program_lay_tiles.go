package pass

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/vector"
)

// tiling chooses the fastest axis of temporaries and constants for contractions that are loops
// around tiles of vectors. Nothing is padded: tiles store no more than the elements.
type tiling struct {
	p     *ir.Program
	of    []*ordered // by span; nil if its layout is fixed
	steps []*ir.Contract
	cost  []float64 // by step
	left  int       // costs that may still be computed
}

// ordered is a span with axes that may be put into another order.
type ordered struct {
	vars  []model.VarID // slowest first
	sizes []int
	first []int // the order at the beginning: places of vars
	now   []int
	uses  []use
	steps []int // the contractions among uses that become tiles
}

// use is a view of a span.
type use struct {
	axes []ir.Axis
	view *ir.View
}

// tilingCosts bounds the work of tiling: a cost takes about a microsecond.
const tilingCosts = 3_000_000

// layTiles lays out the temporaries and constants of a program of large contractions. It does not
// change programs that have fewer products than least.
func layTiles(p *ir.Program, least int) {
	t := newTiling(p)
	products := 0
	for _, s := range t.steps {
		products += s.Entries()
	}
	if products < least {
		return
	}
	for range laySweeps {
		if !t.sweep() {
			break
		}
	}
	for id, x := range t.of {
		if x != nil && p.Spans[id].Role == ir.RoleConst && !slices.Equal(x.first, x.now) {
			p.Spans[id].Data = x.moved(p.Spans[id].Data)
		}
	}
}

func newTiling(p *ir.Program) *tiling {
	t := &tiling{p: p, of: make([]*ordered, len(p.Spans)), left: tilingCosts}
	fixed := make([]bool, len(p.Spans))
	for i := range p.Blocks {
		for _, step := range p.Blocks[i].Steps {
			t.step(fixed, step)
		}
	}
	for id, fixed := range fixed {
		if fixed || t.of[id] != nil && len(t.of[id].steps) == 0 {
			t.of[id] = nil
		}
	}
	for _, s := range t.steps {
		t.cost = append(t.cost, vector.TileCost(s))
	}
	return t
}

// step records the views of a step. Spans that it refers to by other than views keep their layout,
// unless it rescales them, which takes them in any order.
func (t *tiling) step(fixed []bool, step ir.Step) {
	v, ok := step.(ir.Viewer)
	if !ok {
		if _, ok := step.(*ir.Rescale); !ok {
			step.Refs(func(id *ir.SpanID, _ ir.Use) { fixed[*id] = true })
		}
		return
	}
	axes, views := v.Looks()
	at := -1
	if c, ok := step.(*ir.Contract); ok && !slices.ContainsFunc(axes, func(a ir.Axis) bool { return a.Kind == ir.AxisFixed }) {
		at = len(t.steps)
		t.steps = append(t.steps, c)
	}
	t.note(fixed, at, axes, views)
}

// note records the views of a step. at is its index in t.steps, or -1.
func (t *tiling) note(fixed []bool, at int, axes []ir.Axis, views []*ir.View) {
	for _, v := range views {
		s := &t.p.Spans[v.Span]
		if s.Role != ir.RoleTemp && s.Role != ir.RoleConst || s.Len < 2 || fixed[v.Span] {
			continue
		}
		x := t.of[v.Span]
		if x == nil {
			x = newOrdered(axes, v)
			t.of[v.Span] = x
		}
		if len(x.vars) < 2 || !x.covers(s.Len, axes, v) {
			fixed[v.Span] = true
			continue
		}
		x.uses = append(x.uses, use{axes, v})
		if at >= 0 && !slices.Contains(x.steps, at) {
			x.steps = append(x.steps, at)
		}
	}
}

func newOrdered(all []ir.Axis, v *ir.View) *ordered {
	l := newLaid(all, v)
	return &ordered{vars: l.vars, sizes: l.sizes, first: l.first.order, now: l.first.order}
}

// covers reports whether a view has the axes of x in the order at the beginning, and reaches all
// elements of a span of the given length.
func (x *ordered) covers(length int, axes []ir.Axis, v *ir.View) bool {
	n := 1
	for k, id := range slices.Backward(x.vars) {
		i := slices.IndexFunc(axes, func(a ir.Axis) bool { return a.Var == id })
		if i < 0 || v.Stride[i] != n {
			return false
		}
		n *= x.sizes[k]
	}
	return n == length
}

// sweep tries other orders of each span, and reports whether it kept any.
func (t *tiling) sweep() (better bool) {
	for id := range t.of {
		if t.of[id] == nil || t.left < 0 {
			continue
		}
		for _, order := range t.of[id].orders() {
			better = t.try(ir.SpanID(id), order) || better
		}
	}
	return better
}

// orders returns the orders to try: each axis as the fastest one.
func (x *ordered) orders() (list [][]int) {
	for k := range x.vars {
		list = append(list, x.fastest(k))
	}
	return list
}

// fastest returns the order at the beginning with one axis moved to the end.
func (x *ordered) fastest(k int) []int {
	i := slices.Index(x.first, k)
	return append(slices.Delete(slices.Clone(x.first), i, i+1), k)
}

// try gives a span an order, and the spans that meet it in a contraction the same fastest axis if
// that takes fewer instructions. It keeps the orders if they are better, and reports whether they
// are.
func (t *tiling) try(id ir.SpanID, order []int) bool {
	x := t.of[id]
	if slices.Equal(x.now, order) {
		return false
	}
	changes := []change{{id, x.now}}
	gain := t.set(id, order)
	fast := x.vars[order[len(order)-1]]
	for _, other := range t.neighbours(id) {
		y := t.of[other]
		k := slices.Index(y.vars, fast)
		if k < 0 {
			continue
		}
		before, o := y.now, y.fastest(k)
		if slices.Equal(before, o) {
			continue
		}
		if g := t.set(other, o); g > 0 {
			gain += g
			changes = append(changes, change{other, before})
		} else {
			t.set(other, before)
		}
	}
	if gain > 1e-9 {
		return true
	}
	for _, c := range slices.Backward(changes) {
		t.set(c.span, c.before)
	}
	return false
}

// change is a span with its order before.
type change struct {
	span   ir.SpanID
	before []int
}

// neighbours returns the spans that meet a span in a contraction.
func (t *tiling) neighbours(id ir.SpanID) (list []ir.SpanID) {
	for _, i := range t.of[id].steps {
		for _, v := range t.steps[i].Views() {
			if v.Span != id && t.of[v.Span] != nil && !slices.Contains(list, v.Span) {
				list = append(list, v.Span)
			}
		}
	}
	return list
}

// set gives a span an order, and returns the number of instructions that this saves.
func (t *tiling) set(id ir.SpanID, order []int) (gain float64) {
	x := t.of[id]
	x.now = order
	stride := x.strides(order)
	for _, u := range x.uses {
		for i, a := range u.axes {
			if k := slices.Index(x.vars, a.Var); k >= 0 {
				u.view.Stride[i] = stride[k]
			}
		}
	}
	for _, i := range x.steps {
		n := vector.TileCost(t.steps[i])
		gain += t.cost[i] - n
		t.cost[i] = n
	}
	t.left -= len(x.steps)
	return gain
}

// strides returns the stride of each axis in an order.
func (x *ordered) strides(order []int) []int {
	stride, n := make([]int, len(order)), 1
	for _, k := range slices.Backward(order) {
		stride[k] = n
		n *= x.sizes[k]
	}
	return stride
}

// moved returns numbers of the order at the beginning in the order now.
func (x *ordered) moved(data []float64) []float64 {
	out := make([]float64, len(data))
	from, to := x.strides(x.first), x.strides(x.now)
	for i := range out {
		at := 0
		for k, n := range x.sizes {
			at += i / from[k] % n * to[k]
		}
		out[at] = data[i]
	}
	return out
}
