package growing

import (
	"encoding/binary"
	"slices"

	"github.com/pgmc-go/pgmc/ir/circuit"
)

// untidy is by which part of it the circuit has to grow to be tidied again.
const untidy = 20

// Tidy makes the circuit smaller, if it has grown by enough since it last was, and says whether it did: of nodes with the same operands, one
// stays, and a sum that is an operand of one sum alone, or a product of one product alone, becomes part of that. What the circuit computes
// stays, and so do the numbers of parameters; what splits cost may change.
func (c *Circuit) Tidy() bool {
	if c.edges <= c.tidied+c.tidied/untidy && 2*c.dead <= len(c.nodes) {
		return false
	}
	c.tidy()
	return true
}

// tidy makes the nodes anew, without dead ones.
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

// alike gives by node, of a list with operands before what uses them, the first node with the same operands; and of these how often they
// are operands of one another, and of what operation last.
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
