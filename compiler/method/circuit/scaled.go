package circuit

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Bits by which the values over one scope, and those of a whole circuit, may lie from 1 before
// values are rescaled; and by which a rescaled value is taken to lie below the largest of its
// group, what is smaller being of no account.
const (
	scopeBits   = 300
	countedBits = 64
)

// scaled takes over a circuit whose values may leave the range of a float64. Nodes over the same
// variables are rescaled together, as a group, where their bounds ask for it; what is over more
// variables goes on with the results.
//
// All operands of a sum must have lost the same powers of two. Where the circuit is structured, as
// a PSDD is, that is so; otherwise an operand is multiplied by the power of each group that it
// lacks. That is a number like others in the group: a constant so small that it is not the largest,
// after rescaling, over itself. Where operands lack so much of each other that the products could
// overflow, nothing is rescaled.
type scaled struct {
	*planner
	d       *model.Circuit // products are of two
	scope   []int32
	size    []int // by scope
	leaf    leafFunc
	outside []bool // by node: the value of the root depends on it by way of others over more variables, or it is the root

	inner, outer []value // by node: as computed, and as those over more variables see it
	factor       []value // by group
	sets         groupSets
}

// maxBits is what an operand of a sum may reach once it has lost the powers that the others have.
const maxBits = 1000

// Why a circuit is not rescaled: operands of a sum lack too many powers of each other, or the
// scopes take too much memory.
var (
	errOverflow = errors.New("circuit: operands of a sum are rescaled too differently")
	errScopes   = errors.New("circuit: the scopes of nodes are too large")
)

// value is a node of the circuit that is made.
type value struct {
	node   circuit.Node
	bits   interval
	groups int32 // the set of groups whose powers of two it has lost
}

// beyond reports whether bounds leave the range on one side.
func (i interval) beyond(bits float64) bool { return i.lo <= i.hi && (i.lo < -bits || i.hi > bits) }

// bitsOf bounds the values of the nodes of d that are not zero.
func bitsOf(d *model.Circuit, leaf func(n *model.CircuitNode) interval) []interval {
	bits := make([]interval, len(d.Nodes))
	for i := range d.Nodes {
		n := &d.Nodes[i]
		switch n.Op {
		case model.CircuitNumber, model.CircuitIndicator:
			bits[i] = leaf(n)
		case model.CircuitSum:
			bits[i] = interval{math.Inf(1), math.Inf(-1)}
			for _, a := range n.Args {
				bits[i] = bits[i].or(bits[a])
			}
			bits[i].hi += math.Log2(float64(len(n.Args)))
		case model.CircuitProduct:
			for _, a := range n.Args {
				bits[i] = bits[i].times(bits[a])
			}
		}
	}
	return bits
}

func (i interval) or(j interval) interval { return interval{min(i.lo, j.lo), max(i.hi, j.hi)} }

// times is empty where one of the two is.
func (i interval) times(j interval) interval {
	if i.lo > i.hi || j.lo > j.hi {
		return interval{math.Inf(1), math.Inf(-1)}
	}
	return interval{i.lo + j.lo, i.hi + j.hi}
}

// copyScaled gives the root of d in our circuit.
func (b *planner) copyScaled(d *model.Circuit, leaf leafFunc) (circuit.Node, error) {
	d, ok := binary(d)
	if !ok {
		return 0, errScopes
	}
	s := &scaled{planner: b, d: d, leaf: leaf, inner: make([]value, len(d.Nodes)), outer: make([]value, len(d.Nodes))}
	if s.scope, s.size, ok = d.Scopes(); !ok {
		return 0, errScopes
	}
	s.findOutside()
	s.sets.init()
	order := make([]int, len(d.Nodes)) // scopes from small to large, operands before what uses them
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		x, y := s.scope[i], s.scope[j]
		return cmp.Or(s.size[x]-s.size[y], int(x-y))
	})
	for len(order) > 0 {
		n := 1
		for n < len(order) && s.scope[order[n]] == s.scope[order[0]] {
			n++
		}
		for _, i := range order[:n] {
			if s.inner[i] = s.compute(i); s.inner[i].bits.hi > maxBits {
				return 0, errOverflow
			}
		}
		s.close(order[:n])
		order = order[n:]
		if b.out.Nodes.Len() > b.maxNodes() {
			return 0, errTooLarge
		}
	}
	return s.outer[len(d.Nodes)-1].node, nil
}

// findOutside marks the nodes whose values those over more variables need. What is multiplied by
// zero does not matter: it must not be in a group, whose power of two is counted for the root.
func (s *scaled) findOutside() {
	bits := bitsOf(s.d, func(n *model.CircuitNode) interval { return s.bits(s.leaf(n)) })
	root := len(bits) - 1
	needed := make([]bool, len(bits))
	s.outside = make([]bool, len(bits))
	needed[root], s.outside[root] = true, true
	for i := root; i >= 0; i-- {
		if zero := bits[i].lo > bits[i].hi; zero || !needed[i] {
			continue
		}
		for _, a := range s.d.Nodes[i].Args {
			needed[a] = true
			s.outside[a] = s.outside[a] || s.scope[a] != s.scope[i]
		}
	}
}

