package independence

import "math"

// Tail is the probability that a chi-square variable with so many degrees of freedom exceeds x; 1 without any freedom. It is the regularised
// upper incomplete gamma function Q(free/2, x/2), by the power series of its complement where x is small, and else by Legendre's continued
// fraction: NIST Digital Library of Mathematical Functions, 8.11.4 and 8.9.2.
func Tail(free, x float64) float64 {
	if free <= 0 || x <= 0 {
		return 1
	}
	a, z := free/2, x/2
	lg, _ := math.Lgamma(a)
	front := math.Exp(a*math.Log(z) - z - lg)
	if z < a+1 {
		return max(0, 1-front*series(a, z))
	}
	return front * fraction(a, z)
}

// enough is the relative size of a term from which on the rest is rounding.
const enough = 1e-15

// series is Σ z^k / (a(a+1)...(a+k)).
func series(a, z float64) float64 {
	term := 1 / a
	sum := term
	for k := 1.0; term > enough*sum; k++ {
		term *= z / (a + k)
		sum += term
	}
	return sum
}

// mostTerms is far more than the fraction takes: in the order of the root of a, which is below 2^20.
const mostTerms = 100_000

// fraction is 1/(z+1-a- 1(1-a)/(z+3-a- 2(2-a)/(z+5-a- ...))), by the method of Lentz.
func fraction(a, z float64) float64 {
	b := z + 1 - a
	c, d := math.Inf(1), 1/b
	f := d
	for k := 1.0; k < mostTerms; k++ {
		num := -k * (k - a)
		b += 2
		d = 1 / (num*d + b)
		c = b + num/c
		f *= c * d
		if math.Abs(c*d-1) < enough {
			break
		}
	}
	return f
}
