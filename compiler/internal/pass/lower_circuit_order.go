package pass

import (
	"cmp"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// shape is what nodes must have in common so that a tape computes several at a time.
type shape struct {
	level  int32 // the length of the longest path to the node within its block
	own    bool  // no other block needs it
	single bool  // its terms are single elements
	terms  int32
}

// order sorts the nodes of a block by shape, and nodes of one shape by their numbers. Nodes of one
// level do not depend on each other, so that the tape can compute neighbours at one time. Most
// nodes of one shape are entries of one message, in the order of its separator.
func (k *circuitLowering) order(nodes []circuit.Node, exported []bool) {
	shapes := make(map[circuit.Node]shape, len(nodes))
	var terms [][2]circuit.Node
	for _, n := range nodes {
		terms = k.terms(terms[:0], n)
		s := shape{own: !exported[n], single: true, terms: int32(len(terms))}
		for _, t := range terms {
			s.single = s.single && t[1] < 0
			for _, x := range t {
				if arg, ok := shapes[x]; ok {
					s.level = max(s.level, arg.level+1)
				}
			}
		}
		shapes[n] = s
	}
	slices.SortFunc(nodes, func(a, b circuit.Node) int {
		return cmp.Or(shapes[a].compare(shapes[b]), cmp.Compare(a, b))
	})
}

func (s shape) compare(t shape) int {
	return cmp.Or(cmp.Compare(s.level, t.level), compareBool(s.own, t.own), compareBool(s.single, t.single), cmp.Compare(s.terms, t.terms))
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// inTurn gives consecutive places in span id to some of the nodes, and returns their number.
func (k *circuitLowering) inTurn(id ir.SpanID, nodes []circuit.Node, some func(circuit.Node) bool) (size int) {
	for _, n := range nodes {
		if some(n) {
			k.home[n] = placeOf(id, size)
			size++
		}
	}
	return size
}

// reuse gives places in span id to the nodes of a block that no other block needs. It reuses a
// place after the last use of its node, and returns the number of places.
func (k *circuitLowering) reuse(id ir.SpanID, nodes []circuit.Node, exported []bool) int {
	last := map[circuit.Node]int{}
	var terms [][2]circuit.Node
	each := func(n circuit.Node, do func(x circuit.Node)) {
		terms = k.terms(terms[:0], n)
		for _, t := range terms {
			for _, x := range t {
				if x >= 0 && k.kept[x] && !exported[x] {
					do(x)
				}
			}
		}
	}
	for i, n := range nodes {
		each(n, func(x circuit.Node) { last[x] = i })
	}
	var free []int
	size := 0
	for i, n := range nodes {
		each(n, func(x circuit.Node) {
			if last[x] == i {
				free = append(free, int(k.home[x].at))
				last[x] = -1
			}
		})
		if exported[n] {
			continue
		}
		at := size
		if len(free) > 0 {
			at, free = free[len(free)-1], free[:len(free)-1]
		} else {
			size++
		}
		k.home[n] = placeOf(id, at)
	}
	return size
}
