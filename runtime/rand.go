package pgmrt

import "math/bits"

// Rand is a generator of pseudo-random numbers: PCG-DXSM with 128 bits of state and the 64-bit
// multiplier (O'Neill 2014, HMC-CS-2014-0905; the variant of numpy's PCG64DXSM and of
// math/rand/v2). It gives the same stream on every platform, passes the usual test suites, and is
// neither for cryptography nor for use by two goroutines at once. The zero value is a valid
// generator.
type Rand struct{ hi, lo uint64 }

// NewRand returns a generator with a stream that is determined by seed, by way of two steps of
// splitmix64, so that neighbouring seeds have unrelated streams.
func NewRand(seed uint64) *Rand {
	hi, seed := randSplitMix(seed)
	lo, _ := randSplitMix(seed)
	return &Rand{hi, lo}
}

// randSplitMix performs one step of splitmix64 (Steele, Lea and Flood 2014). It returns a number
// and the next state.
func randSplitMix(state uint64) (x, next uint64) {
	next = state + 0x9e3779b97f4a7c15
	x = (next ^ next>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31, next
}

// Uint64 returns 64 random bits.
func (r *Rand) Uint64() (x uint64) {
	*r, x = r.after()
	return x
}

// after returns the generator after one number, and the number: loops keep generators in registers.
func (r Rand) after() (next Rand, x uint64) {
	// The increment and the multipliers are as in the reference implementation, pcg_variants.h.
	const (
		mulHi, mulLo = 2549297995355413924, 4865540595714422341
		incHi, incLo = 6364136223846793005, 1442695040888963407
		cheap        = 0xda942042e4dd58b5
	)
	hi, lo := bits.Mul64(r.lo, mulLo)
	hi += r.hi*mulLo + r.lo*mulHi
	lo, carry := bits.Add64(lo, incLo, 0)
	hi, _ = bits.Add64(hi, incHi, carry)
	x = hi
	x ^= x >> 32
	x *= cheap
	x ^= x >> 48
	return Rand{hi, lo}, x * (lo | 1)
}

// Float64 returns a multiple of 2^-53 in [0, 1), each as likely as any other.
func (r *Rand) Float64() float64 { return float64(r.Uint64()>>11) * 0x1p-53 }
