package pgmrt

import "math"

// Ln returns the natural logarithm of x. Unlike math.Log it is right for subnormal numbers, which
// the assembly of math on amd64 takes for normal ones.
func Ln(x float64) (ln float64) {
	if x < 0x1p-1022 {
		x *= 0x1p64
		ln = -64 * math.Ln2
	}
	return ln + math.Log(x)
}
