package assemble

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/price"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// The operations of lanes for RunLaneSteps.
const (
	laneNest = laneApply + 1 + iota
	laneRescale
	laneNormalize
)

// The kinds of tiles of a contraction in lanes.
const (
	tileNone = iota
	tileLanes
	tileBoth
	tileMixed
	tileData
	tileMatrix
	tileTable
)

// The largest contraction in lanes.
const (
	laneOperands = 16
	laneOuter    = 32
	laneTile     = 1 << 17 // products of a tile, which nothing interrupts
)

// LaneTable is a table of lanes: its first slot, and their number.
type LaneTable struct{ Slot, Len int }

// LaneRescale appends the instruction that rescales a table as ir.Rescale does, by a factor of each
// lane that is left in slot factor. It adds the exponents to slot exp unless that is negative.
func LaneRescale(code []int32, t LaneTable, factor, exp int) []int32 {
	return append(code, laneRescale, 6, place(t.Slot), int32(t.Len), place(factor), max(place(exp), -1))
}

// LaneNormalize appends the instruction that normalises a table as ir.Normalize does, by a factor
// of each lane that is left in slot factor. Slot marks becomes 1 in the lanes with a sum without a
// good reciprocal.
func LaneNormalize(code []int32, t LaneTable, factor, marks int) []int32 {
	return append(code, laneNormalize, 6, place(t.Slot), int32(t.Len), place(factor), place(marks))
}

// LaneTableNS returns the predicted time of LaneRescale or LaneNormalize for eight rows.
func LaneTableNS(t LaneTable) float64 {
	return price.Lane.Dispatch + float64(price.Lane.Slot*float64(t.Len))
}

// LaneNests turns contractions of a program into instructions for RunLaneSteps.
type LaneNests struct {
	Program *ir.Program
	Slot    func(ir.SpanID) int // the first slot of a span of work memory
	Scratch int                 // the first of the slots for intermediate products
	Used    int                 // the most slots from Scratch on that a contraction needs
	NS      float64             // the predicted time of all contractions so far, for eight rows
}

// Append appends the instructions of c. ok is false if lanes cannot run it.
func (w *LaneNests) Append(code []int32, c *ir.Contract) (out []int32, ok bool) {
	for _, a := range c.Axes {
		if a.Kind == ir.AxisFixed {
			return nil, false
		}
	}
	if c.Reduce == ir.ReduceMax {
		return nil, false
	}
	place := func(id ir.SpanID) Place {
		if s := &w.Program.Spans[id]; s.ReadOnly() {
			return Place{Offset: s.Offset}
		}
		return Place{Offset: w.Slot(id)}
	}
	return w.append(code, New(w.Program, place, nil, 0).nest(c), 0)
}

// append appends the instructions of n, which has used some slots of the scratch. If more than two
// operands change along a sum, two of them are multiplied beforehand.
func (w *LaneNests) append(code []int32, n *nest, used int) (out []int32, ok bool) {
	plan := planLanes(n)
	unused := len(plan.varying) == 0 && plan.sum.size > 1 // a sum of equal products
	if unused || len(n.In) > laneOperands || len(plan.outer) > laneOuter {
		return nil, false
	}
	if i, j := n.pair(plan.varying); i >= 0 {
		product, size := n.product(i, j, w.Scratch+used)
		used += size
		w.Used = max(w.Used, used)
		code, ok = w.append(code, product, used)
		if !ok {
			return nil, false
		}
		rest := &nest{Axes: n.Axes, Out: n.Out}
		for k, v := range n.In {
			if k != i && k != j {
				rest.In = append(rest.In, v)
			}
		}
		rest.In = append(rest.In, n.spread(product.Out, i, j))
		return w.append(code, rest, used)
	}
	w.NS += price.Lane.Dispatch + plan.ns
	return plan.append(code, n), true
}

// lanePlan divides the loops of a contraction in lanes into the outer ones, the rows of a tile and
// the sum of a row. The tile of a matrix product has columns besides rows.
type lanePlan struct {
	outer            []nestLoop
	row, column, sum nestLoop
	varying          []int   // the operands that change along the sum; of a matrix product, the one that changes with rows first
	matrix           bool    // a matrix product
	ns               float64 // predicted time for eight rows
}

