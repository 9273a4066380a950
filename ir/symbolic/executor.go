package symbolic

import (
	"errors"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// ErrLimit is the error of a step that would expand to too many products.
var ErrLimit = errors.New("too many products to expand")

// Unknown is the node of an element that no step has set and nothing has read.
const Unknown circuit.Node = -1

// Client supplies the parts of the execution that differ between the users of an Executor. Refuse
// implements its methods, except Input, for clients that support only sums of products.
type Client interface {
	// Input returns the node of an element that is not a constant and that no step has set. It
	// returns Unknown if the element has no value.
	Input(id ir.SpanID, i int) circuit.Node
	// Stored is called after a step has set an element of a span to n.
	Stored(id ir.SpanID, n circuit.Node)

	// Window returns the elements of an operand with a place that depends on the state of a fixed
	// axis. The offset counts from that place.
	Window(axes []ir.Axis, v ir.View) (at func(offset int) circuit.Node, err error)
	// Scatter returns a function that sets the elements of a result with a place that depends on
	// the state of a fixed axis, and a function to call afterwards.
	Scatter(axes []ir.Axis, v ir.View) (set func(offset int, n circuit.Node), done func(), err error)
	// Maxima returns an error if the client does not support maxima.
	Maxima() error
	// Signed returns an error if the client does not support numbers of either sign. The circuit is
	// a signed one if it returns nil.
	Signed() error

	Normalize(*ir.Normalize) error
	Invert(*ir.Invert) error
	Rescale(*ir.Rescale) error
	Clear(id ir.SpanID) error // sets a span of integers to zeros
	Pick(*ir.Pick) error
	Walk(*ir.Walk) error
	Lookup(*ir.Lookup) error
	Call(ir.Step) error // any other step
}

// Executor executes steps symbolically.
type Executor struct {
	Left  int  // products and terms that may still be formed; negative if there were too many
	Whole bool // call Input for all elements of a span at its first use, not for each element when it is read

	// Contract, if not nil, executes contractions in another order of sums.
	Contract func(*ir.Contract) error

	p      *ir.Program
	c      *circuit.Circuit
	client Client
	now    [][]circuit.Node // by span: the nodes of its elements; nil before its first use
}

// New returns an executor of steps of p that adds nodes to c and forms at most the given number of
// products.
func New(p *ir.Program, c *circuit.Circuit, products int, client Client) *Executor {
	return &Executor{Left: products, p: p, c: c, client: client, now: make([][]circuit.Node, len(p.Spans))}
}

// Step executes a step. The error is ErrLimit or comes from the client. Step is a switch over the
// kinds of step because each has its own meaning for symbols. No other code has such a switch.
func (x *Executor) Step(s ir.Step) error {
	switch s := s.(type) {
	case *ir.Contract:
		if x.Contract != nil {
			return x.Contract(s)
		}
		return x.contract(s)
	case *ir.Sums:
		return x.sums(s)
	case *ir.Map:
		return x.mapping(s)
	case *ir.Zero:
		return x.zero(s.Span)
	case *ir.Normalize:
		return x.client.Normalize(s)
	case *ir.Invert:
		return x.client.Invert(s)
	case *ir.Rescale:
		return x.client.Rescale(s)
	case *ir.Pick:
		return x.client.Pick(s)
	case *ir.Walk:
		return x.client.Walk(s)
	case *ir.Lookup:
		return x.client.Lookup(s)
	}
	return x.client.Call(s)
}

// Used reports whether a span has been read or set.
func (x *Executor) Used(id ir.SpanID) bool { return x.now[id] != nil }

// Elements returns the nodes of a span, which the caller must not change. Constants are known from
// the beginning. Other elements are Unknown until they are read or set.
func (x *Executor) Elements(id ir.SpanID) []circuit.Node {
	if x.now[id] != nil {
		return x.now[id]
	}
	s := &x.p.Spans[id]
	nodes := make([]circuit.Node, s.Len)
	x.now[id] = nodes
	for i := range nodes {
		switch {
		case s.Role == ir.RoleConst, s.Role == ir.RoleLogs && x.c.Signed():
			nodes[i] = x.c.Const(s.Data[i])
		case x.Whole:
			nodes[i] = x.client.Input(id, i)
		default:
			nodes[i] = Unknown
		}
	}
	return nodes
}

// Element returns one element of a span. It calls Input if the element is Unknown.
func (x *Executor) Element(id ir.SpanID, i int) circuit.Node {
	nodes := x.Elements(id)
	if nodes[i] == Unknown {
		nodes[i] = x.client.Input(id, i)
	}
	return nodes[i]
}

// Set sets one element of a span.
func (x *Executor) Set(id ir.SpanID, i int, n circuit.Node) {
	x.Elements(id)[i] = n
	x.client.Stored(id, n)
}

// Forget makes all elements of a span Unknown.
func (x *Executor) Forget(id ir.SpanID) {
	nodes := x.Elements(id)
	for i := range nodes {
		nodes[i] = Unknown
	}
}

// Fold reduces the elements of a span by op, starting with 0.
func (x *Executor) Fold(id ir.SpanID, op func(a, b circuit.Node) circuit.Node) circuit.Node {
	all := circuit.Zero
	for i := range x.Elements(id) {
		all = op(all, x.Element(id, i))
	}
	return all
}

// Times multiplies each element of a span by the factors, one after the other.
func (x *Executor) Times(id ir.SpanID, factors ...circuit.Node) {
	for i, n := range x.Elements(id) {
		for _, f := range factors {
			n = x.c.Prod(n, f)
		}
		x.Set(id, i, n)
	}
}
