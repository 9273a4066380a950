package pgmrt

import "math"

// The operations of a laneApply instruction, on numbers of either sign.
const (
	laneQuot  = iota
	laneRatio // a quotient, and 0 if the divisor is 0
	laneMin
	laneSqrt
	laneExp
	laneLog
)

// laneApplied sets to to an operation on a and b. Operations on one number ignore b.
func laneApplied(op int32, to, a, b *[Lanes]float64) {
	switch op {
	case laneQuot:
		for j := range to {
			to[j] = a[j] / b[j]
		}
	case laneRatio:
		for j := range to {
			x := 0.0
			if b[j] != 0 {
				x = a[j] / b[j]
			}
			to[j] = x
		}
	case laneMin:
		for j := range to {
			to[j] = min(a[j], b[j])
		}
	case laneSqrt:
		for j := range to {
			to[j] = math.Sqrt(a[j])
		}
	case laneExp:
		for j := range to {
			to[j] = math.Exp(a[j])
		}
	case laneLog:
		for j := range to {
			to[j] = Ln(a[j])
		}
	}
}
