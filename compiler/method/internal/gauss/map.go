package gauss

import (
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Look adds the value of a map at a point. It is the sum of the numbers of the map, each weighted
// by the product of two tents, which are 1 at its own point and 0 from the next ones on: all but
// four products are 0, and the derivatives are those of bilinear interpolation.
func Look(c *circuit.Circuit, t *model.Map, x, y circuit.Node) circuit.Node {
	across, up := tents(c, x, t.X, t.Cell, t.Columns), tents(c, y, t.Y, t.Cell, t.Rows())
	sum := circuit.Zero
	for j, w := range up {
		row := circuit.Zero
		for i, v := range t.Values[j*t.Columns:][:t.Columns] {
			row = c.Sum(row, c.Prod(c.Const(v), across[i]))
		}
		sum = c.Sum(sum, c.Prod(w, row))
	}
	return sum
}

// tents returns the weights of n points from first on at x, which sum to 1. Beyond the last point
// on either side its weight is 1.
func tents(c *circuit.Circuit, x circuit.Node, first, cell float64, n int) []circuit.Node {
	if n == 1 {
		return []circuit.Node{circuit.One}
	}
	u := c.Quot(c.Sub(x, c.Const(first)), c.Const(cell))
	u = c.Max(c.Min(u, c.Const(float64(n-1))), circuit.Zero)
	out := make([]circuit.Node, n)
	for i := range out {
		rise, fall := c.Sub(u, c.Const(float64(i-1))), c.Sub(c.Const(float64(i+1)), u)
		switch i { // u is within the grid
		case 0:
			rise = fall
		case n - 1:
			fall = rise
		}
		out[i] = c.Max(c.Min(rise, fall), circuit.Zero)
	}
	return out
}
