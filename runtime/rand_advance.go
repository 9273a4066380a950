package pgmrt

import "math/bits"

// Advance moves the generator over n numbers, in time that grows with the logarithm of n.
//
// Source: Brown 1994, "Random number generation with arbitrary strides".
func (r *Rand) Advance(n uint64) {
	sum, factor := Rand{}, Rand{lo: 1} // of the state after the numbers so far: factor * state + sum
	plus, times := randStep()
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			factor, sum = factor.times(times), sum.times(times).plus(plus)
		}
		plus, times = times.plus(Rand{lo: 1}).times(plus), times.times(times)
	}
	*r = r.times(factor).plus(sum)
}

// randStep returns the sum and the factor of one step of the state.
func randStep() (plus, times Rand) {
	plus, _ = Rand{}.after() // the step of state 0
	one, _ := Rand{lo: 1}.after()
	lo, borrow := bits.Sub64(one.lo, plus.lo, 0)
	hi, _ := bits.Sub64(one.hi, plus.hi, borrow)
	return plus, Rand{hi, lo}
}

// plus adds numbers of 128 bits.
func (r Rand) plus(o Rand) Rand {
	lo, carry := bits.Add64(r.lo, o.lo, 0)
	hi, _ := bits.Add64(r.hi, o.hi, carry)
	return Rand{hi, lo}
}

// times multiplies numbers of 128 bits.
func (r Rand) times(o Rand) Rand {
	hi, lo := bits.Mul64(r.lo, o.lo)
	return Rand{hi + r.hi*o.lo + r.lo*o.hi, lo}
}
