package circuit_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/ir/circuit"
)

// TestCompact checks that equal operations are one node after Compact.
func TestCompact(t *testing.T) {
	c := circuit.New()
	x, y, half := c.Input(0), c.Input(1), c.Const(.5)
	z := c.Sum(c.Prod(x, half), y)
	n := c.Len()
	c.Compact()
	if c.Sum(c.Prod(c.Input(0), c.Const(.5)), c.Input(1)) != z || c.Len() != n {
		t.Error("Compact forgets nodes")
	}
	c.Compact()
	if first, again := c.Const(.25), c.Const(.25); first != circuit.Node(n) || again != first {
		t.Error("a new constant is not one node")
	}
}

func TestFolding(t *testing.T) {
	c := circuit.New()
	x, y := c.Input(0), c.Input(1)
	half := c.Const(.5)
	tests := []struct {
		name      string
		got, want circuit.Node
	}{
		{"zero is one node", c.Const(0), circuit.Zero},
		{"one is one node", c.Const(1), circuit.One},
		{"equal constants", c.Const(.5), half},
		{"equal inputs", c.Input(0), x},
		{"0*x", c.Prod(circuit.Zero, x), circuit.Zero},
		{"x*0", c.Prod(x, circuit.Zero), circuit.Zero},
		{"1*x", c.Prod(circuit.One, x), x},
		{"x*1", c.Prod(x, circuit.One), x},
		{"0+x", c.Sum(circuit.Zero, x), x},
		{"x+0", c.Sum(x, circuit.Zero), x},
		{"max(0,x)", c.Max(circuit.Zero, x), x},
		{"max(x,0)", c.Max(x, circuit.Zero), x},
		{"max(x,x)", c.Max(x, x), x},
		{"const+const", c.Sum(half, half), circuit.One},
		{"const*const", c.Prod(half, half), c.Const(.25)},
		{"max of constants", c.Max(half, c.Const(.25)), half},
		{"sums commute", c.Sum(x, y), c.Sum(y, x)},
		{"products commute", c.Prod(x, y), c.Prod(y, x)},
		{"maxima commute", c.Max(x, y), c.Max(y, x)},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s: got node %d, want %d", tt.name, tt.got, tt.want)
		}
	}
	if c.Sum(x, y) == c.Prod(x, y) || c.Sum(x, y) == c.Max(x, y) {
		t.Error("different operations share a node")
	}
}

// TestRandom builds the same random expressions with and without sharing, and compares values and
// growth.
func TestRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	inputs := []float64{0, 1, .25, 3, 1e-3}
	c := circuit.New()
	nodes := []circuit.Node{circuit.Zero, circuit.One}
	want := []float64{0, 1}
	for i, v := range inputs {
		nodes, want = append(nodes, c.Input(int32(i)), c.Const(v/8)), append(want, v, v/8)
	}
	for range 20000 {
		i, j := rng.IntN(len(nodes)), rng.IntN(len(nodes))
		switch a, b := want[i], want[j]; {
		case a+b > 1e3:
		case rng.IntN(3) == 0:
			nodes, want = append(nodes, c.Sum(nodes[i], nodes[j])), append(want, a+b)
		case rng.IntN(2) == 0:
			nodes, want = append(nodes, c.Prod(nodes[i], nodes[j])), append(want, a*b)
		default:
			nodes, want = append(nodes, c.Max(nodes[i], nodes[j])), append(want, max(a, b))
		}
	}
	got := c.Eval(func(leaf int32) float64 { return inputs[leaf] })
	for i, n := range nodes {
		if g := got[n]; math.Abs(g-want[i]) > 1e-12*want[i] {
			t.Fatalf("node %d (%s): got %g, want %g", n, c.Op(n), g, want[i])
		}
	}
	if c.Len() >= len(nodes) {
		t.Errorf("got %d nodes for %d expressions; want fewer", c.Len(), len(nodes))
	}
}

func TestUses(t *testing.T) {
	c := circuit.New()
	x, y := c.Input(0), c.Input(1)
	p := c.Prod(x, y)
	dead := c.Max(x, y)
	s := c.Sum(p, p)
	uses := c.Uses([]circuit.Node{s, x})
	for _, tt := range []struct {
		n    circuit.Node
		want int32
	}{{s, 1}, {p, 2}, {x, 2}, {y, 1}, {dead, 0}} {
		if uses[tt.n] != tt.want {
			t.Errorf("uses of node %d: got %d, want %d", tt.n, uses[tt.n], tt.want)
		}
	}
	if got := c.Size([]circuit.Node{s}); got != 2 {
		t.Errorf("size: got %d, want 2", got)
	}
}

// The example builds the joint distribution of two binary variables, one of them observed. The
// parameters that cannot matter disappear.
func Example() {
	c := circuit.New()
	pa := []circuit.Node{c.Const(.5), c.Const(.5)}
	pb := [][]float64{{1, 0}, {.25, .75}}
	lambda := []circuit.Node{circuit.Zero, c.Input(0)}
	sum := circuit.Zero
	for a := range pa {
		for b := range lambda {
			sum = c.Sum(sum, c.Prod(pa[a], c.Prod(lambda[b], c.Const(pb[a][b]))))
		}
	}
	fmt.Println(c.Size([]circuit.Node{sum}), c.Eval(func(int32) float64 { return 1 })[sum])
	// Output: 2 0.375
}

// TestLeft checks what is noted of constants that leave the range of float64.
func TestLeft(t *testing.T) {
	for _, x := range []struct {
		name string
		make func(c *circuit.Circuit) circuit.Node
		want circuit.Range
	}{
		{"in range", func(c *circuit.Circuit) circuit.Node { return c.Prod(c.Const(1e-150), c.Const(1e-150)) }, circuit.Range{}},
		{"zero", func(c *circuit.Circuit) circuit.Node { return c.Prod(circuit.Zero, c.Const(1e-150)) }, circuit.Range{}},
		{"product", func(c *circuit.Circuit) circuit.Node { return c.Prod(c.Const(1e200), c.Const(1e200)) }, circuit.Range{Over: true}},
		{"sum", func(c *circuit.Circuit) circuit.Node { return c.Sum(c.Const(1e308), c.Const(1.7e308)) }, circuit.Range{Over: true}},
		{"small", func(c *circuit.Circuit) circuit.Node { return c.Prod(c.Const(1e-200), c.Const(1e-200)) }, circuit.Range{Under: true}},
	} {
		c := circuit.New()
		x.make(c)
		if got := c.Left(); got != x.want {
			t.Errorf("%s: %+v; want %+v", x.name, got, x.want)
		}
	}
}
