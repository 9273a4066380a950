package circuit_test

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/ir/circuit"
)

// TestFlat checks (x + y) * x * z at x, y, z by hand: its values, their logarithms, and the
// derivatives 2xz + yz, xz and (x+y)x, and their logarithms. A product that underflows and a
// product with an operand of 0 also have derivatives.
func TestFlat(t *testing.T) {
	f := &circuit.Flat{}
	x, y, z := f.Add(circuit.Input), f.Add(circuit.Input), f.Add(circuit.Input)
	f.Add(circuit.Prod, f.Add(circuit.Sum, x, y), x, z)
	for _, c := range [][3]float64{{2, 3, 5}, {0, 3, 5}, {1e-200, 3, 1e-200}, {2, 0, 0}} {
		value, logs, slope := make([]float64, 5), make([]float64, 5), make([]float64, 5)
		for i, v := range c {
			value[i], logs[i] = v, math.Log(v)
		}
		want := (c[0] + c[1]) * c[0] * c[2]
		if got := f.Up(value); got != want {
			t.Errorf("at %v: %v; want %v", c, got, want)
		}
		if got, want := f.LogUp(logs), math.Log(c[0]+c[1])+math.Log(c[0])+math.Log(c[2]); math.Abs(got-want) > 1e-12*math.Abs(want) {
			t.Errorf("logarithm at %v: %v; want %v", c, got, want)
		}
		f.Down(value, slope)
		for i, want := range []float64{2*c[0]*c[2] + c[1]*c[2], c[0] * c[2], (c[0] + c[1]) * c[0]} {
			if math.Abs(slope[i]-want) > 1e-15*want {
				t.Errorf("at %v: derivative %d is %v; want %v", c, i, slope[i], want)
			}
		}
		f.LogDown(logs, slope)
		for i, want := range []float64{
			circuit.LogAdd(math.Log(2)+math.Log(c[0])+math.Log(c[2]), math.Log(c[1])+math.Log(c[2])),
			math.Log(c[0]) + math.Log(c[2]), math.Log(c[0]+c[1]) + math.Log(c[0]),
		} {
			if slope[i] != want && math.Abs(slope[i]-want) > 1e-12 {
				t.Errorf("at %v: the logarithm of derivative %d is %v; want %v", c, i, slope[i], want)
			}
		}
	}
}

func TestFlatMax(t *testing.T) {
	f := &circuit.Flat{}
	x, y := f.Add(circuit.Const), f.Add(circuit.Const)
	f.Add(circuit.Max, x, y)
	if got := f.Up([]float64{2, 3, 0}); got != 3 {
		t.Errorf("max(2, 3) is %v", got)
	}
	if got := f.LogUp([]float64{math.Log(2), math.Log(3), 0}); got != math.Log(3) {
		t.Errorf("the logarithm of max(2, 3) is %v", got)
	}
	if got := circuit.LogSumOf(nil, nil); !math.IsInf(got, -1) {
		t.Errorf("the logarithm of an empty sum is %v", got)
	}
}
