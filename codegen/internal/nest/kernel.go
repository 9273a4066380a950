package nest

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/symbolic"
)

// kernel writes one contraction as
//
//	for each axis of the result that is not in the tile {
//		accumulators, one for each element of the tile's result
//		for each reduced axis that is not in the tile {
//			accumulators += the tile, an expression for each element
//		}
//		result = accumulators times the operands without a reduced axis
//	}
//
// If an operand does not depend on inner reduced loops, these loops have accumulators of their own,
// with values that are multiplied by the operand once. The expressions are a circuit: an operation
// is written in the innermost loop on which its operands depend, so that no operation is in a loop
// without need.
type kernel struct {
	tiled
	w       *writer
	of      *ir.Contract
	id      string // distinguishes the names of the kernel's variables
	fixed   []bool // by operand, the result first: whether its start depends on states
	c       *circuit.Circuit
	loops   []int // axes, outermost first; body i is that of loops[i-1]
	results int   // the number of loops over axes of the result
	tile    [2][]int
	leaves  []leaf
	sums    []accumulators // of the reduced loops, outermost first
	stores  []circuit.Node // the elements of the tile's result
	text    *schedule
}

// leaf is an input of the circuit: an element of an operand at an offset from the current position
// of the loops, or an accumulator.
type leaf struct {
	in     int // the index of the operand; -1: an accumulator
	offset int
	site   site
	name   string
}

// accumulators holds the accumulators of a reduced loop, which adds the values to them.
type accumulators struct {
	values []circuit.Node // all different
	leaves []circuit.Node // the sums, as inputs of what follows the loop
	own    bool           // false: the loop shares the accumulators of the next loop within it
}

func (w *writer) contract(c *ir.Contract) {
	w.text.WriteString(backend.Caption(w.p, c.Out.Span))
	s := shapeOf(c, w.out.Ranges.Narrowed(c))
	if w.methods != nil && s.products() >= leastShared {
		w.callOf(c, s)
		return
	}
	w.line("{")
	fixed := make([]bool, len(s.in)+1)
	for i, op := range s.operands() {
		if terms := w.terms(c.Axes, op.view.Stride); terms != "" {
			w.line("f%d := (*[%d]float64)(%s[%d%s:])", i, s.extent(op), w.memory(op.view.Span), w.p.Spans[op.view.Span].Offset, terms)
			fixed[i] = true
		} else {
			op.start = w.p.Spans[op.view.Span].Offset
		}
	}
	w.nests(c, s, fixed)
	w.line("}")
}

// nests writes the kernels of c, which has shape s.
func (w *writer) nests(c *ir.Contract, s *shape, fixed []bool) {
	all := s.clone().kernels()
	n := w.narrowing(c, all)
	for i := range c.Axes {
		if n.some[i] {
			w.limits(c, i)
		}
	}
	n.clear()
	if other := w.tile(c, s, fixed); other != "" {
		w.line("if %s {", other)
		defer w.line("}")
	}
	for i, t := range all {
		k := &kernel{tiled: t, w: w, of: c, fixed: fixed, c: circuit.New()}
		if i > 0 {
			k.id = string(rune('a' + i - 1))
		}
		k.arrange()
		k.build()
		guard := n.guard(&t)
		if guard != "" {
			w.line("if %s {", guard)
		}
		k.steps()
		k.write()
		if guard != "" {
			w.line("}")
		}
	}
}

// arrange divides the axes into loops and the tile.
func (k *kernel) arrange() {
	for i, a := range k.axes {
		part := 0
		if a.reduced {
			part = 1
		}
		if k.unrolled[i] {
			k.tile[part] = append(k.tile[part], i)
			continue
		}
		k.loops = append(k.loops, i)
		if !a.reduced {
			k.results++
		}
	}
}

// level returns the number of the innermost loop on which operand op depends, apart from the tile,
// or 0.
func (k *kernel) level(op *operand) int {
	for i := len(k.loops) - 1; i >= 0; i-- {
		if op.stride[k.loops[i]] != 0 {
			return i + 1
		}
	}
	return 0
}

// stage returns where operand op is multiplied: 0 after all sums, i within reduced loop i, and
// reducedLoops()+1 within the tile.
func (k *kernel) stage(op *operand) int {
	for _, i := range k.tile[1] {
		if op.stride[i] != 0 {
			return k.reducedLoops() + 1
		}
	}
	return max(0, k.level(op)-k.results)
}

func (k *kernel) reducedLoops() int { return len(k.loops) - k.results }

// build makes the expressions: first the tile's, then the ones of each reduced loop from the
// innermost outwards, then the result.
func (k *kernel) build() {
	last := k.reducedLoops()
	now := k.product(last+1, true)
	k.sums = make([]accumulators, last)
	for i := last; i > 0; i-- {
		own := k.multiply(now, k.product(i, false)) || i == last
		acc := &k.sums[i-1]
		acc.own = own
		if own {
			now = k.accumulate(acc, now, i)
		}
	}
	k.multiply(now, k.product(0, false))
	k.stores = now
}

