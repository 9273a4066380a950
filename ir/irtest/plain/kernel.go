package plain

import "github.com/pgmc-go/pgmc/ir"

// kernels holds the function of each kernel, by the name of its runtime function.
var kernels = map[string]func(*forest){
	"ForestDeterminant": (*forest).treesSummedOut,
	"ForestReals":       (*forest).units,
	"ForestSchur":       (*forest).treesSummedOut, // another way to the same draws
	"ForestStart":       (*forest).start,
	"ForestTree":        (*forest).sweep,
}

// kernel does what the documentation of the function of s requires. The kernel's integers hold the
// parents of the variables first; the rest belongs to the runtime's own implementation.
func (m *Memory) kernel(s *ir.Kernel) {
	m.Scratch[s.Work], m.Scratch[s.Ints] = true, true
	kernels[s.Func](&forest{m: m, s: s})
}
