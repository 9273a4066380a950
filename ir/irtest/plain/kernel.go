package plain

import (
	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// kernels are the functions of the runtime that kernels name.
var kernels = map[string]func(k []int32, s, p []float64, t []int32, r *pgmrt.Rand){
	"ForestDeterminant": pgmrt.ForestDeterminant,
	"ForestReals":       pgmrt.ForestReals,
	"ForestSchur":       pgmrt.ForestSchur,
	"ForestStart":       pgmrt.ForestStart,
	"ForestTree":        pgmrt.ForestTree,
}

// kernel calls the function of the runtime on copies of the spans, side by side. It is the one step
// without an implementation of its own: what its words mean is between the method and the runtime, so
// that only the references of the step are checked here. Tests of runtime compare the functions with
// the sum over all trees.
func (m *Memory) kernel(s *ir.Kernel) {
	var numbers, data []float64
	var ints []int32
	at := map[ir.SpanID]int{}
	for i := range m.Program.Spans {
		id, span := ir.SpanID(i), &m.Program.Spans[i]
		switch {
		case span.Elem == ir.Int32:
			at[id] = len(ints)
			ints = append(ints, m.Ints[id]...)
		case span.ReadOnly():
			at[id] = len(data)
			data = append(data, m.Numbers[id]...)
		default:
			at[id] = len(numbers)
			numbers = append(numbers, m.Numbers[id]...)
		}
	}
	kernels[s.Func](s.Words(at[m.Program.State], func(id ir.SpanID) int { return at[id] }), numbers, data, ints, m.Rand)
	for i := range m.Program.Spans {
		id, span := ir.SpanID(i), &m.Program.Spans[i]
		switch {
		case span.Elem == ir.Int32:
			copy(m.Ints[id], ints[at[id]:])
		case !span.ReadOnly():
			copy(m.Numbers[id], numbers[at[id]:])
		}
	}
}
