package assemble

import pgmrt "github.com/pgmc-go/pgmc/runtime"

// machine is a function of the runtime that runs code. The runtime has several so that a generated
// package copies only what its own steps need.
type machine uint8

const (
	tape         machine = iota // the operations of any program
	loopTape                    // those of tape, and of iterative methods
	energyTape                  // those of loopTape, and on energies
	mapTape                     // those of tape, and on numbers of either sign
	chainTape                   // those of tape, and of samplers
	trialTape                   // those of chainTape, and of trials
	mapLoopTape                 // those of mapTape and loopTape
	mapTrialTape                // those of mapTape and trialTape
	kernel                      // one function for one step, which stands alone in its block
)

var machineNames = [...]string{
	tape: "RunTape", loopTape: "RunLoopTape", energyTape: "RunEnergyTape", mapTape: "RunMapTape", chainTape: "RunChainTape", trialTape: "RunTrialTape",
	mapLoopTape: "RunMapLoopTape", mapTrialTape: "RunMapTrialTape",
}

// with returns the machine that runs the operations of m and of n. ok is false if there is none.
func (m machine) with(n machine) (both machine, ok bool) {
	low, high := min(m, n), max(m, n)
	switch {
	case low == high, low == tape && high != kernel:
		return high, true
	case low == loopTape && high == energyTape, low == chainTape && high == trialTape:
		return high, true
	case low == loopTape && high == mapTape, high == mapLoopTape && (low == loopTape || low == mapTape):
		return mapLoopTape, true
	case low == mapTape && (high == chainTape || high == trialTape), high == mapTrialTape && (low == mapTape || low == chainTape || low == trialTape):
		return mapTrialTape, true
	}
	return high, false
}

// function is a function of the runtime that runs code over work memory s, data memory p and state
// memory t, and draws from r.
type function = func(code []int32, s, p []float64, t []int32, r *pgmrt.Rand)

// functions are the machines of the runtime and its kernels, by name.
var functions = map[string]function{
	"RunTape":           pgmrt.RunTape,
	"RunLoopTape":       pgmrt.RunLoopTape,
	"RunEnergyTape":     pgmrt.RunEnergyTape,
	"RunMapTape":        pgmrt.RunMapTape,
	"RunChainTape":      pgmrt.RunChainTape,
	"RunTrialTape":      pgmrt.RunTrialTape,
	"RunMapLoopTape":    pgmrt.RunMapLoopTape,
	"RunMapTrialTape":   pgmrt.RunMapTrialTape,
	"AscendDual":        pgmrt.AscendDual,
	"BoundSums":         pgmrt.BoundSums,
	"CutMoves":          pgmrt.CutMoves,
	"ForestDeterminant": pgmrt.ForestDeterminant,
	"ForestReals":       pgmrt.ForestReals,
	"ForestSchur":       pgmrt.ForestSchur,
	"ForestStart":       pgmrt.ForestStart,
	"ForestTree":        pgmrt.ForestTree,
	"PolishStates":      pgmrt.PolishStates,
	"SearchStates":      pgmrt.SearchStates,
	"TightenBound":      pgmrt.TightenBound,
}