// operand is node a as node i sees it.
func (s *scaled) operand(i int, a int32) value {
	if s.scope[a] == s.scope[i] {
		return s.inner[a]
	}
	return s.outer[a]
}

// compute makes node i.
func (s *scaled) compute(i int) value {
	c, n := s.out.Nodes, &s.d.Nodes[i]
	switch n.Op {
	case model.CircuitSum:
		return s.sum(i, n.Args)
	case model.CircuitProduct:
		v := value{node: circuit.One}
		for _, a := range n.Args {
			x := s.operand(i, a)
			v = value{c.Prod(v.node, x.node), v.bits.times(x.bits), s.sets.union(v.groups, x.groups)}
		}
		return v
	}
	node := s.leaf(n)
	return value{node: node, bits: s.bits(node)}
}

// bits bounds a node of our circuit; what is zero has no bounds.
func (b *planner) bits(n circuit.Node) interval {
	if n == circuit.Zero {
		return interval{math.Inf(1), math.Inf(-1)}
	}
	return interval{b.e.lo(n), b.e.hi(n)}
}

// sum adds operands, once all have lost the same powers; of what depends on variables it takes the
// largest where completions are asked for.
func (s *scaled) sum(i int, args []int32) value {
	v := value{bits: interval{math.Inf(1), math.Inf(-1)}}
	for _, a := range args {
		if x := s.operand(i, a); x.node != circuit.Zero {
			v.groups = s.sets.union(v.groups, x.groups)
		}
	}
	for _, a := range args {
		x := s.operand(i, a)
		if x.node == circuit.Zero {
			continue
		}
		for _, g := range s.sets.without(v.groups, x.groups) {
			f := &s.factor[g]
			x.node, x.bits = s.out.Nodes.Prod(x.node, f.node), x.bits.times(f.bits)
		}
		v.node, v.bits = s.plus(v.node, x.node, s.scope[i] != 0), v.bits.or(x.bits)
	}
	v.bits.hi += math.Log2(float64(max(1, len(args))))
	return v
}

// close decides whether the values over one scope are rescaled, once all of them are there.
func (s *scaled) close(nodes []int) {
	all := interval{math.Inf(1), math.Inf(-1)}
	for _, i := range nodes {
		if s.outer[i] = s.inner[i]; s.outside[i] {
			all = all.or(s.inner[i].bits)
		}
	}
	if s.scope[nodes[0]] == 0 || !all.beyond(scopeBits) {
		return
	}
	var group []circuit.Node
	for _, i := range nodes {
		if s.outside[i] {
			group = append(group, s.inner[i].node)
		}
	}
	// Far enough below all values, as a rule, and so that its rescaled value is within the range
	// for all values that can be the largest.
	small := int(max(all.lo-10, all.hi-1000, -1000))
	group = append(group, s.out.Nodes.Const(math.Ldexp(1, small)))
	bits := interval{max(all.lo-all.hi, -countedBits), 1}
	inputs := s.e.group(group, fmt.Sprintf("values over %d variables, rescaled", s.size[s.scope[nodes[0]]]), bits)
	factor := s.out.Nodes.Prod(inputs[len(inputs)-1], s.out.Nodes.Const(math.Ldexp(1, -small)))
	set := s.sets.single(int32(len(s.factor)))
	s.factor = append(s.factor, value{node: factor, bits: interval{-1 - all.hi, -all.lo}})
	s.e.factor[len(s.out.Scaled)-1] = factor
	for _, i := range nodes {
		if s.outside[i] && s.inner[i].node != circuit.Zero {
			s.outer[i] = value{inputs[0], bits, s.sets.union(s.inner[i].groups, set)}
		}
		if s.outside[i] {
			inputs = inputs[1:]
		}
	}
}

// binary gives d with products of two: wider ones are split into halves, operands in the order of
// their scopes, so that parts of products over the same scopes are over the same scopes. It reports
// false where the scopes are too large.
func binary(d *model.Circuit) (out *model.Circuit, ok bool) {
	scope, _, ok := d.Scopes()
	if !ok {
		return nil, false
	}
	out = &model.Circuit{}
	add := func(n model.CircuitNode) int32 {
		out.Nodes = append(out.Nodes, n)
		return int32(len(out.Nodes) - 1)
	}
	place := make([]int32, len(d.Nodes))
	var split func(args []int32) int32
	split = func(args []int32) int32 {
		if len(args) == 1 {
			return place[args[0]]
		}
		half := len(args) / 2
		return add(model.CircuitNode{Op: model.CircuitProduct, Args: []int32{split(args[:half]), split(args[half:])}})
	}
	for i, n := range d.Nodes {
		if n.Op == model.CircuitProduct && len(n.Args) > 2 {
			args := slices.Clone(n.Args)
			slices.SortStableFunc(args, func(a, b int32) int { return int(scope[a] - scope[b]) })
			place[i] = split(args)
			continue
		}
		args := n.Args
		n.Args = make([]int32, len(args))
		for k, a := range args {
			n.Args[k] = place[a]
		}
		place[i] = add(n)
	}
	return out, true
}
