package assemble

import (
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/price"
)

// pick writes: place of the state, number of states, number of operands; for each operand its
// memory, offset and stride along the row; for each fixed axis the place of its state and the
// strides of the operands.
func (a *Assembler) pick(s *ir.Pick) {
	op := tapeArgmax
	if s.Mode == ir.PickDraw {
		op = tapeDraw
		a.code.Draws = true
	}
	start := a.begin(op)
	a.words(a.state(s.Axes[0].Var), s.Axes[0].Size, len(s.In))
	for _, v := range s.In {
		a.operand(v.Span)
		a.words(v.Stride[0])
	}
	for i, axis := range s.Axes[1:] {
		if axis.Size == 1 {
			continue
		}
		a.words(a.state(axis.Var))
		for _, v := range s.In {
			a.words(v.Stride[1+i])
		}
	}
	a.end(start)
}

func pickPrice(_ *ir.Program, s *ir.Pick) Price {
	ops := s.Axes[0].Size * max(1, len(s.In)) * 2
	return Price{NS: float64(price.Step.Weight * float64(ops)), Ops: ops}
}
