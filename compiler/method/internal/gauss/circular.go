package gauss

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/circuit"
)

// Wrapped returns the number nearest to 0 that differs from x by a multiple of the period.
func Wrapped(c *circuit.Circuit, period float64, x circuit.Node) circuit.Node {
	angle := c.Prod(c.Const(2*math.Pi/period), x)
	return c.Prod(c.Const(period/(2*math.Pi)), c.Atan2(c.Sin(angle), c.Cos(angle)))
}

// WrappedSum returns ln of the sum of the wrapped normal density, of the given precision, relative
// to its largest term, if off is at most half a period in size: with the terms of the neighbouring
// periods. The others add less than 1e-7 if the deviation is at most a quarter of the period.
func WrappedSum(c *circuit.Circuit, period float64, precision, off circuit.Node) circuit.Node {
	sum := circuit.One
	for _, sign := range []float64{1, -1} { // (period ± off)² - off²
		far := c.Prod(c.Const(period), c.Sum(c.Const(period), c.Prod(c.Const(2*sign), off)))
		sum = c.Sum(sum, c.Exp(c.Prod(c.Prod(c.Const(-.5), precision), c.Max(far, circuit.Zero))))
	}
	return c.Log(sum)
}
