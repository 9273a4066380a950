package ir

import "math"

// Interval holds bounds on log2 of the non-zero numbers of a span. It is empty (Lo > Hi) if all
// numbers are zero.
type Interval struct{ Lo, Hi float64 }

// IntervalOf returns the tightest bounds on data.
func IntervalOf(data []float64) Interval {
	b := Interval{math.Inf(1), math.Inf(-1)}
	for _, x := range data {
		if x > 0 {
			b.Lo, b.Hi = min(b.Lo, math.Log2(x)), max(b.Hi, math.Log2(x))
		}
	}
	return b
}

// Bounds holds the bounds of a program's numbers that a static analysis finds as it follows the
// steps.
type Bounds struct {
	Program *Program
	Span    []Interval            // by span, as a whole
	Element map[SpanID][]Interval // by element, for spans that hold nodes of a circuit, and with ByElement for tables
	Worst   float64               // how far the lowest bound of an unscaled table lies below 1, in bits

	// ByElement lets contractions bound each element of their results, which takes as long as to
	// compute them. Bounds are then bounds of single products of the model's numbers that occur
	// together; for a table as a whole, they are as if all its operands were small at once.
	ByElement bool

	scratch []Interval // by element of the sums that are being analysed
}

// Bounder is a step with results that may have other magnitudes than its operands.
type Bounder interface {
	Step
	// Bound computes the bounds of the step's result. If the result is a table, Bound returns its
	// bound and true, and the caller decides whether to rescale the table. Otherwise Bound stores
	// the bounds in b.
	Bound(b *Bounds) (of Interval, table bool)
}
