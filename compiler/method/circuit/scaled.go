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

// scopeBits is the distance from 1, in bits, beyond which the values over one scope are rescaled.
// Rescaled values count as within countedBits of the largest value of their group; smaller values
// are negligible.
const (
	scopeBits   = 300
	countedBits = 64
)

// scaled takes over a circuit with values that may leave the range of a float64. Nodes over the
// same variables form a group and are rescaled together if their bounds require it. Nodes over more
// variables use the results.
//
// All operands of a sum must have been divided by the same powers of two. In structured circuits,
// such as PSDDs, they are. Otherwise an operand is multiplied by the power of each group that it
// lacks. That power is derived from another member of the group: a constant too small to be its
// largest value. The power is the rescaled constant divided by the constant. If operands lack so
// many powers that products could overflow, or of groups of large values, vanish, nothing is
// rescaled.
type scaled struct {
	*planner
	d       *model.Circuit // with products of two operands
	scope   []int32
	size    []int // by scope: number of variables
	leaf    leafFunc
	outside []bool // by node: it is the root, or a needed node over more variables uses it

	inner, outer []value // by node: as computed, and as nodes over more variables use it
	factor       []value // by group
	sets         groupSets
	vanished     bool // the powers that an operand lacks may leave nothing of it
}

// maxBits is the largest logarithm of a value that is not rescaled: of an operand of a sum after it
// was multiplied by the powers that it lacked, and of all values if nothing is rescaled.
const maxBits = 1000

// The reasons not to rescale a circuit: operands of a sum lack too many powers of each other, or
// the scopes take too much memory.
var (
	errOverflow = errors.New("circuit: operands of a sum are rescaled too differently")
	errScopes   = errors.New("circuit: the scopes of nodes are too large")
)

// value is a node of the new circuit.
type value struct {
	node   circuit.Node
	bits   interval
	groups int32 // the set of groups by whose powers of two it was divided
}

// beyond reports whether the interval is not empty and reaches further than bits from 0.
func (i interval) beyond(bits float64) bool { return i.lo <= i.hi && (i.lo < -bits || i.hi > bits) }

// bitsOf returns the bounds of the non-zero values of the nodes of d.
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

// times returns the bounds of a product. They are empty if one of the operands is.
func (i interval) times(j interval) interval {
	if i.lo > i.hi || j.lo > j.hi {
		return interval{math.Inf(1), math.Inf(-1)}
	}
	return interval{i.lo + j.lo, i.hi + j.hi}
}

// copyScaled copies d with rescaled values and returns the root.
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
	order := make([]int, len(d.Nodes)) // scopes from small to large, operands before their users
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
			if s.inner[i] = s.compute(i); s.inner[i].bits.hi > maxBits || s.vanished {
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

// findOutside marks the nodes with values that nodes over more variables use. It ignores products
// with zero: their operands must not be in a group, since its power of two would count for the
// root.
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

// operand returns the value of node a for its user i.
func (s *scaled) operand(i int, a int32) value {
	if s.scope[a] == s.scope[i] {
		return s.inner[a]
	}
	return s.outer[a]
}

// compute returns the value of node i.
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

// bits returns the bounds of a node of the new circuit. Those of zero are empty.
func (b *planner) bits(n circuit.Node) interval {
	if n == circuit.Zero {
		return interval{math.Inf(1), math.Inf(-1)}
	}
	return interval{b.e.lo(n), b.e.hi(n)}
}

// sum adds operands after it has multiplied them by the powers that they lack. In a circuit of
// maxima, it takes the largest operand if i depends on a variable.
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
		lacks := 0.0
		for _, g := range s.sets.without(v.groups, x.groups) {
			f := &s.factor[g]
			x.node, x.bits = s.out.Nodes.Prod(x.node, f.node), x.bits.times(f.bits)
			lacks += f.bits.lo
		}
		s.vanished = s.vanished || lacks < -rangeBits
		v.node, v.bits = s.plus(v.node, x.node, s.scope[i] != 0), v.bits.or(x.bits)
	}
	v.bits.hi += math.Log2(float64(max(1, len(args))))
	return v
}

// close rescales the values over one scope if necessary, after all of them are computed.
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
	// As a rule small is far enough below all values. Its rescaled value is within the range for
	// every value that can be the largest.
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

// binary returns d with products of two operands. Wider products are split into halves, with
// operands in the order of their scopes, so that parts over the same scopes have the same scope. It
// reports false if the scopes are too large.
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
