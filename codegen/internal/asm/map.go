package asm

import (
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// instructions holds the instructions of operations that are no sums or products.
var instructions = map[circuit.Op]string{circuit.Sub: "VSUBPD", circuit.Quot: "VDIVPD", circuit.Ratio: ratio, circuit.Sqrt: "VSQRTPD"}

// Map is the assembly of a map without axes.
type Map struct {
	Text  string
	Slots int
	// Result holds, by result, the slot in which it is found: its own, or an operand's if the map
	// does not compute it; -1 for a constant.
	Result []int
}

// WriteMap returns a function, func(l, p *float64), that runs the code of m in lanes: each
// instruction as one, so that the results equal single runs' to the last bit. Operand i is in slot
// i. place holds the index of each constant in data memory, to which p points. ok is false if m has
// an operation that lanes do not have.
func WriteMap(m *ir.Map, name string, place []int) (c *Map, ok bool) {
	first, code := len(m.In), len(m.In)+len(m.Consts)
	g := &graph{reads: map[int]bool{}}
	of := func(v int32) operand {
		if int(v) < code {
			return slotOperand(int(v))
		}
		return operand(int(v) - code)
	}
	for _, x := range m.Code {
		n := node{home: -1}
		switch op, other := instructions[x.Op]; {
		case x.Op == circuit.Sum:
			n.terms = [][2]operand{{of(x.A), none}, {of(x.B), none}}
		case x.Op == circuit.Prod:
			n.terms = [][2]operand{{of(x.A), of(x.B)}}
		case !other:
			return nil, false
		case x.Op.Unary():
			n.op, n.terms = op, [][2]operand{{of(x.A), none}}
		default:
			n.op, n.terms = op, [][2]operand{{of(x.A), of(x.B)}}
		}
		g.nodes = append(g.nodes, n)
	}
	c = &Map{Slots: code, Result: make([]int, len(m.Set))}
	for i, v := range m.Set {
		switch n := int(v) - code; {
		case n >= 0 && g.nodes[n].home < 0:
			g.nodes[n].home = c.Slots
			c.Slots++
			fallthrough
		case n >= 0:
			c.Result[i] = g.nodes[n].home
		case int(v) < first:
			c.Result[i] = int(v)
		default:
			c.Result[i] = -1
		}
	}
	g.sort()
	w := newWriter(first, c.Slots, g, place)
	c.Text = function(name, w.write())
	c.Slots += w.spills
	return c, true
}
