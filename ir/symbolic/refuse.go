package symbolic

import (
	"fmt"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// Refuse implements the methods of a Client that supports only sums of products and zeros. It
// returns the error for something that was found, such as "maxima".
type Refuse func(found string) error

// Stored does nothing.
func (Refuse) Stored(ir.SpanID, circuit.Node) {}

// Window refuses an operand with a place that depends on a state.
func (r Refuse) Window([]ir.Axis, ir.View) (at func(int) circuit.Node, err error) {
	return nil, r("an axis with a fixed index")
}

// Scatter refuses a result with a place that depends on a state.
func (r Refuse) Scatter([]ir.Axis, ir.View) (set func(int, circuit.Node), done func(), err error) {
	return nil, nil, r("an axis with a fixed index")
}

// Maxima refuses maxima.
func (r Refuse) Maxima() error { return r("maxima") }

// Signed refuses numbers of either sign.
func (r Refuse) Signed() error { return r("numbers of either sign") }

// Clear does nothing: integers are assumed to be zero.
func (Refuse) Clear(ir.SpanID) error { return nil }

// Normalize refuses the step.
func (r Refuse) Normalize(s *ir.Normalize) error { return r.Call(s) }

// Invert refuses the step.
func (r Refuse) Invert(s *ir.Invert) error { return r.Call(s) }

// Rescale refuses the step.
func (r Refuse) Rescale(s *ir.Rescale) error { return r.Call(s) }

// Pick refuses the step.
func (r Refuse) Pick(s *ir.Pick) error { return r.Call(s) }

// Walk refuses the step.
func (r Refuse) Walk(s *ir.Walk) error { return r.Call(s) }

// Lookup refuses the step.
func (r Refuse) Lookup(s *ir.Lookup) error { return r.Call(s) }

// Call refuses the step.
func (r Refuse) Call(s ir.Step) error { return r(fmt.Sprintf("a step of type %T", s)) }
