package plain

import "github.com/pgmc-go/pgmc/ir"

// kernels holds the function of each kernel, by the name of its runtime function.
var kernels = map[string]func(*Memory, *ir.Kernel){
	"AscendDual":        (*Memory).ascendDual,
	"BoundSums":         (*Memory).boundSums,
	"CutMoves":          (*Memory).cutMoves,
	"ForestDeterminant": onForest((*forest).treesSummedOut),
	"ForestReals":       onForest((*forest).units),
	"ForestSchur":       onForest((*forest).treesSummedOut), // another way to the same draws
	"ForestStart":       onForest((*forest).start),
	"ForestTree":        onForest((*forest).sweep),
	"PolishStates":      (*Memory).polishStates,
	"SearchStates":      (*Memory).searchStates,
	"TightenBound":      (*Memory).tightenBound,
}

func onForest(do func(*forest)) func(*Memory, *ir.Kernel) {
	return func(m *Memory, s *ir.Kernel) { do(&forest{m: m, s: s}) }
}

// kernel does the work that the documentation of s's function requires. The kernel's integers hold
// the parents of the variables of a forest first; the rest belongs to the runtime's own
// implementation.
func (m *Memory) kernel(s *ir.Kernel) {
	m.Scratch[s.Work], m.Scratch[s.Ints] = true, true
	kernels[s.Func](m, s)
}
