package vector

import "github.com/pgmc-go/pgmc/ir"

// Estimate returns about the number of instructions of a contraction by itself, as CostOf does, but
// without making its nodes. It does not know which constants are 0 or 1, and takes all loads of an
// operand to be as dear as the loads of the first states of the reduced axes.
func Estimate(p *ir.Program, c *ir.Contract) float64 {
	e := newEstimate(p, c)
	best := e.cost(-1)
	if c.Reduce == ir.ReduceSum {
		for i, a := range c.Axes {
			if a.Kind == ir.AxisReduced && a.Size >= 3 {
				best = min(best, e.cost(i))
			}
		}
	}
	return best
}

// estimate holds the common parts of the costs of all expansions of a contraction.
type estimate struct {
	p     *ir.Program
	c     *ir.Contract
	out   []int32   // the places of the elements of the result
	base  [][]int32 // by operand and element: the place in the operand
	pairs map[[2]int32]int32
	keys  map[[Lanes]int32]int32
}

func newEstimate(p *ir.Program, c *ir.Contract) *estimate {
	e := &estimate{p: p, c: c, out: []int32{0}, base: make([][]int32, len(c.In)), pairs: map[[2]int32]int32{}, keys: map[[Lanes]int32]int32{}}
	for k := range e.base {
		e.base[k] = []int32{0}
	}
	for i, a := range c.Axes {
		if a.Kind == ir.AxisOut {
			e.out = spread(e.out, a.Size, c.Out.Stride[i])
			for k, v := range c.In {
				e.base[k] = spread(e.base[k], a.Size, v.Stride[i])
			}
		}
	}
	return e
}

// spread returns the places at, each followed by the places of the other states of an axis.
func spread(at []int32, size, stride int) []int32 {
	out := make([]int32, 0, len(at)*size)
	for _, x := range at {
		for s := range size {
			out = append(out, x+int32(s*stride))
		}
	}
	return out
}

// cost returns the cost of an expansion, and numbers its loads by group or element: equal numbers
// are equal loads.
func (e *estimate) cost(across int) float64 {
	x := newExpansion(&Graph{p: e.p}, e.c, across)
	if across >= 0 && !x.padded(across) {
		return 1e300
	}
	groups := (e.p.Spans[e.c.Out.Span].Len + Lanes - 1) / Lanes
	cost := float64(groups) // stores
	chunks, n := 1.0, groups
	if across >= 0 {
		n = len(e.out)
		chunks = float64((e.c.Axes[across].Size + Lanes - 1) / Lanes)
		cost += 5*float64(groups) + (chunks-1)*float64(n)
	}
	loads := make([][]int32, len(e.c.In))
	for k := range e.c.In {
		states := e.states(x, k) * chunks
		var ns float64
		if across < 0 {
			loads[k], ns = e.groupLoads(k, groups)
		} else {
			loads[k], ns = e.elementLoads(k, across)
		}
		cost += ns * states
	}
	return cost + e.products(x, loads, n)*chunks
}

// states returns the number of states of the reduced axes that operand k depends on, apart from
// lanes.
func (e *estimate) states(x *expansion, k int) float64 {
	n := 1.0
	for _, i := range x.reduced {
		if e.c.In[k].Stride[i] != 0 {
			n *= float64(e.c.Axes[i].Size)
		}
	}
	return n
}

// groupLoads numbers the loads of operand k by group of the result, and returns the cost of those
// that differ.
func (e *estimate) groupLoads(k, groups int) (loads []int32, cost float64) {
	at := make([][Lanes]int32, groups)
	lanes := make([]mask, groups)
	for i, o := range e.out {
		at[o/Lanes][o%Lanes] = e.base[k][i]
		lanes[o/Lanes] |= 1 << (o % Lanes)
	}
	clear(e.keys)
	span := e.c.In[k].Span
	constant, room := e.p.Spans[span].Role == ir.RoleConst, reach(e.p, span)
	loads = make([]int32, groups)
	for i := range at {
		key := fill(at[i], lanes[i], room)
		n, ok := e.keys[key]
		if !ok {
			n = int32(len(e.keys))
			e.keys[key] = n
			if !constant {
				cost += loadCost[PatternOf(key)]
			}
		}
		loads[i] = n
	}
	return loads, cost
}

// elementLoads numbers the loads of operand k across an axis by element of the result, and returns
// the cost of those that differ.
func (e *estimate) elementLoads(k, across int) (loads []int32, cost float64) {
	each := loadCost[Scattered]
	switch e.c.In[k].Stride[across] {
	case 0:
		each = loadCost[Same]
	case 1:
		each = loadCost[Contiguous]
		if e.c.Axes[across].Size%Lanes != 0 && !dense(e.p, e.c, &e.c.In[k]) {
			each = loadCost[Window]
		}
	}
	if e.p.Spans[e.c.In[k].Span].Role == ir.RoleConst {
		each = 0
	}
	clear(e.pairs)
	loads = make([]int32, len(e.base[k]))
	for i, b := range e.base[k] {
		loads[i] = e.number(b, 0)
	}
	return loads, each * float64(len(e.pairs))
}

// number returns the number of a pair.
func (e *estimate) number(a, b int32) int32 {
	n, ok := e.pairs[[2]int32{a, b}]
	if !ok {
		n = int32(len(e.pairs))
		e.pairs[[2]int32{a, b}] = n
	}
	return n
}

// products returns the number of different products and sums, from the innermost sum outwards. n is
// the number of groups or elements.
func (e *estimate) products(x *expansion, loads [][]int32, n int) (cost float64) {
	inner := make([]int32, n) // the sums so far
	empty := true
	states := 1.0
	for _, i := range x.reduced {
		states *= float64(e.c.Axes[i].Size)
	}
	for level := len(x.levels) - 1; level >= 0; level-- {
		distinct := 1.0
		for _, k := range x.levels[level] {
			if empty {
				copy(inner, loads[k])
				empty = false
				continue
			}
			clear(e.pairs)
			for i := range inner {
				inner[i] = e.number(inner[i], loads[k][i])
			}
			distinct = float64(len(e.pairs))
			cost += distinct * states
		}
		if level >= 2 {
			size := float64(e.c.Axes[x.reduced[level-2]].Size)
			states /= size
			cost += distinct * states * (size - 1)
		}
	}
	return cost
}
