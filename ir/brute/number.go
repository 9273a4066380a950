package brute

import (
	"math"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// number is a non-negative number with an exponent of its own: frac times 2^exp, where frac is 0 or
// in [1/2, 1).
type number struct {
	frac float64
	exp  int
}

func (a number) times(x float64) number {
	frac, exp := math.Frexp(a.frac * x)
	return number{frac, a.exp + exp}
}

// log returns the natural logarithm, or -Inf for zero.
func (a number) log() float64 {
	if a.frac == 0 {
		return math.Inf(-1)
	}
	return pgmrt.Ln(a.frac) + float64(float64(a.exp)*math.Ln2)
}

// sum is a compensated sum: lo holds what hi lost to rounding.
type sum struct{ hi, lo float64 }

func (s *sum) add(x float64) {
	t := s.hi + x
	if s.hi >= x {
		s.lo += (s.hi - t) + x
	} else {
		s.lo += (x - t) + s.hi
	}
	s.hi = t
}

func (s *sum) value() float64 { return s.hi + s.lo }
