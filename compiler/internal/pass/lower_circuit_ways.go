package pass

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// Bounds on the search for the way down to each posterior. A circuit with more than maxWays
// different sets of posteriors that need a node keeps its nodes in the order of their numbers. A
// block holds at most maxWaysBlock of these sets.
const (
	maxWays      = 1 << 14
	maxWaysBlock = 64
)

// The price of one more block, in operations: of a call and of values that no longer stay in
// registers, or of a tape's shorter runs of equal nodes.
const (
	blockPrice      = 16
	largeBlockPrice = 256
)

// ways finds which nodes of a circuit each posterior needs beyond the probability of the evidence.
// Nodes that the same posteriors need form a class. Classes run in an order in which those of one
// branch of the clique tree are neighbours, and neighbours share a block if that makes the
// posteriors cheaper.
type ways struct {
	*circuitLowering
	sets  *setPool
	need  []int32 // by node: the set of posteriors that need it
	class []int32 // by set: its class, or -1
	of    []class
}

// class is the nodes that one set of posteriors needs.
type class struct {
	set   int32
	nodes []circuit.Node
	next  []int32 // classes that use it
	wait  int     // classes that it uses and that have no place in the order yet
}

// sequence returns the nodes that are computed, in the order in which blocks compute them, and the
// places after which a block must end. If a query asks for a single posterior, the nodes of its way
// down are in few blocks.
func (k *circuitLowering) sequence(price int) (seq []circuit.Node, ends []int) {
	w := &ways{circuitLowering: k, sets: newSetPool(len(k.singles()))}
	if w.sets.bits > 0 && w.findNeed() {
		w.findClasses()
		return w.merge(w.inOrder(), price)
	}
	for i, uses := range k.uses {
		if uses > 0 && k.c.Nodes.Op(circuit.Node(i)) >= circuit.Sum {
			seq = append(seq, circuit.Node(i))
		}
	}
	return seq, nil
}

// singles returns the variables whose posterior is a query of its own.
func (k *circuitLowering) singles() (vars []ir.CircuitOut) {
	for i := range k.c.Entries {
		if e := &k.c.Entries[i]; e.Query.Kind == ir.Posterior {
			vars = append(vars, e.Outs...)
		}
	}
	return vars
}

// findNeed finds the sets of posteriors that need each node. It reports whether there are at most
// maxWays of them.
func (w *ways) findNeed() bool {
	c := w.c.Nodes
	w.need = make([]int32, c.Len())
	for _, e := range w.c.Entries {
		w.need[e.Root] = fullSet
	}
	for n, on := range w.walked {
		if on {
			w.need[n] = fullSet
		}
	}
	for i, o := range w.singles() {
		set := w.sets.single(i)
		for _, n := range o.Nodes {
			w.need[n] = w.sets.union(w.need[n], set)
		}
	}
	group := make([]int32, len(w.c.Scaled))
	ends := make(map[circuit.Node][]int)
	for g, s := range w.c.Scaled {
		last := slices.Max(s.Nodes)
		ends[last] = append(ends[last], g)
	}
	for i := c.Len() - 1; i >= 0; i-- {
		n := circuit.Node(i)
		for _, g := range slices.Backward(ends[n]) { // all values of the group are above
			for _, x := range w.c.Scaled[g].Nodes {
				w.need[x] = w.sets.union(w.need[x], group[g])
			}
		}
		set := w.need[n]
		if set == emptySet {
			continue
		}
		if c.Op(n) >= circuit.Sum {
			a, b := c.Args(n)
			w.need[a], w.need[b] = w.sets.union(w.need[a], set), w.sets.union(w.need[b], set)
		} else if c.Op(n) == circuit.Input {
			if l := w.c.Leaves[c.Leaf(n)]; l.Kind == ir.LeafScaled {
				group[l.Table] = w.sets.union(group[l.Table], set)
			}
		}
		if len(w.sets.words) > maxWays {
			return false
		}
	}
	return true
}

// findClasses puts each node that is computed into the class of its set, and finds which classes
// use which.
func (w *ways) findClasses() {
	c := w.c.Nodes
	w.class = slices.Repeat([]int32{-1}, len(w.sets.words))
	edges := map[[2]int32]bool{}
	for i, uses := range w.uses {
		n := circuit.Node(i)
		if uses == 0 || c.Op(n) < circuit.Sum {
			continue
		}
		at := &w.class[w.need[n]]
		if *at < 0 {
			*at = int32(len(w.of))
			w.of = append(w.of, class{set: w.need[n]})
		}
		w.of[*at].nodes = append(w.of[*at].nodes, n)
		a, b := c.Args(n)
		for _, x := range [2]circuit.Node{a, b} {
			w.edge(edges, x, *at)
			for _, y := range w.rescaledWith(x) {
				w.edge(edges, y, *at)
			}
		}
	}
}

// rescaledWith returns the nodes of the group that n is a rescaled value of, or nil.
func (w *ways) rescaledWith(n circuit.Node) []circuit.Node {
	if w.c.Nodes.Op(n) == circuit.Input {
		if l := w.c.Leaves[w.c.Nodes.Leaf(n)]; l.Kind == ir.LeafScaled {
			return w.c.Scaled[l.Table].Nodes
		}
	}
	return nil
}

// edge notes that class to uses the node from.
func (w *ways) edge(edges map[[2]int32]bool, from circuit.Node, to int32) {
	if w.c.Nodes.Op(from) < circuit.Sum {
		return
	}
	source := w.class[w.need[from]]
	if e := [2]int32{source, to}; source != to && !edges[e] {
		edges[e] = true
		w.of[source].next = append(w.of[source].next, to)
		w.of[to].wait++
	}
}

// inOrder returns the classes in an order in which each follows those that it uses. A class follows
// the last one that it uses at once if it can, so that the classes of one branch are neighbours.
func (w *ways) inOrder() []int32 {
	var order, stack []int32
	for i := range w.of {
		if w.of[i].wait == 0 {
			stack = append(stack, int32(i))
		}
	}
	slices.Reverse(stack)
	for len(stack) > 0 {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		order = append(order, x)
		for _, y := range w.of[x].next {
			if w.of[y].wait--; w.of[y].wait == 0 {
				stack = append(stack, y)
			}
		}
	}
	return order
}

// merge puts neighbouring classes into common blocks, so that the sum over all posteriors of the
// operations and blocks that they run is least, and the blocks of all posteriors together cost as
// much again.
func (w *ways) merge(order []int32, price int) (seq []circuit.Node, ends []int) {
	best := make([]float64, len(order)+1) // by place: the least cost of the classes from there on
	end := make([]int, len(order))
	for i := len(order) - 1; i >= 0; i-- {
		best[i] = math.Inf(1)
		set, ops := int32(emptySet), 0
		for j := i; j < min(len(order), i+maxWaysBlock); j++ {
			c := &w.of[order[j]]
			set, ops = w.sets.union(set, c.set), ops+len(c.nodes)
			cost := float64(w.sets.size(set))*float64(ops+price) + float64(w.sets.bits*price) + best[j+1]
			if cost < best[i] {
				best[i], end[i] = cost, j+1
			}
		}
	}
	for i := 0; i < len(order); i = end[i] {
		from := len(seq)
		for _, x := range order[i:end[i]] {
			seq = append(seq, w.of[x].nodes...)
		}
		slices.Sort(seq[from:])
		ends = append(ends, len(seq))
	}
	return seq, ends
}
