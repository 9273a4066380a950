package vector

import (
	"cmp"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/symbolic"
)

// Contract adds the operations of c and records its result. c has no fixed axis.
//
// The sums go over the reduced axes in the order of symbolic.Order. An operand is multiplied in the
// innermost sum on which it depends, those with fewer elements first, so that more products are
// equal.
func (g *Graph) Contract(c *ir.Contract) {
	x := newExpansion(g, c, -1)
	m := Message{Contract: c, First: ID(len(g.Nodes))}
	if c.Reduce == ir.ReduceSum {
		x, m.Others = g.cheapest(x)
	}
	g.Set(c.Out.Span, x.run())
	m.End = ID(len(g.Nodes))
	m.Choice = Choice{x.across, costOf(g.Nodes[m.First:])}
	g.Messages = append(g.Messages, m)
}

// Message is the plan of a contraction.
type Message struct {
	Contract   *ir.Contract
	Choice     Choice
	Others     []Choice // what was counted and takes no fewer instructions
	First, End ID       // the nodes that it added: from First to End-1
}

// Choice is a way of expanding a contraction, and the instructions that it adds.
type Choice struct {
	Across int // the axis whose states are lanes, or -1 if the lanes are neighbours in the result
	Cost   float64
}

// cheapest returns, among the expansion x over the places of the result and those over states of a
// reduced axis, the one with the fewest instructions, and the others.
func (g *Graph) cheapest(x *expansion) (best *expansion, others []Choice) {
	best = x
	least := Choice{x.across, x.cost()}
	for i, a := range x.c.Axes {
		if a.Kind != ir.AxisReduced || a.Size < 3 {
			continue
		}
		y := newExpansion(g, x.c, i)
		if !y.padded(i) {
			continue
		}
		n := Choice{i, y.cost()}
		if n.Cost < least.Cost {
			best, least, n = y, n, least
		}
		others = append(others, n)
	}
	return best, others
}

// expansion is a contraction that is being added to a graph.
type expansion struct {
	g       *Graph
	c       *ir.Contract
	op      Op    // Add or Max
	across  int   // the reduced axis whose states are lanes, or -1
	reduced []int // the other reduced axes, outermost first
	levels  [][]int
	at      [][Lanes]int32 // by operand: the current places
	lanes   mask           // the lanes that have places
	matter  mask           // the lanes that matter: across an axis all do, since they are added
}

func newExpansion(g *Graph, c *ir.Contract, across int) *expansion {
	x := &expansion{g: g, c: c, op: Add, across: across, at: make([][Lanes]int32, len(c.In))}
	if c.Reduce == ir.ReduceMax {
		x.op = Max
	}
	for _, i := range symbolic.Order(c.Axes, c.In) {
		if c.Axes[i].Kind == ir.AxisReduced && i != across {
			x.reduced = append(x.reduced, i)
		}
	}
	x.levels = make([][]int, len(x.reduced)+2)
	for k := range c.In {
		l := x.level(k)
		x.levels[l] = append(x.levels[l], k)
	}
	for _, ops := range x.levels {
		slices.SortStableFunc(ops, func(a, b int) int { return cmp.Compare(x.volume(a), x.volume(b)) })
	}
	return x
}

// level returns where operand k is multiplied: 0 after all sums, 1 in the sum across lanes, and i+2
// in the sum over reduced axis i.
func (x *expansion) level(k int) int {
	for i := len(x.reduced) - 1; i >= 0; i-- {
		if x.c.In[k].Stride[x.reduced[i]] != 0 {
			return i + 2
		}
	}
	if x.across >= 0 && x.c.In[k].Stride[x.across] != 0 {
		return 1
	}
	return 0
}

// volume returns the number of elements of operand k that the loops reach.
func (x *expansion) volume(k int) int {
	n := 1
	for i, st := range x.c.In[k].Stride {
		if st != 0 {
			n *= x.c.Axes[i].Size
		}
	}
	return n
}

// padded reports whether the last lanes across axis i add 0: they are all states, or a constant is
// 0 there.
func (x *expansion) padded(i int) bool {
	return x.c.Axes[i].Size%Lanes == 0 || slices.ContainsFunc(x.c.In, func(v ir.View) bool {
		return v.Stride[i] != 0 && x.g.p.Spans[v.Span].Role == ir.RoleConst
	})
}

// cost returns the number of instructions that the expansion would add to the graph, which it
// leaves as it was.
func (x *expansion) cost() float64 {
	n := len(x.g.Nodes)
	x.run()
	cost := costOf(x.g.Nodes[n:])
	x.g.cut(n)
	return cost
}

