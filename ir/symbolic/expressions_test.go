package symbolic_test

import (
	"fmt"
	"testing"

	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/symbolic"
)

func TestText(t *testing.T) {
	c := circuit.New()
	x, y, z := c.Input(0), c.Input(1), c.Input(2)
	p := &symbolic.Expressions{Circuit: c, Std: func(name string) string { return name }, Atom: func(n circuit.Node) (string, bool) {
		if c.Op(n) == circuit.Input {
			return string(rune('x' + c.Leaf(n))), true
		}
		return fmt.Sprint(c.Op(n)), c.Op(n) == circuit.Const
	}}
	for _, tt := range []struct {
		n    circuit.Node
		want string
	}{
		{x, "x"},
		{c.Sum(c.Sum(x, y), z), "z + (x + y)"}, // operands are in the order of their numbers
		{c.Sum(c.Prod(x, y), z), "z + float64(x*y)"},
		{c.Sum(c.Prod(x, y), c.Prod(y, z)), "float64(x*y) + float64(y*z)"},
		{c.Prod(c.Sum(x, z), c.Sum(y, z)), "(x + z)*(y + z)"},
		{c.Prod(c.Prod(x, z), c.Prod(y, z)), "y*z*(x*z)"},
		{c.Max(x, y), "math.Float64frombits(max(math.Float64bits(x), math.Float64bits(y)))"},
	} {
		if got := p.Text(tt.n); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}
