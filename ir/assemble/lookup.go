package assemble

import (
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/price"
)

// lookup writes: offset of the result, length of a row, memory and offset of the table; for each
// axis the place of its state and its stride. The table is row-major.
func (a *Assembler) lookup(s *ir.Lookup) {
	start, step := a.begin(tapeLookup), a.len(s.Out)
	a.words(a.at(s.Out), step)
	a.operand(s.Table)
	strides := make([]int, len(s.Axes))
	for i := len(s.Axes) - 1; i >= 0; i-- {
		strides[i] = step
		step *= s.Axes[i].Size
	}
	for i, axis := range s.Axes {
		if state := a.state(axis.Var); axis.Size != 1 {
			a.words(state, strides[i])
		}
	}
	a.end(start)
}

func lookupPrice(p *ir.Program, s *ir.Lookup) Price {
	return Price{NS: float64(price.Step.Number * float64(p.Spans[s.Out].Len))}
}