// run adds the nodes and returns the groups of the result.
func (x *expansion) run() []ID {
	groups := make([]ID, (x.g.p.Spans[x.c.Out.Span].Len+Lanes-1)/Lanes)
	for i := range groups {
		groups[i] = None
	}
	for i, places := range x.places(len(groups)) {
		if places == nil {
			continue
		}
		groups[i] = x.group(places)
		if x.g.Nodes[groups[i]].Op == Load {
			groups[i] = x.g.add(Node{Op: Copy, Args: [Lanes]ID{groups[i], None, None, None}})
		}
	}
	return groups
}

// element is an element of the result: its lane and its states along all axes, 0 along the reduced
// ones.
type element struct {
	lane  int
	state []int
}

// places returns the elements of each group.
func (x *expansion) places(groups int) [][]element {
	out := make([][]element, groups)
	state := make([]int, len(x.c.Axes))
	var walk func(axis, at int)
	walk = func(axis, at int) {
		if axis == len(state) {
			out[at/Lanes] = append(out[at/Lanes], element{at % Lanes, slices.Clone(state)})
			return
		}
		if x.c.Axes[axis].Kind == ir.AxisReduced {
			walk(axis+1, at)
			return
		}
		for s := range x.c.Axes[axis].Size {
			state[axis] = s
			walk(axis+1, at+s*x.c.Out.Stride[axis])
		}
		state[axis] = 0
	}
	walk(0, 0)
	return out
}

// group returns the vector of some elements of the result.
func (x *expansion) group(elements []element) ID {
	g := x.g
	x.lanes = 0
	for _, e := range elements {
		x.lanes |= 1 << e.lane
		for k := range x.at {
			x.at[k][e.lane] = int32(x.offset(k, e.state))
		}
	}
	lanes, before := x.lanes, slices.Clone(x.at)
	x.matter = lanes
	after := x.times(g.constant(ones), 0)
	if g.isConst(after, 0, lanes) {
		return after
	}
	if x.across < 0 {
		return g.mul(after, x.sum(0), lanes)
	}
	sums := Node{Op: Across, Args: [Lanes]ID{None, None, None, None}}
	for _, e := range elements {
		sums.Args[e.lane] = x.sumAcross(before, e.lane)
	}
	return g.mul(after, g.add(sums), lanes)
}

// ones is the vector of ones.
var ones = [Lanes]float64{1, 1, 1, 1}

// sumAcross returns the vector with lanes that add up to the element of the given lane.
func (x *expansion) sumAcross(before [][Lanes]int32, lane int) ID {
	g := x.g
	zero := g.constant([Lanes]float64{})
	sum := zero
	x.matter = all
	for first := 0; first < x.c.Axes[x.across].Size; first += Lanes {
		x.lanes = 0
		for l := range Lanes {
			s := first + l
			if s < x.c.Axes[x.across].Size {
				x.lanes |= 1 << l
			}
			for k := range x.at {
				x.at[k][l] = before[k][lane] + int32(s*x.c.In[k].Stride[x.across])
			}
		}
		n := x.times(g.constant(ones), 1)
		if n = g.mul(n, x.sum(0), all); n != zero {
			sum = g.reduce(x.op, sum, n)
		}
	}
	return sum
}

// offset returns the place of an operand's element at the given states.
func (x *expansion) offset(k int, state []int) int {
	at := 0
	for i, s := range state {
		at += s * x.c.In[k].Stride[i]
	}
	return at
}

// times multiplies n by the operands of a level at their current places.
func (x *expansion) times(n ID, level int) ID {
	for _, k := range x.levels[level] {
		if x.g.isConst(n, 0, all) {
			return n
		}
		n = x.g.mul(n, x.g.load(x.c, &x.c.In[k], x.at[k], x.lanes, x.matter == all), x.matter)
	}
	return n
}

// sum returns the reduction over the given reduced axis and those after it.
func (x *expansion) sum(axis int) ID {
	g := x.g
	if axis == len(x.reduced) {
		return g.constant(ones)
	}
	zero := g.constant([Lanes]float64{})
	acc := zero
	i := x.reduced[axis]
	for range x.c.Axes[i].Size {
		if n := x.times(g.constant(ones), axis+2); !g.isConst(n, 0, x.matter) {
			n = g.mul(n, x.sum(axis+1), x.matter)
			acc = g.reduce(x.op, acc, n)
		}
		x.move(i, 1)
	}
	x.move(i, -x.c.Axes[i].Size)
	return acc
}

// move moves the places of all operands by n states along an axis.
func (x *expansion) move(axis, n int) {
	for k := range x.at {
		step := int32(n * x.c.In[k].Stride[axis])
		for l := range x.at[k] {
			x.at[k][l] += step
		}
	}
}
