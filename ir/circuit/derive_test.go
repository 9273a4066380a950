package circuit_test

import (
	"math"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/circuit"
)

// TestDerive checks the derivatives of (x + y) * x * z by hand: 2xz + yz, xz and (x+y)x. By an
// input that the root does not need, and by one that is later than the root, they are 0.
func TestDerive(t *testing.T) {
	c := circuit.New()
	x, y, z, other := c.Input(0), c.Input(1), c.Input(2), c.Input(3)
	root := c.Prod(c.Prod(c.Sum(x, y), x), z)
	d := c.Derive(root, []circuit.Node{x, y, z, other, c.Input(4)}, nil)
	value := c.Eval(func(leaf int32) float64 { return []float64{2, 3, 5, 7, 11}[leaf] })
	for i, want := range []float64{35, 10, 10, 0, 0} {
		if got := value[d[i]]; got != want {
			t.Errorf("derivative %d is %v; want %v", i, got, want)
		}
	}
}

// TestDeriveInputs checks that the derivative by an input is complete when it is reported, and that
// a caller can replace the input by an earlier node: here w by 10x, in w * (w + y).
func TestDeriveInputs(t *testing.T) {
	c := circuit.New()
	x, y, w := c.Input(0), c.Input(1), c.Input(2)
	root := c.Prod(w, c.Sum(w, y))
	var seen []circuit.Node
	d := c.Derive(root, []circuit.Node{x}, func(n circuit.Node, d []circuit.Node) {
		if seen = append(seen, n); n == w {
			d[x] = c.Sum(d[x], c.Prod(c.Const(10), d[w]))
		}
	})
	value := c.Eval(func(leaf int32) float64 { return []float64{2, 3, 20}[leaf] })
	if got := value[d[0]]; got != 10*(2*20+3) {
		t.Errorf("the derivative is %v; want 430", got)
	}
	if want := []circuit.Node{w, y, x}; !slices.Equal(seen, want) {
		t.Errorf("inputs %v; want %v", seen, want)
	}
}

// TestUnderflow checks the bound for a product that underflows and is multiplied by 1000
// afterwards, and that it is infinite if a value overflows.
func TestUnderflow(t *testing.T) {
	c := circuit.New()
	x, y := c.Input(0), c.Input(1)
	root := c.Prod(c.Const(1000), c.Prod(x, y))
	bound := func(x, y float64) float64 {
		return c.Underflow([]circuit.Node{root}, func(leaf int32) float64 { return []float64{x, y}[leaf] })
	}
	if got := bound(1, 1); got != (1000.0+1)/2 {
		t.Errorf("the bound is %v; want 500.5", got)
	}
	if got := bound(1e200, 1e150); !math.IsInf(got, 1) {
		t.Errorf("the bound is %v; want infinity", got)
	}
	if got := c.Underflow([]circuit.Node{c.Sum(x, y)}, func(int32) float64 { return 1 }); got != 0 {
		t.Errorf("the bound of a sum is %v; want 0", got)
	}
}
