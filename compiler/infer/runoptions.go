package infer

import (
	"github.com/pgmc-go/pgmc/compiler/internal/bound"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// DefaultDiscrepancies is the default of [RunOptions.Discrepancies].
const DefaultDiscrepancies = bound.DefaultDiscrepancies

// RunOptions are the options of one run of an approximate method. A zero field leaves the method's
// own option; each method uses the fields that it has.
type RunOptions struct {
	Iterations int     // the most iterations of a loop, the sweeps of a chain, or the steps of a trial
	BurnIn     int     // sweeps of a chain before those that count; negative: none
	Chains     int     // the number of chains or trials
	Seed       uint64  // chain or trial i draws from the generator of seed Seed+i
	Tolerance  float64 // the change of a probability at which a loop ends; negative: run all iterations
	Damping    float64 // the weight of the old value in a new one, below 1; negative: none

	// Discrepancies is the largest number of variables in which limited discrepancy searches of
	// [Engine.Search] turn away from the states that they prefer; 0 is [DefaultDiscrepancies],
	// negative: none.
	Discrepancies int

	// Progress is called now and then by [Engine.Interval], [Engine.Search] and
	// [Engine.SearchBest], in the goroutine that called them; nil: never.
	Progress func(Progress)
}

// Progress is what an engine knows while it is looking for an answer with bounds. Logarithms are
// natural.
type Progress struct {
	Phase string  // tables, bounds, local search, samples, or search
	Best  float64 // ln P of the best states so far, or a lower bound of ln P of the evidence; -Inf without any
	Bound float64 // an upper bound; +Inf without any
	Nodes int     // of the search
}

func (o RunOptions) loop() pgmrt.LoopOptions {
	return pgmrt.LoopOptions{Iterations: o.Iterations, Tolerance: o.Tolerance, Damping: o.Damping}
}

func (o RunOptions) chain() pgmrt.ChainOptions {
	return pgmrt.ChainOptions{Iterations: o.Iterations, BurnIn: o.BurnIn, Chains: o.Chains, Seed: o.Seed}
}

func (o RunOptions) trial() pgmrt.TrialOptions {
	return pgmrt.TrialOptions{Iterations: o.Iterations, Chains: o.Chains, Seed: o.Seed}
}
