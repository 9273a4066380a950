package topdown

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// The nodes with which every circuit begins: an empty sum and an empty product.
const (
	nodeZero int32 = 0
	nodeOne  int32 = 1
)

// nodes holds the nodes of a circuit, each once. Operands precede their users.
type nodes struct {
	list  []node
	args  []int32
	first map[uint64]int32 // by hash: the last node with that hash
}

// node is an indicator of a state, a number, or a sum or product.
type node struct {
	op   model.CircuitOp
	a, b int32 // of an indicator: variable and state; of a number: its symbol; otherwise the operands args[a:b]
	next int32 // the next node with the same hash; -1 for none
}

func newNodes() *nodes {
	n := &nodes{first: map[uint64]int32{}}
	n.gate(model.CircuitSum, nil)
	n.gate(model.CircuitProduct, nil)
	return n
}

// nodeBytes is the memory of a node besides its operands.
const nodeBytes = 48

// bytes returns about how much memory the nodes take.
func (n *nodes) bytes() int64 { return nodeBytes*int64(len(n.list)) + 4*int64(len(n.args)) }

// leaf returns the node of an indicator or a number.
func (n *nodes) leaf(op model.CircuitOp, a, b int32) int32 {
	h := mix(uint64(uint32(a))<<32|uint64(uint32(b))) + uint64(op)
	return n.intern(h, node{op: op, a: a, b: b}, nil)
}

// sum returns the sum of operands. Those that are zero are left out.
func (n *nodes) sum(args []int32) int32 {
	args = slices.DeleteFunc(args, func(x int32) bool { return x == nodeZero })
	if len(args) == 1 {
		return args[0]
	}
	return n.gate(model.CircuitSum, args)
}

// product returns the product of operands.
func (n *nodes) product(args []int32) int32 {
	if slices.Contains(args, nodeZero) {
		return nodeZero
	}
	args = slices.DeleteFunc(args, func(x int32) bool { return x == nodeOne })
	if len(args) == 1 {
		return args[0]
	}
	return n.gate(model.CircuitProduct, args)
}

// gate returns the node of a sum or product.
func (n *nodes) gate(op model.CircuitOp, args []int32) int32 {
	h := uint64(op)
	for _, a := range args {
		h = mix(h ^ uint64(uint32(a)))
	}
	return n.intern(h, node{op: op}, args)
}

// intern returns the node with the given content.
func (n *nodes) intern(h uint64, x node, args []int32) int32 {
	at, ok := n.first[h]
	if !ok {
		at = -1
	}
	gate := x.op == model.CircuitSum || x.op == model.CircuitProduct
	for i := at; i >= 0; i = n.list[i].next {
		y := &n.list[i]
		if y.op == x.op && (gate && slices.Equal(n.args[y.a:y.b], args) || !gate && y.a == x.a && y.b == x.b) {
			return i
		}
	}
	if gate {
		x.a = int32(len(n.args))
		n.args = append(n.args, args...)
		x.b = int32(len(n.args))
	}
	x.next = at
	n.list = append(n.list, x)
	n.first[h] = int32(len(n.list) - 1)
	return int32(len(n.list) - 1)
}

// mix spreads the bits of x over the low ones: the finaliser of MurmurHash3.
func mix(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// circuit returns the nodes that root needs as a circuit of a model, with the numbers of the
// symbols.
func (n *nodes) circuit(root int32, number []float64) *model.Circuit {
	needed := make([]bool, root+1)
	needed[root] = true
	for i := root; i >= 0; i-- {
		if x := &n.list[i]; needed[i] && (x.op == model.CircuitSum || x.op == model.CircuitProduct) {
			for _, a := range n.args[x.a:x.b] {
				needed[a] = true
			}
		}
	}
	out, place, args := &model.Circuit{}, make([]int32, root+1), slices.Clone(n.args)
	for i := range needed {
		if !needed[i] {
			continue
		}
		x := &n.list[i]
		y := model.CircuitNode{Op: x.op}
		switch x.op {
		case model.CircuitNumber:
			y.Value = number[x.a]
		case model.CircuitIndicator:
			y.Axis, y.State = int(x.a), x.b
		default:
			y.Args = args[x.a:x.b:x.b]
			for k, a := range y.Args {
				y.Args[k] = place[a]
			}
		}
		place[i] = int32(len(out.Nodes))
		out.Nodes = append(out.Nodes, y)
	}
	return out
}
