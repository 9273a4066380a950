package growing

import (
	"encoding/binary"
	"slices"

	"github.com/pgmc-go/pgmc/ir/circuit"
)

// untidy is the divisor of the growth that triggers Tidy: the circuit is tidied again once it has
// grown by a twentieth.
const untidy = 20

// Tidy makes the circuit smaller if it has grown enough since the last time, and reports whether it
// did. It merges nodes with the same operands, and merges a sum into the sum, or a product into the
// product, that is its only user. The function of the circuit and the numbers of parameters stay;
// the costs of splits may change.
func (c *Circuit) Tidy() bool {
	if c.edges <= c.tidied+c.tidied/untidy && 2*c.dead <= len(c.nodes) {
		return false
	}
	c.tidy()
	return true
}

// tidy rebuilds the nodes without dead ones.
func (c *Circuit) tidy() {
	list := c.order()
	same, uses, user := c.alike(list)
	out := &Circuit{cards: c.cards, words: c.words, params: slices.Repeat([]int32{-1}, len(c.params))}
	to, taken := make([]int32, len(c.nodes)), make([][]int32, len(c.nodes))
	for v, inds := range c.inds {
		for s, n := range inds {
			to[n] = out.indicator(v, s)
		}
	}
	for _, n := range list {
		x := &c.nodes[n]
		if same[n] != n || x.op == indicator {
			continue
		}
		var args []int32
		for _, arg := range x.args {
			if arg = same[arg]; taken[arg] != nil {
				args = append(args, taken[arg]...)
			} else {
				args = append(args, to[arg])
			}
		}
		if x.op >= sum && uses[n] == 1 && user[n] == x.op {
			taken[n] = args
			continue
		}
		to[n] = out.add(node{op: x.op, a: x.a, b: x.b, args: args})
		if x.op == param {
			out.params[x.a] = to[n]
		}
	}
	out.root = to[c.root]
	out.nodes[out.root].uses++
	out.tidied = out.edges
	*c = *out
}

// alike returns, for a list with operands before their users, the first node with the same operands
// by node. For these it also returns how many uses they have among each other, and the operation of
// the last user.
func (c *Circuit) alike(list []int32) (same, uses []int32, user []circuit.Op) {
	same, uses, user = make([]int32, len(c.nodes)), make([]int32, len(c.nodes)), make([]circuit.Op, len(c.nodes))
	first := map[string]int32{}
	var args []int32
	var key []byte
	for _, n := range list {
		x := &c.nodes[n]
		if same[n] = n; x.op < sum {
			continue
		}
		args, key = args[:0], append(key[:0], byte(x.op))
		for _, arg := range x.args {
			args = append(args, same[arg])
		}
		slices.Sort(args)
		for _, arg := range args {
			key = binary.LittleEndian.AppendUint32(key, uint32(arg))
		}
		if m, ok := first[string(key)]; ok {
			same[n] = m
			continue
		}
		first[string(key)] = n
		for _, arg := range args {
			uses[arg]++
			user[arg] = x.op
		}
	}
	return same, uses, user
}
