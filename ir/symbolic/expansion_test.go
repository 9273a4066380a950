package symbolic_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/symbolic"
)

// chain returns the expansion of the sum over x and y of f(a,x) g(x,y), for each a.
func chain(c *circuit.Circuit, left *int, set func(int, circuit.Node)) *symbolic.Expansion {
	input := func(first int) func(int) circuit.Node {
		return func(offset int) circuit.Node { return c.Input(int32(first + offset)) }
	}
	return &symbolic.Expansion{
		Circuit: c, Left: left, Set: set, Out: []int{1, 0, 0},
		Axes: []symbolic.Axis{{Size: 2}, {Size: 3, Reduced: true}, {Size: 4, Reduced: true}},
		In:   []symbolic.Operand{{Stride: []int{3, 1, 0}, At: input(0)}, {Stride: []int{0, 4, 1}, At: input(100)}},
	}
}

func TestRun(t *testing.T) {
	c, left := circuit.New(), 1000
	out := make([]circuit.Node, 2)
	if err := chain(c, &left, func(i int, n circuit.Node) { out[i] = n }).Run(); err != nil {
		t.Fatal(err)
	}
	// Both values of a share the sums over y: 9 additions. Then each takes 3 products and 2
	// additions.
	if got, want := c.Size(out), 19; got != want {
		t.Errorf("got %d operations, want %d", got, want)
	}
	v := c.Eval(func(int32) float64 { return 1 })
	if v[out[0]] != 12 || v[out[1]] != 12 {
		t.Errorf("got %v and %v, want 12", v[out[0]], v[out[1]])
	}
}

func TestLimit(t *testing.T) {
	left := 5
	err := chain(circuit.New(), &left, func(int, circuit.Node) {}).Run()
	if !errors.Is(err, symbolic.ErrLimit) {
		t.Errorf("got %v, want %v", err, symbolic.ErrLimit)
	}
}

func TestOrder(t *testing.T) {
	axes := []ir.Axis{{Var: 0, Size: 2, Kind: ir.AxisReduced}, {Var: 1, Size: 2, Kind: ir.AxisFixed}, {Var: 2, Size: 2, Kind: ir.AxisReduced}, {Var: 3, Size: 2}}
	in := []ir.View{{Stride: []int{2, 0, 1, 0}}, {Stride: []int{0, 0, 1, 2}}}
	if got, want := symbolic.Order(axes, in), []int{3, 2, 0}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
