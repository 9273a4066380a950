package model

import "math/bits"

// Bounds of the search for operands that exclude each other: the number of pairs examined, where
// larger pairs count more than once; the number of pairs with a kept result; the number of words of
// the nodes' sets, 128 MB; and the depth of the search.
const (
	maxOverlaps     = 1 << 25
	maxKnown        = 1 << 20
	maxSupportWords = 1 << 24
	maxOverlapDepth = 4096
)

// Determinism looks for a sum with two operands that can be positive at one joint state. In such a
// circuit, the largest value need not be the value of the circuit with maxima for sums (selectivity
// in Peharz, Gens and Domingos, "Learning selective sum-product networks", 2014). Determinism
// returns the first such node and the reason, or -1 if there is none. It may return a node that is
// deterministic if that is too hard to establish. Sums of only numbers, and nodes that the root
// does not need, do not count. The circuit must be smooth and decomposable, see
// [Circuit.Structure].
//
// Two nodes exclude each other if some variable has no state that is possible in both, if all
// operands of a sum exclude the other node, or if two operands of products over the same variables
// do.
func (d *Circuit) Determinism() (node int, why string) {
	o, ok := newOverlaps(d)
	if !ok {
		return len(d.Nodes) - 1, "and the nodes before it are over too many variables"
	}
	last := d.lastUses()
	for i := range d.Nodes {
		n := &d.Nodes[i]
		if last[i] == unused {
			continue
		}
		if !o.support(i) {
			return i, "and the nodes before it have too many states"
		}
		if n.Op != CircuitSum || o.scope[i] == 0 {
			continue
		}
		for k, a := range n.Args {
			for _, b := range n.Args[:k] {
				together := o.both(b, a, 0)
				if o.pairs > maxOverlaps {
					return i, "is a sum with too many pairs of operands to see that no two can be positive together"
				}
				if together {
					return i, "is a sum of operands that can be positive together"
				}
			}
		}
	}
	return -1, ""
}

// overlaps determines whether two nodes can be positive together.
type overlaps struct {
	d        *Circuit
	scope    []int32
	size     []int  // by scope
	axis     []int  // by place of a state: the position of its variable
	first    []int  // by position: the place of state 0
	possible []axes // by node: the places of states at which it may be positive
	zero     []bool // by node: it is zero everywhere
	words    int
	known    map[[2]int32]bool
	pairs    int
}

func newOverlaps(d *Circuit) (o *overlaps, ok bool) {
	o = &overlaps{d: d, possible: make([]axes, len(d.Nodes)), zero: make([]bool, len(d.Nodes)), known: map[[2]int32]bool{}}
	if o.scope, o.size, ok = d.Scopes(); !ok {
		return nil, false
	}
	var states []int
	for i := range d.Nodes {
		if n := &d.Nodes[i]; n.Op == CircuitIndicator {
			for len(states) <= n.Axis {
				states = append(states, 0)
			}
			states[n.Axis] = max(states[n.Axis], int(n.State)+1)
		}
	}
	for axis, n := range states {
		o.first = append(o.first, len(o.axis))
		for range n {
			o.axis = append(o.axis, axis)
		}
	}
	return o, true
}

// support computes where node i may be positive, by variable. It reports false if that takes too
// much memory.
func (o *overlaps) support(i int) bool {
	var set axes
	switch n := &o.d.Nodes[i]; n.Op {
	case CircuitNumber:
		o.zero[i] = n.Value == 0
	case CircuitIndicator:
		set = axes(nil).with(o.first[n.Axis] + int(n.State))
		o.words += len(set)
	case CircuitSum:
		o.zero[i] = true
		for _, a := range n.Args {
			if !o.zero[a] {
				o.zero[i] = false
				set = o.union(set, o.possible[a])
			}
		}
	case CircuitProduct:
		for _, a := range n.Args {
			o.zero[i] = o.zero[i] || o.zero[a]
			set = o.union(set, o.possible[a])
		}
	}
	o.possible[i] = set
	return o.words <= maxSupportWords
}

// union returns the union of two sets and counts the words of new sets.
func (o *overlaps) union(s, t axes) axes {
	if len(s) > 0 && len(t) > 0 {
		o.words += max(len(s), len(t))
	}
	return s.union(t)
}

// both reports whether two nodes over the same variables may be positive together, depth nodes
// below a sum.
func (o *overlaps) both(a, b int32, depth int) bool {
	a, b = o.soleVaryingOperand(a), o.soleVaryingOperand(b)
	switch {
	case o.zero[a] || o.zero[b]:
		return false
	case a == b || depth > maxOverlapDepth || o.pairs > maxOverlaps:
		return true
	}
	o.pairs += 1 + len(o.possible[a])/16
	if o.apart(a, b) {
		return false
	}
	x, y := &o.d.Nodes[a], &o.d.Nodes[b]
	if x.Op != CircuitSum && y.Op != CircuitSum && (x.Op != CircuitProduct || y.Op != CircuitProduct) {
		return true
	}
	key := [2]int32{min(a, b), max(a, b)}
	found, ok := o.known[key]
	if !ok {
		switch {
		case x.Op == CircuitSum:
			found = o.any(x.Args, b, depth+1)
		case y.Op == CircuitSum:
			found = o.any(y.Args, a, depth+1)
		default:
			found = o.products(x.Args, y.Args, depth+1)
		}
		if len(o.known) < maxKnown {
			o.known[key] = found
		}
	}
	return found
}

// any reports whether one of some nodes may be positive together with b.
func (o *overlaps) any(nodes []int32, b int32, depth int) bool {
	for _, a := range nodes {
		if o.both(a, b, depth) {
			return true
		}
	}
	return false
}

// products reports whether the products of some nodes may be positive together, as far as operands
// over the same variables show.
func (o *overlaps) products(x, y []int32, depth int) bool {
	o.pairs += len(x) * len(y) / 16
	for _, a := range x {
		for _, b := range y {
			if o.scope[a] != 0 && o.scope[a] == o.scope[b] && !o.both(a, b, depth) {
				return false
			}
		}
	}
	return true
}

// soleVaryingOperand returns the only operand of a product that depends on variables, if there is
// just one and all others are positive.
func (o *overlaps) soleVaryingOperand(a int32) int32 {
	for o.d.Nodes[a].Op == CircuitProduct && !o.zero[a] {
		only := int32(-1)
		for _, x := range o.d.Nodes[a].Args {
			if o.scope[x] == 0 {
				continue
			}
			if only >= 0 {
				return a
			}
			only = x
		}
		if only < 0 {
			return a
		}
		a = only
	}
	return a
}

// apart reports whether two nodes over the same variables have a variable with no state that is
// possible in both.
func (o *overlaps) apart(a, b int32) bool {
	s, t := o.possible[a], o.possible[b]
	axes, last := 0, -1
	for i := range min(len(s), len(t)) {
		for w := s[i] & t[i]; w != 0; w &= w - 1 {
			if axis := o.axis[64*i+bits.TrailingZeros64(w)]; axis != last {
				axes, last = axes+1, axis
			}
		}
	}
	return axes < o.size[o.scope[a]]
}
