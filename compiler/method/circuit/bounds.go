package circuit

import (
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// Limits in bits. Products in the circuit are rescaled if their logarithm exceeds rangeBits; the
// range of a float64 leaves room beyond for soft evidence, see pass.ProgramScale. A variable
// parameter counts as within paramBits of 1.
const (
	rangeBits = 700
	paramBits = 200
	nearBits  = 32 // factors this close to 1 are not worth rescaling
)

// interval bounds the base-2 logarithm of the non-zero values of a node. Likelihoods count as 0 or
// 1.
type interval struct{ lo, hi float64 }

// span returns the interval of a factor.
func (e *eliminator) span(f *factor) interval {
	b := interval{math.Inf(1), math.Inf(-1)}
	for _, n := range f.nodes {
		b.lo, b.hi = min(b.lo, e.lo(n)), max(b.hi, e.hi(n))
	}
	return b
}

func (e *eliminator) lo(n circuit.Node) float64 { e.grow(); return float64(e.bound[n][0]) }
func (e *eliminator) hi(n circuit.Node) float64 { e.grow(); return float64(e.bound[n][1]) }

// grow computes the bounds of new nodes.
func (e *eliminator) grow() {
	c := e.out.Nodes
	for len(e.bound) < c.Len() {
		n := circuit.Node(len(e.bound))
		var b [2]float32
		switch c.Op(n) {
		case circuit.Const:
			if x := c.Value(n); x > 0 {
				b = [2]float32{float32(math.Log2(x)), float32(math.Log2(x))}
			}
		case circuit.Input:
			switch l := e.out.Leaves[c.Leaf(n)]; l.Kind {
			case ir.LeafParam:
				b = [2]float32{-paramBits, paramBits}
			case ir.LeafScaled:
				b = e.scaledBound[l.Table]
			}
		default:
			x, y := c.Args(n)
			bx, by := e.bound[x], e.bound[y]
			switch c.Op(n) {
			case circuit.Sum:
				b = [2]float32{min(bx[0], by[0]), max(bx[1], by[1]) + 1}
			case circuit.Prod:
				b = [2]float32{bx[0] + by[0], bx[1] + by[1]}
			default:
				b = [2]float32{min(bx[0], by[0]), max(bx[1], by[1])}
			}
		}
		e.bound = append(e.bound, b)
	}
}

// rescaleOperands rescales factors of a product, in place, until the bounds of the product are
// within rangeBits or nothing is left to rescale.
func (e *eliminator) rescaleOperands(factors []*factor) {
	for {
		sum, worst := interval{}, -1
		far := float64(nearBits)
		for i, f := range factors {
			b := e.span(f)
			sum.lo, sum.hi = sum.lo+min(0, b.lo), sum.hi+max(0, b.hi)
			if x := max(-b.lo, b.hi); x > far && f.message && !f.scaled {
				worst, far = i, x
			}
		}
		if worst < 0 || sum.lo > -rangeBits && sum.hi < rangeBits {
			return
		}
		factors[worst] = e.rescale(factors[worst])
	}
}

// rescale returns the factor with its values rescaled together. Its nodes are inputs that hold the
// results.
func (e *eliminator) rescale(f *factor) *factor {
	b := e.span(f)
	g := *f
	g.scaled = true
	g.nodes = e.group(f.nodes, fmt.Sprintf("message %d, rescaled", len(e.out.Scaled)+1), interval{b.lo - b.hi, 1})
	return &g
}

// group adds a group of nodes to rescale, and returns an input for each of nodes. Equal nodes share
// an input.
func (e *eliminator) group(nodes []circuit.Node, name string, b interval) []circuit.Node {
	table := len(e.out.Scaled)
	e.scaledBound = append(e.scaledBound, [2]float32{float32(b.lo), float32(b.hi)})
	g := ir.Group{Name: name}
	at := map[circuit.Node]circuit.Node{}
	out := make([]circuit.Node, len(nodes))
	for i, n := range nodes {
		if n == circuit.Zero {
			continue
		}
		x, ok := at[n]
		if !ok {
			x = e.input(ir.Leaf{Kind: ir.LeafScaled, Table: table, Index: len(g.Nodes)})
			at[n] = x
			g.Nodes = append(g.Nodes, n)
		}
		out[i] = x
	}
	e.out.Scaled = append(e.out.Scaled, g)
	return out
}
