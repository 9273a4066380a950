package circuit

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// copyLifted copies d without rescaling its values and returns the root. It multiplies likelihoods
// by powers of two, so that the largest values are far above 1 and small values have that much more
// room below, or if values exceed float64, so that the largest have room. It multiplies the root by
// the inverse of these powers, which are inputs that are rescaled to 1.
func (b *planner) copyLifted(d *model.Circuit, leaf leafFunc) (circuit.Node, error) {
	most := b.most(d, leaf)
	room := int(rangeBits - most)
	if room <= 0 && most <= maxBits {
		return b.copyPlain(d, leaf)
	}
	c, power := b.out.Nodes, powers(d, room)
	top, err := b.copyPlain(d, func(n *model.CircuitNode) circuit.Node {
		if n.Op == model.CircuitNumber {
			return leaf(n)
		}
		return c.Prod(leaf(n), c.Const(math.Ldexp(1, power[n.Axis])))
	})
	if err != nil {
		return 0, err
	}
	for room != 0 {
		part := max(min(room, rangeBits), -rangeBits)
		one := b.e.group([]circuit.Node{c.Const(math.Ldexp(1, -part))}, "room for values", interval{-1, 1})[0]
		b.e.factor[len(b.out.Scaled)-1] = c.Const(math.Ldexp(1, part))
		top = c.Prod(top, one)
		room -= part
	}
	return top, nil
}

// most returns the base-2 logarithm of the largest value of a node that the root needs, and at
// least 0. That is the value without evidence, because the value of a circuit increases with each
// likelihood.
func (b *planner) most(d *model.Circuit, leaf leafFunc) (most float64) {
	values := make([]float64, len(d.Nodes))
	d.EvalLog(func(axis int, state int32) float64 {
		return math.Exp2(b.bits(leaf(&model.CircuitNode{Op: model.CircuitIndicator, Axis: axis, State: state})).hi)
	}, values)
	for i, needed := range d.Needed() {
		if needed {
			most = max(most, values[i]/math.Ln2)
		}
	}
	return most
}

// powers distributes bits evenly among the variables that the root of d depends on. The result is
// by axis.
func powers(d *model.Circuit, bits int) map[int]int {
	power, axes := map[int]int{}, []int{}
	for i, needed := range d.Needed() {
		n := &d.Nodes[i]
		if _, ok := power[n.Axis]; needed && n.Op == model.CircuitIndicator && !ok {
			power[n.Axis], axes = 0, append(axes, n.Axis)
		}
	}
	for i, axis := range axes {
		power[axis] = bits*(i+1)/len(axes) - bits*i/len(axes)
	}
	return power
}
