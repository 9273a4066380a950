package compiler

import (
	"math"

	"github.com/pgmc-go/pgmc/compiler/method"
)

// price is the time of a unit of work in nanoseconds, up to a total number of units.
type price struct{ upTo, ns float64 }

// Prices by which the methods are compared: of a product of table operations, and of an operation
// of a circuit. The first price holds while code runs from the first-level cache of instructions
// and the next while it runs from the second level. Then come loop nests and tapes, whose data
// outgrow the caches. The prices were fitted to times of emitted packages (ln P and marginals of
// alarm, win95pts, hailfinder, insurance, water, pigs and munin2) on one idle machine. They are the
// same everywhere, so that the choice is too.
var (
	tablePrices   = []price{{2000, .17}, {100_000, .21}, {math.Inf(1), .36}}
	circuitPrices = []price{{4000, .14}, {100_000, .45}, {1e6, .6}, {math.Inf(1), .85}}
)

// stepNS is the price of an operation on tables whose code has left the cache before it runs again.
// This begins at stepProducts products of a program.
const (
	stepNS       = 100
	stepProducts = 100_000
)

// vectorNS is the price of a product in a query of at most vectorProducts products, whose table
// operations run on vectors of four numbers (measured: .10 to .11 on alarm, child and
// hailfinder). Tables of two states take binaryNS more: a vector has states of two variables, and
// the tables that have only one of them take more instructions to load (measured: .01, win95pts).
// The prices include a tenth in favour of circuits, which are as fast on processors that have no
// such vectors.
const (
	vectorNS       = .12
	binaryNS       = .01
	vectorProducts = 60_000
)

// tablesNS predicts the time of table operations, in nanoseconds.
func tablesNS(n *method.Size) float64 {
	if n.Products <= vectorProducts {
		return vectorNS*n.Products + binaryNS*n.Binary
	}
	cold := max(0, 1-stepProducts/max(1, n.Products))
	return total(tablePrices, n.Products) + stepNS*cold*n.Steps
}

// circuitNS predicts the time of operations of a circuit, in nanoseconds.
func circuitNS(ops float64) float64 { return total(circuitPrices, ops) }

// total returns the price of n units.
func total(list []price, n float64) (ns float64) {
	from := 0.0
	for _, p := range list {
		ns += p.ns * max(0, min(n, p.upTo)-from)
		from = p.upTo
	}
	return ns
}

// opsWithin returns the number of circuit operations that fit into a time.
func opsWithin(ns float64) int {
	n, from := 0.0, 0.0
	for _, p := range circuitPrices {
		part := min(ns/p.ns, p.upTo-from)
		n += part
		if ns -= part * p.ns; !(ns > 0) {
			break
		}
		from = p.upTo
	}
	return int(min(n, maxNumbers))
}
