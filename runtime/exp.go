package pgmrt

import "math"

// The parts of ln 2. Products of the first with whole numbers up to 2^20 are exact (Cody and
// Waite).
const (
	ln2High = 0x1.62e42fefp-1
	ln2Low  = 0x1.473de6af278edp-34
)

// expFalling returns exp(x) for x of at most 0, within two units in the last place, and 0 below
// -708. Unlike math.Exp it is the same on all processors.
func expFalling(x float64) float64 {
	if !(x >= -708) {
		return 0
	}
	n := float64(int(float64(x*(1/math.Ln2)) - .5))
	r := float64(x-float64(n*ln2High)) - float64(n*ln2Low) // from -ln 2/2 to ln 2/2
	r2 := float64(r * r)
	r4 := float64(r2 * r2)
	low := float64(1+r) + float64(r2*(1./2+float64(r*(1./6)))) + float64(r4*((1./24+float64(r*(1./120)))+float64(r2*(1./720+float64(r*(1./5040))))))
	high := (1./40320 + float64(r*(1./362880))) + float64(r2*(1./3628800+float64(r*(1./39916800)))) + float64(r4*(1./479001600+float64(r*(1./6227020800))))
	return float64((low + float64(float64(r4*r4)*high)) * math.Float64frombits(uint64(int(n)+1023)<<52))
}
