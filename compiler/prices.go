package compiler

import (
	"math"

	"github.com/pgmc-go/pgmc/compiler/method"
)

// price is what a unit of work takes, in nanoseconds, up to a number of units altogether.
type price struct{ upTo, ns float64 }

// Prices by which the methods are compared: of a product of table operations, and of an operation
// of a circuit. The first are what runs from the first-level cache of instructions, the next what
// runs from the second, then come loop nests and tapes, whose data outgrow the caches. Fitted to
// times of emitted packages on one machine without other load, ln P and marginals of alarm,
// win95pts, hailfinder, insurance, water, pigs and munin2. What counts is that they are the same
// everywhere.
var (
	tablePrices   = []price{{2000, .17}, {100_000, .21}, {math.Inf(1), .36}}
	circuitPrices = []price{{4000, .14}, {100_000, .45}, {1e6, .6}, {math.Inf(1), .85}}
)

// stepNS is the price of an operation on tables whose code is no longer in a cache when it is run
// again, and stepProducts the products of a program from where on that begins.
const (
	stepNS       = 100
	stepProducts = 100_000
)

// tablesNS predicts the time of table operations.
func tablesNS(n *method.Size) float64 {
	cold := max(0, 1-stepProducts/max(1, n.Products))
	return total(tablePrices, n.Products) + stepNS*cold*n.Steps
}

// circuitNS predicts the time of operations of a circuit.
func circuitNS(ops float64) float64 { return total(circuitPrices, ops) }

// total adds up the prices of n units.
func total(list []price, n float64) (ns float64) {
	from := 0.0
	for _, p := range list {
		ns += p.ns * max(0, min(n, p.upTo)-from)
		from = p.upTo
	}
	return ns
}

// opsWithin is how many operations of a circuit a time allows.
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