// planLanes chooses the tile that takes least time.
func planLanes(n *nest) lanePlan {
	loops := n.loops()
	reduces := slices.ContainsFunc(loops, func(l nestLoop) bool { return l.stride[0] == 0 })
	best := lanePlan{ns: math.Inf(1)}
	for s := -1; s < len(loops); s++ {
		if s >= 0 && loops[s].stride[0] != 0 || s < 0 && reduces {
			continue
		}
		for r := -1; r < len(loops); r++ {
			for c := -1; c < len(loops); c++ {
				plan := n.lanePlan(loops, s, r, c)
				if plan.ns < best.ns {
					best = plan
				}
			}
		}
	}
	return best
}

// lanePlan returns the plan with the given loops as sum, rows and columns; -1 is no loop. Its time
// is infinite if it cannot be.
func (n *nest) lanePlan(loops []nestLoop, s, r, c int) lanePlan {
	p := lanePlan{matrix: c >= 0, ns: math.Inf(1)}
	for _, l := range []struct {
		to *nestLoop
		i  int
	}{{&p.sum, s}, {&p.row, r}, {&p.column, c}} {
		*l.to = nestLoop{size: 1, stride: make([]int, 1+len(n.In))}
		if l.i >= 0 {
			*l.to = loops[l.i]
		}
	}
	if r >= 0 && p.row.stride[0] == 0 || c >= 0 && (r < 0 || r == c || p.column.stride[0] == 0) {
		return p
	}
	for k := range n.In {
		if p.sum.stride[1+k] != 0 {
			p.varying = append(p.varying, k)
		}
	}
	if p.matrix && !p.orderMatrix(n) {
		return p
	}
	p.outer = withoutLoops(loops, []int{r, c, s})
	p.ns = p.tile(n)
	for _, l := range p.outer {
		p.ns *= float64(l.size)
	}
	if p.row.size*p.column.size*p.sum.size > laneTile {
		p.ns *= 1e6
	}
	return p
}

// orderMatrix reports whether p is a matrix product of two operands. The first changes with rows
// and the second, in lanes, with columns.
func (p *lanePlan) orderMatrix(n *nest) bool {
	if len(n.In) != 2 || len(p.varying) != 2 {
		return false
	}
	if p.row.stride[1] == 0 {
		p.varying = []int{1, 0}
	}
	a, b := 1+p.varying[0], 1+p.varying[1]
	return p.row.stride[a] != 0 && p.row.stride[b] == 0 && p.column.stride[b] != 0 && p.column.stride[a] == 0 && !n.In[b-1].Data
}

// tile predicts the time of a tile.
func (p *lanePlan) tile(n *nest) float64 {
	ns := price.Lane.Tile + float64(price.Lane.View*float64(1+len(n.In)))
	if p.matrix {
		blocks := float64((p.row.size + 3) / 4 * ((p.column.size + 3) / 4))
		return ns + float64(blocks*(price.Lane.Block+float64(price.Lane.Matrix*float64(p.sum.size))))
	}
	group := price.Lane.Group + float64(price.Lane.Factor*float64(len(n.In)-len(p.varying)+1))
	if len(p.varying) > 0 {
		loads, far := 0, 0
		for _, k := range p.varying {
			more := 1
			if p.row.stride[1+k] != 0 {
				more = 4
			}
			loads += more
			if !n.In[k].Data {
				far += more
			}
		}
		term := price.Lane.Term + float64(price.Lane.Load*float64(max(0, loads-4))) + float64(price.Lane.Far*float64(far))
		group += float64(term * float64(p.sum.size))
	}
	ns += float64(group * float64((p.row.size+3)/4))
	if more := len(p.varying) - 2; more > 0 {
		ns += float64(price.Lane.Mix * float64(more*p.row.size*p.sum.size))
	}
	return ns
}

// pair returns two of the operands that change along the sum, if no tile multiplies them all: the
// two with the smallest product, at least one of them in lanes if possible.
func (n *nest) pair(varying []int) (i, j int) {
	if len(varying) < 2 || len(varying) == 2 && !(n.In[varying[0]].Data && n.In[varying[1]].Data) {
		return -1, -1
	}
	i, j = -1, -1
	least := math.Inf(1)
	for x, a := range varying {
		for _, b := range varying[x+1:] {
			size := 1.0
			for axis, s := range n.Axes {
				if n.moves(a, b, axis) {
					size *= float64(s.Size)
				}
			}
			if n.In[a].Data && n.In[b].Data {
				size *= 1e9
			}
			if size < least {
				i, j, least = a, b, size
			}
		}
	}
	return i, j
}

