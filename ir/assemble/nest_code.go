package assemble

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
)

// The header of a contraction by tiles.
const (
	nestKernel = 2 + iota
	nestClear
	nestRows
	nestLen
	nestVarying
	nestPerRow
	nestOperands
	nestData
	nestFixed
	nestOuter
	nestOut
	nestOutRow
	nestOutStep
	nestHeader
)

// The header of a contraction without tiles.
const (
	plainMax = 2 + iota
	plainOperands
	plainFixed
	plainOut
	plainReduced
	plainHeader
)

// contract writes the instruction of a contraction; contract.go and contract_plain.go of the
// runtime document it.
func (a *Assembler) contract(c *ir.Contract) { a.code.Words = a.nest(c).append(a.code.Words) }

func contractPrice(p *ir.Program, c *ir.Contract) Price {
	return Price{NS: anywhere(p).nest(c).nanoseconds(), Ops: c.Entries() * max(1, len(c.In))}
}

// Narrows reports along which axes of c the instruction of c reads only the states of the range,
// among the axes that may be narrowed. The instruction first clears its whole result.
func Narrows(p *ir.Program, c *ir.Contract, may []bool) (exact []bool) {
	n := anywhere(p).nest(c)
	for i := range may {
		if may[i] {
			n.Axes[i].Range = 1 + 2*i // any place of its own
		}
	}
	return n.narrows()
}

// anywhere returns an assembler for questions that do not depend on where spans lie.
func anywhere(p *ir.Program) *Assembler {
	return New(p, func(ir.SpanID) Place { return Place{} }, nil, 0)
}

// append appends the instruction of n. All views have a stride for each axis. Out lies in work
// memory, and no element of it is read. Memories have fewer than 2^31 elements.
func (n *nest) append(code []int32) []int32 {
	loops := n.loops()
	if !nestFits(loops, len(n.In)) {
		return n.appendPlain(code)
	}
	dense, _ := denseNest(loops)
	plan := planNest(loops, 1+len(n.In))
	order, varying, perRow := plan.operandOrder(len(n.In))
	plan.outer = narrowed(plan.outer)
	fixed := n.fixed()
	start := len(code)
	head := make([]int32, nestHeader)
	head[0] = tapeSum
	if n.Max {
		head[0] = tapeMax
	}
	head[nestKernel] = plan.kernel(varying)
	head[nestClear] = int32(dense)
	head[nestVarying], head[nestPerRow], head[nestOperands] = int32(varying), int32(perRow), int32(len(order))
	head[nestFixed], head[nestOuter] = int32(len(fixed)), int32(len(plan.outer))
	head[nestOut] = int32(n.Out.Offset)
	for i, k := range order {
		if n.In[k].Data {
			head[nestData] |= 1 << i
		}
	}
	if plan.gather {
		code = appendGather(code, n, head, &plan, order, varying)
	} else {
		code = appendRows(code, n, head, plan.tile[0], plan.tile[1], order)
	}
	for _, i := range fixed {
		code = appendNestRecord(code, n.Axes[i].State, n.strides(i), order)
	}
	code = appendAdvances(code, plan.outer, order)
	code[start+1] = int32(len(code) - start)
	return code
}

// narrows reports, by axis, whether the instruction of n runs only over the states of the axis'
// Range: the axis has a Range, and is not in the tile.
func (n *nest) narrows() []bool {
	narrows, loops := make([]bool, len(n.Axes)), n.loops()
	if !nestFits(loops, len(n.In)) {
		return narrows
	}
	for _, l := range planNest(loops, 1+len(n.In)).outer {
		for i, a := range n.Axes {
			narrows[i] = narrows[i] || a.Range > 0 && slices.Contains(l.axes, a)
		}
	}
	return narrows
}

// appendRows appends the head and the operands of a nest with rows as tile.
func appendRows(code []int32, n *nest, head []int32, row, inner nestLoop, order []int) []int32 {
	head[nestRows], head[nestLen] = int32(row.size), int32(inner.size)
	head[nestOutRow], head[nestOutStep] = int32(row.stride[0]), int32(inner.stride[0])
	code = append(code, head...)
	for _, k := range order {
		code = append(code, int32(n.In[k].Offset), int32(row.stride[1+k]), int32(inner.stride[1+k]))
	}
	return code
}

// appendGather appends the head, the operands and the positions of a nest with a tile that lists
// them.
func appendGather(code []int32, n *nest, head []int32, plan *nestPlan, order []int, varying int) []int32 {
	size := 1
	for _, l := range plan.tile {
		size *= l.size
	}
	head[nestRows], head[nestLen] = 1, int32(size)
	code = append(code, head...)
	for _, k := range order {
		code = append(code, int32(n.In[k].Offset), 0, 0)
	}
	for i := range size {
		code = append(code, int32(tileOffset(plan.tile, 0, i)))
		for _, k := range order[:varying] {
			code = append(code, int32(tileOffset(plan.tile, 1+k, i)))
		}
	}
	return code
}

