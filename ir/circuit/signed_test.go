package circuit_test

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/ir/circuit"
)

func TestSignedFolding(t *testing.T) {
	c := circuit.NewSigned()
	x, y := c.Input(0), c.Input(1)
	two, minus := c.Const(2), c.Const(-2)
	for _, tt := range []struct {
		name      string
		got, want circuit.Node
	}{
		{"x-0", c.Sub(x, circuit.Zero), x},
		{"x-x", c.Sub(x, x), circuit.Zero},
		{"0-2", c.Neg(two), minus},
		{"x/1", c.Quot(x, circuit.One), x},
		{"0/x", c.Quot(circuit.Zero, x), circuit.Zero},
		{"x/0", c.Ratio(x, circuit.Zero), circuit.Zero},
		{"2/-2", c.Quot(two, minus), c.Const(-1)},
		{"max(0,-2)", c.Max(circuit.Zero, minus), circuit.Zero},
		{"min(0,-2)", c.Min(minus, circuit.Zero), minus},
		{"minima commute", c.Min(x, y), c.Min(y, x)},
		{"sqrt 4", c.Sqrt(c.Const(4)), two},
		{"exp 0", c.Exp(circuit.Zero), circuit.One},
		{"log 1", c.Log(circuit.One), circuit.Zero},
		{"equal differences", c.Sub(x, y), c.Sub(x, y)},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: got node %d, want %d", tt.name, tt.got, tt.want)
		}
	}
	if c.Max(x, circuit.Zero) == x || c.Sub(x, y) == c.Sub(y, x) || c.Quot(x, y) == c.Ratio(x, y) {
		t.Error("different operations share a node")
	}
}

// TestSignedEval evaluates and derives sqrt(x/y) - exp(x)*log(y) at (x, y), and compares the
// derivatives with differences.
func TestSignedEval(t *testing.T) {
	c := circuit.NewSigned()
	x, y := c.Input(0), c.Input(1)
	root := c.Sub(c.Sqrt(c.Quot(x, y)), c.Prod(c.Exp(x), c.Log(c.Ratio(y, c.Const(3)))))
	d := c.Derive(root, []circuit.Node{x, y}, nil)
	f := func(x, y float64) float64 { return math.Sqrt(x/y) - math.Exp(x)*math.Log(y/3) }
	const h = 1e-6
	for _, at := range [][2]float64{{.3, 2}, {1.5, .25}, {2, 3}} {
		v := c.Eval(func(leaf int32) float64 { return at[leaf] })
		if got, want := v[root], f(at[0], at[1]); math.Abs(got-want) > 1e-15*math.Abs(want) {
			t.Errorf("at %v: got %v, want %v", at, got, want)
		}
		want := []float64{(f(at[0]+h, at[1]) - f(at[0]-h, at[1])) / (2 * h), (f(at[0], at[1]+h) - f(at[0], at[1]-h)) / (2 * h)}
		for i := range want {
			if got := v[d[i]]; math.Abs(got-want[i]) > 1e-7*math.Max(1, math.Abs(want[i])) {
				t.Errorf("derivative %d at %v: got %v, want %v", i, at, got, want[i])
			}
		}
	}
}

func TestOpOf(t *testing.T) {
	for op := circuit.Const; op <= circuit.LastOp; op++ {
		if got, ok := circuit.OpOf(op.String()); !ok || got != op {
			t.Errorf("OpOf(%s) is %v, %v", op, got, ok)
		}
	}
	if _, ok := circuit.OpOf("sinh"); ok {
		t.Error("OpOf knows sinh")
	}
}

// TestFurtherDerivatives compares the derivatives of powers, angles and the functions of one number
// with differences.
func TestFurtherDerivatives(t *testing.T) {
	c := circuit.NewSigned()
	x, y := c.Input(0), c.Input(1)
	root := c.Sum(c.Prod(c.Pow(x, y), c.Atan2(y, x)), c.Sub(c.Prod(c.Sin(x), c.Cos(y)), c.Prod(c.Tanh(y), c.Pow(x, c.Const(2.5)))))
	root = c.Sum(root, c.Sub(c.Max(x, c.Prod(x, y)), c.Min(y, c.Const(.5))))
	d := c.Derive(root, []circuit.Node{x, y}, nil)
	f := func(x, y float64) float64 {
		return math.Pow(x, y)*math.Atan2(y, x) + math.Sin(x)*math.Cos(y) - math.Tanh(y)*math.Pow(x, 2.5) + math.Max(x, x*y) - math.Min(y, .5)
	}
	const h = 1e-6
	for _, at := range [][2]float64{{.3, 2}, {1.5, .25}, {2, -3}} {
		v := c.Eval(func(leaf int32) float64 { return at[leaf] })
		if got, want := v[root], f(at[0], at[1]); math.Abs(got-want) > 1e-14*math.Max(1, math.Abs(want)) {
			t.Errorf("at %v: got %v, want %v", at, got, want)
		}
		want := []float64{(f(at[0]+h, at[1]) - f(at[0]-h, at[1])) / (2 * h), (f(at[0], at[1]+h) - f(at[0], at[1]-h)) / (2 * h)}
		for i := range want {
			if got := v[d[i]]; math.Abs(got-want[i]) > 1e-7*math.Max(1, math.Abs(want[i])) {
				t.Errorf("derivative %d at %v: got %v, want %v", i, at, got, want[i])
			}
		}
	}
}