// moves reports whether one of two operands changes along an axis that loops.
func (n *nest) moves(i, j, axis int) bool {
	return n.Axes[axis].State == looping && (n.In[i].Stride[axis] != 0 || n.In[j].Stride[axis] != 0)
}

// product returns the contraction that multiplies two operands into the slots from first on, and
// the number of these slots.
func (n *nest) product(i, j, first int) (m *nest, size int) {
	m, size = &nest{Out: nestView{Offset: first}, In: []nestView{n.In[i], n.In[j]}}, 1
	for k := range m.In {
		m.In[k].Stride = nil
	}
	for axis, a := range slices.Backward(n.Axes) {
		if n.moves(i, j, axis) {
			m.Axes = append(m.Axes, a)
			m.Out.Stride = append(m.Out.Stride, size)
			m.In[0].Stride = append(m.In[0].Stride, n.In[i].Stride[axis])
			m.In[1].Stride = append(m.In[1].Stride, n.In[j].Stride[axis])
			size *= a.Size
		}
	}
	slices.Reverse(m.Axes)
	slices.Reverse(m.Out.Stride)
	slices.Reverse(m.In[0].Stride)
	slices.Reverse(m.In[1].Stride)
	return m, size
}

// spread returns the view of the product of two operands along all axes of n.
func (n *nest) spread(v nestView, i, j int) nestView {
	stride, next := make([]int, len(n.Axes)), 0
	for axis := range n.Axes {
		if n.moves(i, j, axis) {
			stride[axis] = v.Stride[next]
			next++
		}
	}
	v.Stride = stride
	return v
}

// append appends the instruction of n by the plan; lanes_nest.go of the runtime documents it.
func (p *lanePlan) append(code []int32, n *nest) []int32 {
	order, kind := p.order(n)
	start := len(code)
	code = append(code, laneNest, 0, int32(p.row.size), int32(p.sum.size), int32(kind), int32(1+len(p.varying)),
		int32(1+len(order)), int32(len(p.outer)), int32(p.column.size), int32(p.column.stride[0]*pgmrt.Lanes), 0, 0)
	for i := range p.varying {
		code[start+10+i] = int32(p.sum.stride[1+order[i]] * n.lanesOf(1+order[i]))
	}
	views := []int{0}
	for _, k := range order {
		views = append(views, 1+k)
	}
	for _, v := range views {
		at := n.Out.Offset
		if v > 0 {
			at = n.In[v-1].Offset
		}
		code = append(code, int32(at*n.lanesOf(v)))
	}
	for i, v := range views {
		stride := p.row.stride[v]
		if p.matrix && i == 2 {
			stride = p.column.stride[v]
		}
		code = append(code, int32(stride*n.lanesOf(v)))
	}
	for _, v := range views {
		code = append(code, int32(bit(n.lanesOf(v) == 1)))
	}
	wound := make([]int, 1+len(n.In))
	for _, l := range slices.Backward(p.outer) {
		code = append(code, int32(l.size), int32(bit(l.stride[0] == 0)))
		for _, v := range views {
			code = append(code, int32((l.stride[v]-wound[v])*n.lanesOf(v)))
		}
		for v, stride := range l.stride {
			wound[v] += stride * (l.size - 1)
		}
	}
	code[start+1] = int32(len(code) - start)
	return code
}

// order puts the operands that change along the sum first, one in data memory before one in lanes,
// and returns the kind of the tile.
func (p *lanePlan) order(n *nest) (order []int, kind int) {
	order = slices.Clone(p.varying)
	if p.matrix {
		return order, tileMatrix + bit(n.In[order[0]].Data)
	}
	slices.SortStableFunc(order, func(a, b int) int { return bit(n.In[b].Data) - bit(n.In[a].Data) })
	switch {
	case len(order) == 0:
		kind = tileNone
	case len(order) == 1 && n.In[order[0]].Data:
		kind = tileData
	case len(order) == 1:
		kind = tileLanes
	case n.In[order[0]].Data:
		kind = tileMixed
	default:
		kind = tileBoth
	}
	for k := range n.In {
		if !slices.Contains(p.varying, k) {
			order = append(order, k)
		}
	}
	return order, kind
}

// lanesOf returns how many numbers an element of view v takes: the result is view 0.
func (n *nest) lanesOf(v int) int {
	if v > 0 && n.In[v-1].Data {
		return 1
	}
	return pgmrt.Lanes
}
