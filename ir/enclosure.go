package ir

import (
	"math"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Enclosure is two numbers between which an exact number lies, both ends included. Operations round
// outwards, so that the exact result of exact operands lies in the enclosure of the result (Moore,
// Kearfott and Cloud 2009, Introduction to Interval Analysis). An end that float64 represents
// exactly is not moved: 0 and 1 stay exact.
type Enclosure struct{ Lo, Hi float64 }

// Exactly returns the enclosure of only x.
func Exactly(x float64) Enclosure { return Enclosure{x, x} }

// tiny is a bound of products and quotients below which the error of one may not be a float64, so
// that it cannot be computed.
const tiny = 0x1p-900

// Add returns the sum.
func (a Enclosure) Add(b Enclosure) Enclosure {
	return Enclosure{outward(a.Lo, b.Lo, math.Inf(-1)), outward(a.Hi, b.Hi, math.Inf(1))}
}

// outward returns x + y, rounded in the direction of the infinity to if it is not exact.
func outward(x, y, to float64) float64 {
	sum := x + y
	if math.IsInf(sum, 0) {
		if math.IsInf(x, 0) || math.IsInf(y, 0) || sum == to {
			return sum
		}
		return math.Nextafter(sum, to)
	}
	back := sum - x
	lost := (x - (sum - back)) + (y - back) // exact: TwoSum of Knuth
	if lost != 0 && lost > 0 == (to > 0) {
		return math.Nextafter(sum, to)
	}
	return sum
}

// Mul returns the product.
func (a Enclosure) Mul(b Enclosure) Enclosure {
	switch {
	case a.Hi <= 0 && a.Lo < 0:
		return a.Neg().Mul(b).Neg()
	case b.Hi <= 0 && b.Lo < 0:
		return a.Mul(b.Neg()).Neg()
	case a.Lo >= 0 && b.Lo >= 0:
		return Enclosure{mulDown(a.Lo, b.Lo), mulUp(a.Hi, b.Hi)}
	case a.Lo >= 0:
		return Enclosure{-mulUp(a.Hi, -b.Lo), mulUp(a.Hi, b.Hi)}
	case b.Lo >= 0:
		return b.Mul(a)
	}
	return Enclosure{-max(mulUp(-a.Lo, b.Hi), mulUp(a.Hi, -b.Lo)), max(mulUp(a.Lo, b.Lo), mulUp(a.Hi, b.Hi))}
}

// Quot returns the quotient of any two numbers. Nothing is known of it if the divisor may be 0.
func (a Enclosure) Quot(b Enclosure) Enclosure {
	switch {
	case b.Hi < 0:
		return a.Neg().Quot(b.Neg())
	case b.Lo <= 0:
		return unknown
	case a.Lo >= 0:
		return a.Div(b)
	case a.Hi <= 0:
		return a.Neg().Div(b).Neg()
	}
	return Enclosure{-quotient(-a.Lo, b.Lo, math.Inf(1)), quotient(a.Hi, b.Lo, math.Inf(1))}
}

// unknown encloses all numbers.
var unknown = Enclosure{math.Inf(-1), math.Inf(1)}

// Ratio returns the quotient, and 0 if the divisor is 0.
func (a Enclosure) Ratio(b Enclosure) Enclosure {
	switch {
	case b == Enclosure{}:
		return b
	case a.Lo >= 0 && b.Lo == 0:
		return Enclosure{0, a.Div(b).Hi}
	}
	return a.Quot(b)
}

// Max returns the larger number.
func (a Enclosure) Max(b Enclosure) Enclosure {
	return Enclosure{max(a.Lo, b.Lo), max(a.Hi, b.Hi)}
}

func mulDown(x, y float64) float64 {
	if x == 0 || y == 0 {
		return 0
	}
	p := x * y
	if p > tiny && p <= math.MaxFloat64 && math.FMA(x, y, -p) >= 0 {
		return p
	}
	return max(0, math.Nextafter(p, 0))
}

func mulUp(x, y float64) float64 {
	if x == 0 || y == 0 {
		return 0
	}
	p := x * y
	if p > tiny && math.FMA(x, y, -p) <= 0 {
		return p
	}
	return math.Nextafter(p, math.Inf(1))
}

// Div returns the quotient of numbers of at least 0, with an exact divisor that is not 0. If b may
// be as small as one likes, the quotient has no upper end.
func (a Enclosure) Div(b Enclosure) Enclosure {
	q := Enclosure{0, math.Inf(1)}
	if a.Lo > 0 && b.Hi <= math.MaxFloat64 {
		q.Lo = quotient(a.Lo, b.Hi, 0)
	}
	switch {
	case a.Hi == 0:
		q.Hi = 0
	case b.Lo > 0:
		q.Hi = quotient(a.Hi, b.Lo, math.Inf(1))
	}
	return q
}

// quotient returns x / y, rounded towards to if it is not exact, or may not be.
func quotient(x, y, to float64) float64 {
	q := x / y
	if x > tiny && q > tiny && q <= math.MaxFloat64 {
		rest := math.FMA(-q, y, x) // exact
		if rest == 0 || rest > 0 == (to == 0) {
			return q
		}
	}
	return math.Nextafter(q, to)
}

// Neg returns the negative.
func (a Enclosure) Neg() Enclosure { return Enclosure{-a.Hi, -a.Lo} }

// Power returns a * 2^k.
func (a Enclosure) Power(k int) Enclosure {
	out := Enclosure{math.Ldexp(a.Lo, k), math.Ldexp(a.Hi, k)}
	if math.Ldexp(out.Lo, -k) != a.Lo {
		out.Lo = max(0, math.Nextafter(out.Lo, math.Inf(-1)))
	}
	if math.Ldexp(out.Hi, -k) != a.Hi {
		out.Hi = math.Nextafter(out.Hi, math.Inf(1))
	}
	return out
}

// Log returns the natural logarithm of a number that is at least 0; the logarithm of 0 is -Inf.
func (a Enclosure) Log() Enclosure {
	return Enclosure{logOf(a.Lo).Lo, logOf(a.Hi).Hi}
}

// Ln2 encloses the natural logarithm of 2, 0x1.62e42fefa39ef35793c7...p-1.
var Ln2 = Enclosure{0x1.62e42fefa39efp-1, 0x1.62e42fefa39f0p-1}

// logTerms is the number of terms of the series of logOf. Those that it leaves out are together at
// most 1/25 of square to the power of logTerms, since the next divisor is 27 and square below 0.03.
const logTerms = 13

// logOf encloses ln x for x of at least 0. It writes x as m * 2^e with m near 1, and uses
// ln m = 2 (t + t^3/3 + t^5/5 + ...) where t = (m-1)/(m+1), because no bound is proven of the error
// of math.Log.
func logOf(x float64) Enclosure {
	if x == 0 || math.IsInf(x, 1) {
		return Exactly(pgmrt.Ln(x))
	}
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	t := Exactly(math.Abs(m - 1)).Div(Exactly(m).Add(Exactly(1))) // m - 1 is exact
	square := t.Mul(t)
	sum := Enclosure{0, 1. / 25}
	for k := logTerms - 1; k >= 0; k-- {
		sum = sum.Mul(square).Add(Exactly(1).Div(Exactly(float64(2*k + 1))))
	}
	log := t.Mul(sum).Power(1)
	if m < 1 {
		log = log.Neg()
	}
	whole := Ln2.Mul(Exactly(math.Abs(float64(e))))
	if e < 0 {
		whole = whole.Neg()
	}
	return whole.Add(log)
}

// Exp returns e to the power of a number.
func (a Enclosure) Exp() Enclosure { return Enclosure{expOf(a.Lo).Lo, expOf(a.Hi).Hi} }

// ln2High has 33 bits, so that its products with whole numbers up to 2^20 are exact. ln2Low
// encloses the rest of the natural logarithm of 2.
const ln2High = 0x1.62e42feep-1

var ln2Low = Enclosure{0x1.a39ef35793c76p-33, 0x1.a39ef35793c77p-33}

// expTerms is the number of terms of the series of expOf. The next one is below 0.35^18/18!, which
// is 1e-24, and with all those after it below expRest.
const (
	expTerms = 18
	expRest  = 1e-23
)

// expOf encloses e^x. It writes x as k ln 2 + r, and sums the powers of r divided by factorials.
func expOf(x float64) Enclosure {
	switch {
	case x == 0 || math.IsInf(x, 0):
		return Exactly(math.Exp(x))
	case x < -800:
		return Enclosure{0, math.SmallestNonzeroFloat64}
	case x > 800:
		return Enclosure{math.MaxFloat64, math.Inf(1)}
	}
	k := math.Round(x / math.Ln2)
	r := Exactly(x).Add(Exactly(-k * ln2High)).Add(ln2Low.Mul(Exactly(-k)))
	sum := Exactly(1)
	for n := expTerms - 1; n > 0; n-- {
		sum = sum.Mul(r).Quot(Exactly(float64(n))).Add(Exactly(1))
	}
	return sum.Add(Enclosure{-expRest, expRest}).Power(int(k))
}

// Off returns how far x may be from the exact number, rounded up; +Inf if nothing is known.
func (a Enclosure) Off(x float64) float64 {
	if x == a.Lo && x == a.Hi {
		return 0
	}
	up := math.Inf(1)
	off := max(outward(a.Hi, -x, up), outward(x, -a.Lo, up), 0)
	if math.IsNaN(off) {
		return up
	}
	return off
}