// multiply multiplies each element of now by its factor. It reports whether any factor is not 1.
func (k *kernel) multiply(now, factors []circuit.Node) (any bool) {
	for i, f := range factors {
		any = any || f != circuit.One
		now[i] = k.c.Prod(now[i], f)
	}
	return any
}

// accumulate makes the accumulators of loop i for the given values, and returns the inputs that are
// their sums.
func (k *kernel) accumulate(acc *accumulators, values []circuit.Node, i int) []circuit.Node {
	index := map[circuit.Node]int{}
	out := make([]circuit.Node, len(values))
	for e, v := range values {
		n, ok := index[v]
		if !ok {
			n = len(acc.values)
			index[v] = n
			l := leaf{in: -1, site: site{k.results + k.outermost(i) - 1, true}, name: fmt.Sprintf("sum%s%d_%d", k.id, i, n)}
			k.leaves = append(k.leaves, l)
			acc.values = append(acc.values, v)
			acc.leaves = append(acc.leaves, k.c.Input(int32(len(k.leaves)-1)))
		}
		out[e] = acc.leaves[n]
	}
	return out
}

// outermost returns the first of the reduced loops that share the accumulators of loop i, because
// no operand is multiplied between them.
func (k *kernel) outermost(i int) int {
	for i > 1 && !k.has(i-1) {
		i--
	}
	return i
}

// has reports whether an operand is multiplied at a stage.
func (k *kernel) has(stage int) bool {
	for n := range k.in {
		if k.stage(&k.in[n]) == stage {
			return true
		}
	}
	return false
}

// product returns, for each element of the tile's result, the product of the operands of a stage.
// If tile is true, it is reduced over the tile's reduced axes.
func (k *kernel) product(stage int, tile bool) []circuit.Node {
	x := symbolic.Expansion{Circuit: k.c, Max: k.max, Left: new(int)}
	*x.Left = 1 << 30
	if !tile {
		return k.factors(stage)
	}
	axes := append(k.tile[0][:len(k.tile[0]):len(k.tile[0])], k.tile[1]...)
	count := 1
	for _, i := range axes {
		x.Axes = append(x.Axes, symbolic.Axis{Size: k.axes[i].size, Reduced: k.axes[i].reduced})
		x.Out = append(x.Out, 0)
	}
	for i := len(k.tile[0]) - 1; i >= 0; i-- {
		x.Out[i] = count
		count *= k.axes[k.tile[0][i]].size
	}
	for n := range k.in {
		if k.stage(&k.in[n]) == stage {
			x.In = append(x.In, symbolic.Operand{Stride: symbolic.Along(k.in[n].stride, axes), At: k.reader(n), Volume: volume(k.of, &k.in[n].view)})
		}
	}
	nodes := make([]circuit.Node, count)
	x.Set = func(e int, n circuit.Node) { nodes[e] = n }
	if err := x.Run(); err != nil {
		panic("nest: " + err.Error()) // a tile is within the limit
	}
	return nodes
}

// factors returns, for each element of the tile's result, the product of the operands of a stage
// that do not depend on the tile's reduced axes, small ones first.
func (k *kernel) factors(stage int) []circuit.Node {
	count := 1
	for _, i := range k.tile[0] {
		count *= k.axes[i].size
	}
	nodes := slices.Repeat([]circuit.Node{circuit.One}, count)
	var in []int
	for n := range k.in {
		if k.stage(&k.in[n]) == stage {
			in = append(in, n)
		}
	}
	slices.SortStableFunc(in, func(a, b int) int {
		return cmp.Compare(volume(k.of, &k.in[a].view), volume(k.of, &k.in[b].view))
	})
	for _, n := range in {
		at := k.reader(n)
		for e := range nodes {
			nodes[e] = k.c.Prod(nodes[e], at(k.along(&k.in[n], e)))
		}
	}
	return nodes
}

// along returns the offset, from the current position of the loops, at which an operand meets
// element e of the tile's result.
func (k *kernel) along(op *operand, e int) int {
	offset := 0
	for _, i := range slices.Backward(k.tile[0]) {
		offset += e % k.axes[i].size * op.stride[i]
		e /= k.axes[i].size
	}
	return offset
}

// reader returns a function that returns the elements of operand n as inputs.
func (k *kernel) reader(n int) func(int) circuit.Node {
	seen := map[int]circuit.Node{}
	return func(offset int) circuit.Node {
		node, ok := seen[offset]
		if !ok {
			k.leaves = append(k.leaves, leaf{in: n, offset: offset, site: site{k.level(&k.in[n]), false}})
			node = k.c.Input(int32(len(k.leaves) - 1))
			seen[offset] = node
		}
		return node
	}
}
