package compiler

import (
	"math"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir/price"
)

// tablesNS predicts the time of table operations, in nanoseconds.
func tablesNS(n *method.Size) float64 {
	if n.Products <= price.VectorProducts {
		return price.VectorProduct*n.Products + price.BinaryProduct*n.Binary
	}
	cold := max(0, 1-price.ColdProducts/max(1, n.Products))
	return price.Tables.Of(n.Products) + price.ColdStep*cold*n.Steps
}

// circuitNS predicts the time of operations of a circuit, in nanoseconds.
func circuitNS(ops float64) float64 { return price.Circuits.Of(ops) }

// opsWithin returns the number of circuit operations that fit into a time.
func opsWithin(ns float64) int { return int(min(price.Circuits.Within(ns), maxNumbers)) }

// maxNumbers is the most numbers of one memory of a program: back-ends and the runtime address them
// by int32.
const maxNumbers = math.MaxInt32
