package pass

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// maxWays bounds the search for the way down to each posterior. A circuit with more than maxWays
// different sets of posteriors that need a node keeps its nodes in the order of their numbers.
const maxWays = 1 << 14

// The price of one more block, in operations: of a call and of values that no longer stay in
// registers, or of a tape's shorter runs of equal nodes.
const (
	blockPrice      = 16
	largeBlockPrice = 256
)

// ways finds which nodes of a circuit each posterior needs beyond the probability of the evidence.
type ways struct {
	*circuitLowering
	sets *setPool
	need []int32 // by node: the set of posteriors that need it
}

// sequence returns the nodes that are computed, in the order in which blocks compute them, and the
// places after which a block must end. If a query asks for a single posterior, the nodes of its way
// down are in few blocks.
func (k *circuitLowering) sequence(price int) (seq []circuit.Node, ends []int) {
	w := &ways{circuitLowering: k, sets: newSetPool(len(k.singles()))}
	if w.sets.bits > 0 && w.findNeed() {
		for _, nodes := range w.classes().blocks(price) {
			for _, n := range nodes {
				seq = append(seq, circuit.Node(n))
			}
			ends = append(ends, len(seq))
		}
		return seq, ends
	}
	for i, uses := range k.uses {
		if uses > 0 && k.c.Nodes.Op(circuit.Node(i)) >= circuit.Sum {
			seq = append(seq, circuit.Node(i))
		}
	}
	return seq, nil
}

// singles returns the variables with a posterior that is a query of its own.
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
		} else if g := w.c.Group(n); g >= 0 {
			group[g] = w.sets.union(group[g], set)
		}
		if len(w.sets.words) > maxWays {
			return false
		}
	}
	return true
}

// classes puts each node that is computed into the class of its set, and finds which classes use
// which.
func (w *ways) classes() *classes {
	c, k := w.c.Nodes, newClasses(w.sets)
	groups := make([][]int32, len(w.c.Scaled)) // by group: the classes of its nodes, once it is used
	for i, uses := range w.uses {
		n := circuit.Node(i)
		if uses == 0 || c.Op(n) < circuit.Sum {
			continue
		}
		at := k.add(w.need[n], int32(n), 1)
		a, b := c.Args(n)
		for _, x := range [2]circuit.Node{a, b} {
			if c.Op(x) >= circuit.Sum {
				k.edge(k.at[w.need[x]], at)
			}
			g := w.c.Group(x)
			if g >= 0 && groups[g] == nil { // its nodes have smaller numbers: they are in their classes
				groups[g] = w.classesOf(k, w.c.Scaled[g].Nodes)
			}
			if g >= 0 {
				for _, from := range groups[g] {
					k.edge(from, at)
				}
			}
		}
	}
	return k
}

// classesOf returns the classes of nodes that are computed, each once.
func (w *ways) classesOf(k *classes, nodes []circuit.Node) []int32 {
	list := []int32{}
	for _, n := range nodes {
		if at := k.at[w.need[n]]; w.c.Nodes.Op(n) >= circuit.Sum && !slices.Contains(list, at) {
			list = append(list, at)
		}
	}
	return list
}
