package acmn

import (
	"math"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// addition is the problem of adding two features to a model in which they hold with probabilities p
// and q, and never together.
type addition struct {
	p, q       float64 // probabilities under the model
	seen, none float64 // weights of the rows in which they hold
	rows       float64 // total weight of the rows
	l1         float64
	precision  float64 // inverse variance of the Gaussian prior
}

// value returns the gain in log-likelihood, less the priors, of weights a and b.
func (x *addition) value(a, b float64) float64 {
	z := x.p*math.Exp(a) + x.q*math.Exp(b) + max(0, 1-x.p-x.q)
	return a*x.seen + b*x.none - x.rows*pgmrt.Ln(z) - x.precision/2*(a*a+b*b) - x.l1*(math.Abs(a)+math.Abs(b))
}

// most bounds a weight: odds of e^30 are certainty at the precision of float64.
const most = 30

// best returns the weights of the largest value. It uses Newton's method within the signs that the
// weights may have.
func (x *addition) best() (a, b, value float64) {
	value = x.value(0, 0)
	for range 100 {
		z := x.p*math.Exp(a) + x.q*math.Exp(b) + max(0, 1-x.p-x.q)
		p, q := x.p*math.Exp(a)/z, x.q*math.Exp(b)/z
		ga := shrunk(x.seen-x.rows*p-x.precision*a, a, x.l1)
		gb := shrunk(x.none-x.rows*q-x.precision*b, b, x.l1)
		haa := x.rows*p*(1-p) + x.precision + least
		hbb := x.rows*q*(1-q) + x.precision + least
		hab := -x.rows * p * q
		if ga == 0 || gb == 0 {
			hab = 0
		}
		det := haa*hbb - hab*hab
		da, db := (ga*hbb-gb*hab)/det, (gb*haa-ga*hab)/det
		if det <= 0 {
			da, db = ga/haa, gb/hbb
		}
		na, nb, to := a, b, value
		for length := 1.0; length > 1e-9; length /= 2 {
			na, nb = along(a, length*da, ga), along(b, length*db, gb)
			if to = x.value(na, nb); to > value {
				break
			}
		}
		if !(to > value) {
			break
		}
		rise := to - value
		a, b, value = na, nb, to
		if rise < 1e-10 {
			break
		}
	}
	return a, b, value
}

// least keeps Newton's steps finite if a feature holds never or always.
const least = 1e-9

// shrunk returns the slope of the value by a weight with the L1 penalty: at the kink, the
// subgradient of least size.
func shrunk(slope, weight, l1 float64) float64 {
	switch {
	case weight > 0:
		return slope - l1
	case weight < 0:
		return slope + l1
	case slope > l1:
		return slope - l1
	case slope < -l1:
		return slope + l1
	}
	return 0
}

// along returns a weight moved by a step, but not past 0.
func along(weight, step, slope float64) float64 {
	sign := weight
	if sign == 0 {
		sign = slope
	}
	to := max(-most, min(most, weight+step))
	if to*sign < 0 {
		return 0
	}
	return to
}
