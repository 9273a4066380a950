package growing

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/circuit"
)

// The operations of nodes.
const (
	param     = circuit.Const
	indicator = circuit.Input
	sum       = circuit.Sum
	prod      = circuit.Prod
)

// node is a node of a circuit.
type node struct {
	op    circuit.Op
	dead  bool
	a, b  int32   // a parameter's number, or a variable and its state
	args  []int32 // operands
	above []int32 // the nodes that have it as an operand, some of them dead; nil for indicators
	uses  int32   // number of live nodes' operands that refer to it
}

// Circuit is an arithmetic circuit that grows by splits. Several goroutines may read it at once,
// but none while it is split.
type Circuit struct {
	cards  []int
	words  int // length of a scope in words
	nodes  []node
	scopes []uint64  // by node: the set of its variables
	params []int32   // by parameter number: the node, or -1 if the circuit has none
	inds   [][]int32 // by variable and state
	root   int32
	edges  int
	dead   int // number of dead nodes
	tidied int // number of edges after the last Tidy
}

// New returns the circuit of independent variables with these numbers of states. Parameters are
// numbered by variable, then by state.
func New(cards []int) *Circuit {
	c := &Circuit{cards: slices.Clone(cards), words: (len(cards) + 63) / 64}
	var factors []int32
	for v, card := range cards {
		var terms []int32
		for s := range card {
			terms = append(terms, c.add(node{op: prod, args: []int32{c.indicator(v, s), c.newParam()}}))
		}
		if card == 1 {
			factors = append(factors, terms[0])
		} else {
			factors = append(factors, c.add(node{op: sum, args: terms}))
		}
	}
	c.root = factors[0]
	if len(factors) > 1 {
		c.root = c.add(node{op: prod, args: factors})
	}
	c.nodes[c.root].uses++ // keeps the root alive
	return c
}

// Edges returns the number of operands of all nodes, the measure of size in the literature.
func (c *Circuit) Edges() int { return c.edges }

// Params returns how many parameter numbers have been given out.
func (c *Circuit) Params() int { return len(c.params) }

// indicator adds the next indicator: variables in order, then their states.
func (c *Circuit) indicator(v, s int) int32 {
	n := c.add(node{op: indicator, a: int32(v), b: int32(s)})
	c.scope(n)[v/64] |= 1 << (v % 64)
	if s == 0 {
		c.inds = append(c.inds, nil)
	}
	c.inds[v] = append(c.inds[v], n)
	return n
}

// newParam adds a node for the next parameter.
func (c *Circuit) newParam() int32 {
	n := c.add(node{op: param, a: int32(len(c.params))})
	c.params = append(c.params, n)
	return n
}

// add adds a node. Its operands must exist.
func (c *Circuit) add(x node) int32 {
	id := int32(len(c.nodes))
	c.nodes = append(c.nodes, x)
	c.scopes = append(c.scopes, make([]uint64, c.words)...)
	scope := c.scope(id)
	for _, arg := range x.args {
		c.use(arg, id)
		for i, w := range c.scope(arg) {
			scope[i] |= w
		}
	}
	c.edges += len(x.args)
	return id
}

// use records that a node has another as an operand.
func (c *Circuit) use(arg, by int32) {
	n := &c.nodes[arg]
	n.uses++
	if n.op != indicator {
		n.above = append(n.above, by)
	}
}

// release removes one use of a node, and the node if it was the last one.
func (c *Circuit) release(id int32) {
	n := &c.nodes[id]
	if n.uses--; n.uses > 0 || n.op == indicator {
		return
	}
	if n.op == param {
		c.params[n.a] = -1
	}
	n.dead = true
	c.dead++
	c.edges -= len(n.args)
	for _, arg := range n.args {
		c.release(arg)
	}
	n.args, n.above = nil, nil
}

func (c *Circuit) scope(id int32) []uint64 {
	return c.scopes[int(id)*c.words : (int(id)+1)*c.words]
}

// over reports whether a node's scope contains a variable.
func (c *Circuit) over(id int32, v int) bool {
	return c.scopes[int(id)*c.words+v/64]>>(v%64)&1 != 0
}

// order lists the live nodes, operands before their users.
func (c *Circuit) order() []int32 {
	list := make([]int32, 0, len(c.nodes)-c.dead)
	type place struct {
		node int32
		next int
	}
	seen := make([]bool, len(c.nodes))
	seen[c.root] = true
	stack := []place{{c.root, 0}}
	for len(stack) > 0 {
		at := &stack[len(stack)-1]
		args := c.nodes[at.node].args
		if at.next == len(args) {
			list = append(list, at.node)
			stack = stack[:len(stack)-1]
			continue
		}
		arg := args[at.next]
		at.next++
		if !seen[arg] {
			seen[arg] = true
			stack = append(stack, place{arg, 0})
		}
	}
	return list
}
