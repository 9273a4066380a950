package backendtest

import (
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// RandomArithmetic returns n programs made from seed with steps on numbers of either sign that take
// only sums, differences, products, quotients and square roots.
func RandomArithmetic(n int, seed uint64) []Case {
	return random("random arithmetic", n, seed, 2, func(g *generator) { g.plain, g.more = true, g.mapStep })
}

// arithmetic adds random instructions of that kind, with finite results.
func (g *generator) arithmetic(s *ir.Map) {
	value := func() int32 { return int32(g.r.IntN(s.Values())) }
	zero, half := int32(len(s.In)), int32(len(s.In))+2
	for range 1 + g.r.IntN(30) {
		a, b := value(), value()
		switch g.r.IntN(6) {
		case 0:
			g.instr(s, circuit.Sum, a, b)
		case 1:
			g.instr(s, circuit.Sub, a, b)
		case 2:
			g.instr(s, circuit.Sub, zero, b)
		case 3: // products of quotients alone, which stay small
			g.instr(s, circuit.Prod, g.small(s, a), b)
		case 4:
			g.small(s, a)
		default:
			g.instr(s, circuit.Sqrt, g.instr(s, circuit.Sum, g.instr(s, circuit.Prod, g.small(s, a), g.small(s, a)), half), 0)
		}
	}
}

// small adds a / (1/2 + a²), which is at most 1/√2 in size, and returns it.
func (g *generator) small(s *ir.Map, a int32) int32 {
	square := g.instr(s, circuit.Prod, a, a)
	return g.instr(s, circuit.Quot, a, g.instr(s, circuit.Sum, square, int32(len(s.In))+2))
}

// share returns the square of a number that small returns, which is from 0 to 1/2.
func (g *generator) share(s *ir.Map) int32 {
	x := g.small(s, int32(g.r.IntN(s.Values())))
	return g.instr(s, circuit.Prod, x, x)
}
