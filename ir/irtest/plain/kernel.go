package plain

import "github.com/pgmc-go/pgmc/ir"

// kernels has what each kernel does, by the name of its function.
var kernels = map[string]func(*forest){
	"ForestDeterminant": (*forest).treesSummedOut,
	"ForestReals":       (*forest).units,
	"ForestSchur":       (*forest).treesSummedOut, // another way to the same draws
	"ForestStart":       (*forest).start,
	"ForestTree":        (*forest).sweep,
}

// kernel does what the function of s is documented to do. The integers that the kernel keeps hold
// the parents of the variables first; what follows is the affair of the runtime's own
// implementation.
func (m *Memory) kernel(s *ir.Kernel) {
	m.Scratch[s.Work], m.Scratch[s.Ints] = true, true
	kernels[s.Func](&forest{m: m, s: s})
}
