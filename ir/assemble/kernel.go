package assemble

import (
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/price"
)

// kernelRows is the step that is one function of the runtime.
var kernelRows = []row{
	newRow(kernel, (*Assembler).kernel, kernelPrice),
}

// kernel writes the words of the kernel's function, which have no operation and no length.
func (a *Assembler) kernel(s *ir.Kernel) {
	a.code.Words = append(a.code.Words, s.Words(a.state(0), a.at)...)
	a.code.Func, a.code.Work, a.code.Data, a.code.State, a.code.Draws = s.Func, true, true, true, !drawless[s.Func]
}

// drawless holds the kernels that need no random numbers.
var drawless = map[string]bool{"AscendDual": true, "BoundSums": true, "CutMoves": true, "PolishStates": true, "SearchStates": true, "TightenBound": true}

func kernelPrice(*ir.Program, *ir.Kernel) Price { return Price{NS: price.Step.Kernel} }