// tileOffset returns the offset of view v at position i of the loops. The last loop is the
// innermost.
func tileOffset(loops []nestLoop, v, i int) int {
	at := 0
	for l := len(loops) - 1; l >= 0; l-- {
		at += i % loops[l].size * loops[l].stride[v]
		i /= loops[l].size
	}
	return at
}

// fixed returns the fixed axes of n that move a view.
func (n *nest) fixed() []int {
	var axes []int
	for i, a := range n.Axes {
		if a.State == looping || a.Size == 1 {
			continue
		}
		for _, stride := range n.strides(i) {
			if stride != 0 {
				axes = append(axes, i)
				break
			}
		}
	}
	return axes
}

// operandOrder puts the operands that move along a row, or within a gathering tile, first, then
// those that move only from row to row.
func (p *nestPlan) operandOrder(operands int) (order []int, varying, perRow int) {
	var atRow, outside []int
	for k := range operands {
		last := p.tile[len(p.tile)-1].stride[1+k] != 0
		within := slices.ContainsFunc(p.tile, func(l nestLoop) bool { return l.stride[1+k] != 0 })
		switch {
		case last || within && p.gather:
			order = append(order, k)
		case within:
			atRow = append(atRow, k)
		default:
			outside = append(outside, k)
		}
	}
	varying = len(order)
	order = append(order, atRow...)
	perRow = len(order)
	return append(order, outside...), varying, perRow
}

// kernel returns the kernel of the tile for the number of operands that vary in it.
func (p *nestPlan) kernel(varying int) int32 {
	first, special := int32(nestFold1), 2
	switch {
	case p.gather:
		first, special = nestGather1, 3
	case p.tile[1].stride[0] != 0:
		first = nestSpread1
	}
	if varying < 1 || varying > special {
		return first + int32(special)
	}
	return first + int32(varying-1)
}

// appendNestRecord appends first, and the strides of Out and of the operands in order.
func appendNestRecord(code []int32, first int, stride, order []int) []int32 {
	return appendNestStrides(append(code, int32(first)), stride, order)
}

func appendNestStrides(code []int32, stride, order []int) []int32 {
	code = append(code, int32(stride[0]))
	for _, k := range order {
		code = append(code, int32(stride[1+k]))
	}
	return code
}

// appendAdvances appends the records of the outer loops, innermost first.
func appendAdvances(code []int32, outer []nestLoop, order []int) []int32 {
	wound := make([]int, 1+len(order)) // how far each view has moved at the last position of the inner loops
	for i := len(outer) - 1; i >= 0; i-- {
		advance := make([]int, len(wound))
		for v, stride := range outer[i].stride {
			advance[v] = stride - wound[v]
			wound[v] += stride * (outer[i].size - 1)
		}
		code = append(code, int32(outer[i].size))
		code = appendNestRecord(code, outer[i].place()-1, advance, order)
		code = appendNestStrides(code, outer[i].stride, order)
	}
	return code
}

// appendPlain appends the instruction of a contraction that tiles cannot hold.
func (n *nest) appendPlain(code []int32) []int32 {
	start := len(code)
	order := make([]int, len(n.In))
	for k := range order {
		order[k] = k
	}
	var outer, reduced []int
	for i, a := range n.Axes {
		switch {
		case a.State != looping || a.Size == 1:
		case n.Out.Stride[i] != 0:
			outer = append(outer, i)
		default:
			reduced = append(reduced, i)
		}
	}
	fixed := n.fixed()
	head := make([]int32, plainHeader)
	head[0] = tapePlain
	if n.Max {
		head[plainMax] = 1
	}
	head[plainOperands] = int32(len(n.In))
	head[plainFixed], head[plainOut], head[plainReduced] = int32(len(fixed)), int32(len(outer)), int32(len(reduced))
	code = append(code, head...)
	code = append(code, 0, int32(n.Out.Offset))
	for _, v := range n.In {
		code = append(code, int32(bit(v.Data)), int32(v.Offset))
	}
	for _, i := range fixed {
		code = appendNestRecord(code, n.Axes[i].State, n.strides(i), order)
	}
	for _, i := range append(outer, reduced...) {
		code = appendNestRecord(code, n.Axes[i].Size, n.strides(i), order)
	}
	code[start+1] = int32(len(code) - start)
	return code
}
