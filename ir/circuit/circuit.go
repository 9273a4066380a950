// Package circuit holds arithmetic circuits: sums, products and maxima over non-negative reals,
// with every equal expression stored once. The symbolic execution of a table program builds them,
// and so do readers of circuit files and learners. A signed circuit is over numbers of either sign
// and has further operations, for programs with real variables.
//
// It evaluates, differentiates and prints nothing beyond what tests need, and has no notion of
// variables or memories: an input is a number that only the caller understands.
//
// Sharing is hash-consing as in decision diagrams. Folding zeros and ones makes compiled
// networks cheap (Darwiche, "A differential approach to inference in Bayesian networks", 2003).
//
//	c := circuit.New()
//	x, y := c.Input(0), c.Input(1)
//	c.Sum(c.Prod(x, y), c.Prod(y, x))  // two nodes besides the inputs: x*y, and its sum with itself
package circuit

import (
	"math"
	"slices"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Node identifies a node of a circuit. Nodes are numbered in order of construction, operands before
// their users.
type Node int32

// Op is the operation of a node.
type Op uint8

// The operations.
const (
	Const Op = iota // a number
	Input           // a leaf that the caller understands
	Sum
	Prod
	Max

	// The operations of only signed circuits. Unary ones have One as their second operand.
	Min
	Sub   // a - b
	Quot  // a / b; the caller knows that b is not 0
	Ratio // a / b, and 0 if b is 0
	Pow   // a to the power of b
	Atan2 // the angle of the point (b, a), as math.Atan2
	Sqrt
	Exp
	Log // natural logarithm
	Sin
	Cos
	Tanh
)

// LastOp is the last of the operations.
const LastOp = Tanh

var opNames = [...]string{"const", "input", "sum", "prod", "max", "min", "sub", "quot", "ratio", "pow", "atan2", "sqrt", "exp", "log", "sin", "cos", "tanh"}

// String returns the name of the operation.
func (o Op) String() string { return opNames[o] }

// OpOf returns the operation of the given name.
func OpOf(name string) (o Op, ok bool) {
	i := slices.Index(opNames[:], name)
	return Op(max(i, 0)), i >= 0
}

// Unary reports whether the operation uses only its first operand.
func (o Op) Unary() bool { return o >= Sqrt }

// Of returns the number that the operation computes from its operands. The operation is not Const
// or Input.
func (o Op) Of(a, b float64) float64 {
	switch o {
	case Sum:
		return a + b
	case Prod:
		return a * b
	case Max:
		return max(a, b)
	case Min:
		return min(a, b)
	case Sub:
		return a - b
	case Quot:
		return a / b
	case Ratio:
		if b == 0 {
			return 0
		}
		return a / b
	case Pow:
		return math.Pow(a, b)
	case Atan2:
		return math.Atan2(a, b)
	}
	return o.ofOne(a)
}

// ofOne returns the number that a unary operation computes.
func (o Op) ofOne(a float64) float64 {
	switch o {
	case Sqrt:
		return math.Sqrt(a)
	case Exp:
		return math.Exp(a)
	case Sin:
		return math.Sin(a)
	case Cos:
		return math.Cos(a)
	case Tanh:
		return math.Tanh(a)
	}
	return pgmrt.Ln(a)
}

// Zero and One are the constants with which every circuit begins.
const (
	Zero Node = 0
	One  Node = 1
)

// Circuit is a growing set of nodes. Operations are binary, like instructions and operation counts.
// The operands of a node are in the order of their numbers, so that x*y and y*x are one node.
type Circuit struct {
	nodes  []node
	values []float64 // values of the constants
	table  []slot    // open addressing by the tags of nodes
	signed bool      // numbers may be negative
	left   Range     // how constants left the range of float64
}

// Range is how an operation on constants may leave the range of float64.
type Range struct {
	Over  bool // a result is infinite
	Under bool // a product of positive numbers is 0
}

// node is an operation and its operands: nodes, the index of a value (Const), or the caller's leaf
// (Input).
type node struct {
	a, b int32
	op   Op
}

// slot is an entry of the table: a node, and the hash that it was stored by, so that few nodes are
// compared that differ and none is hashed again. An empty slot has Zero, which is never looked up.
type slot struct {
	tag uint32
	id  Node
}

// New returns a circuit with the constants 0 and 1.
func New() *Circuit {
	return &Circuit{
		nodes:  []node{{a: 0, op: Const}, {a: 1, op: Const}},
		values: []float64{0, 1},
		table:  make([]slot, 1<<10),
	}
}

// NewSigned returns a circuit over numbers of either sign, with the constants 0 and 1. Zero is not
// neutral in its maxima.
func NewSigned() *Circuit {
	c := New()
	c.signed = true
	return c
}

// Left reports how constants have left the range of float64 so far.
func (c *Circuit) Left() Range { return c.left }

// Signed reports whether numbers may be negative.
func (c *Circuit) Signed() bool { return c.signed }

// Len returns the number of nodes, which are 0 to Len()-1.
func (c *Circuit) Len() int { return len(c.nodes) }

// Op returns the operation of n.
func (c *Circuit) Op(n Node) Op { return c.nodes[n].op }

// Args returns the operands of an operation.
func (c *Circuit) Args(n Node) (a, b Node) { return Node(c.nodes[n].a), Node(c.nodes[n].b) }

// Value returns the number of a Const.
func (c *Circuit) Value(n Node) float64 { return c.values[c.nodes[n].a] }

// Leaf returns the caller's number of an Input.
func (c *Circuit) Leaf(n Node) int32 { return c.nodes[n].a }

// Const returns the node of the constant v, which must be finite, and at least 0 unless c is
// signed.
func (c *Circuit) Const(v float64) Node {
	switch v {
	case 0:
		return Zero
	case 1:
		return One
	}
	if c.table == nil {
		c.index()
	}
	tag := mix(math.Float64bits(v))
	for i := tag; ; i++ {
		at := &c.table[i&uint32(len(c.table)-1)]
		if at.id == Zero {
			c.values = append(c.values, v)
			return c.add(at, tag, node{a: int32(len(c.values) - 1), op: Const})
		}
		if at.tag != tag {
			continue
		}
		if n := c.nodes[at.id]; n.op == Const && c.values[n.a] == v {
			return at.id
		}
	}
}

// Input returns the node of the caller's leaf with this number.
func (c *Circuit) Input(leaf int32) Node { return c.intern(node{a: leaf, op: Input}) }

// Sum returns a + b.
func (c *Circuit) Sum(a, b Node) Node {
	switch {
	case a == Zero:
		return b
	case b == Zero:
		return a
	case c.constants(a, b):
		return c.folded(c.Value(a) + c.Value(b))
	}
	return c.binary(Sum, a, b)
}

// Prod returns a * b.
func (c *Circuit) Prod(a, b Node) Node {
	switch {
	case a == Zero || b == Zero:
		return Zero
	case a == One:
		return b
	case b == One:
		return a
	case c.constants(a, b):
		return c.folded(c.Value(a) * c.Value(b))
	}
	return c.binary(Prod, a, b)
}

// Max returns the larger of a and b. Zero is neutral unless c is signed.
func (c *Circuit) Max(a, b Node) Node {
	switch {
	case a == b || b == Zero && !c.signed:
		return a
	case a == Zero && !c.signed:
		return b
	case c.constants(a, b):
		return c.Const(max(c.Value(a), c.Value(b)))
	}
	return c.binary(Max, a, b)
}

// folded returns the constant that is the result of an operation on two constants that are not 0.
func (c *Circuit) folded(v float64) Node {
	c.left.Over = c.left.Over || math.IsInf(v, 0)
	c.left.Under = c.left.Under || v == 0 && !c.signed
	return c.Const(v)
}

func (c *Circuit) constants(a, b Node) bool {
	return c.nodes[a].op == Const && c.nodes[b].op == Const
}

func (c *Circuit) binary(op Op, a, b Node) Node {
	return c.intern(node{a: int32(min(a, b)), b: int32(max(a, b)), op: op})
}

// intern returns the node that equals n, and adds it if there is none.
func (c *Circuit) intern(n node) Node {
	if c.table == nil {
		c.index()
	}
	tag := hash(n)
	for i := tag; ; i++ {
		at := &c.table[i&uint32(len(c.table)-1)]
		if at.id == Zero {
			return c.add(at, tag, n)
		}
		if at.tag == tag && c.nodes[at.id] == n {
			return at.id
		}
	}
}

// add appends n, stores it in its slot, and makes a larger table when it is three quarters full.
func (c *Circuit) add(at *slot, tag uint32, n node) Node {
	id := Node(len(c.nodes))
	c.nodes = append(c.nodes, n)
	*at = slot{tag, id}
	if full(len(c.nodes), len(c.table)) {
		c.index()
	}
	return id
}

// full reports whether a table of the given size is too small for so many nodes.
func full(nodes, size int) bool { return 4*nodes > 3*size }

// store stores a node that the table does not have.
func (c *Circuit) store(x slot) {
	for i := x.tag; ; i++ {
		if at := &c.table[i&uint32(len(c.table)-1)]; at.id == Zero {
			*at = x
			return
		}
	}
}

// index makes the table again, large enough for the nodes. The old one is garbage by then: of a
// large circuit there is no room for both.
func (c *Circuit) index() {
	size := 1 << 10
	for full(len(c.nodes), size) {
		size *= 2
	}
	c.table = nil
	c.table = make([]slot, size)
	for id := One + 1; int(id) < len(c.nodes); id++ {
		n := c.nodes[id]
		tag := hash(n)
		if n.op == Const {
			tag = mix(math.Float64bits(c.values[n.a]))
		}
		c.store(slot{tag, id})
	}
}

// Compact frees the memory that only serves to find equal nodes, which is more than half. The next
// operation that adds a node makes it again.
func (c *Circuit) Compact() {
	c.table = nil
}

func hash(n node) uint32 {
	return mix(uint64(uint32(n.a))<<32 | uint64(uint32(n.b)) ^ uint64(n.op)<<29)
}

// mix spreads the bits of x over all that it returns: the finaliser of MurmurHash3.
func mix(x uint64) uint32 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return uint32(x ^ x>>33)
}
