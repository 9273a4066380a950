package ir

import "math"

// Interval bounds log2 of the non-zero numbers of a span. An empty one (Lo > Hi) is of zeros alone.
type Interval struct{ Lo, Hi float64 }

// IntervalOf bounds numbers that are known.
func IntervalOf(data []float64) Interval {
	b := Interval{math.Inf(1), math.Inf(-1)}
	for _, x := range data {
		if x > 0 {
			b.Lo, b.Hi = min(b.Lo, math.Log2(x)), max(b.Hi, math.Log2(x))
		}
	}
	return b
}

// Bounds is what a static analysis knows of the numbers of a program, as it follows the steps.
type Bounds struct {
	Program *Program
	Span    []Interval            // by span, as a whole
	Element map[SpanID][]Interval // of spans that hold nodes of a circuit: by element
	Worst   float64               // the furthest that an unscaled bound goes below 1, in bits
}

// Bounder is a step that makes numbers of other sizes than those that it reads.
type Bounder interface {
	Step
	// Bound works out the bounds of what the step makes. If that is a table, it gives the table's
	// bound, for the caller to decide whether to rescale it; otherwise it sets b itself.
	Bound(b *Bounds) (of Interval, table bool)
}
