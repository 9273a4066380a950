package assemble

import "github.com/pgmc-go/pgmc/ir"

// Price is the estimated cost of a step that a function of the runtime runs: nanoseconds without
// the dispatch of the instruction, and the number of multiplications, additions and comparisons.
// The constants were fitted to the benchmarks of package runtime, on the machine that the constants
// of the other back-ends come from.
type Price struct {
	NS  float64
	Ops int
}

// dispatch is the price of the dispatch of an instruction, in nanoseconds.
const dispatch = 5

// The prices of what steps do, in nanoseconds.
const (
	nsTerm      = .8  // a term of a node of a circuit
	nsGroupTerm = .45 // a term of a node that is computed in a group
	nsWeight    = 3.5 // an operand of a weight of a pick, which computes each weight twice
	nsVisit     = 30  // a node or an input on the way of a walk
	nsNumber    = 1   // a number that a step normalises, rescales or copies
	nsCall      = 5.0 // a call of a function of loops, trials, statistics or energies
	nsMove      = 1.0 // a number that is moved
	nsAdd       = .7  // a number that is added
	nsLog       = 6.0 // a logarithm, an exponential or a power
	nsNormal    = 5.0 // a draw from a normal distribution
	nsLeast     = 1.5 // an addition with a minimum
	nsDraw      = 12.0
	nsMultiply  = .7  // a number of a table that a draw multiplies
	nsTest      = 3.0 // a test of a decision tree
	nsDispatch  = 2.5 // an instruction or a view of a map, for all lanes
	nsLane      = .4  // an instruction of a map, for one joint state
	nsElement   = 2.0 // an element of a view of a map
	nsKernel    = 1e5 // a kernel, whose time is the same for every back-end
)

// OnTape returns the price of a step as an instruction of the tape, dispatch included.
func OnTape(p *ir.Program, step ir.Step) Price {
	r := rowOf(step)
	price := r.price(p, step)
	if _, whole := step.(*ir.Contract); !whole { // its price is that of the whole instruction
		price.NS = dispatch + price.NS
	}
	return price
}

// OfCall returns the price of a step that back-ends leave to a function of the runtime. ok is false
// for the steps that they write out: those that [runtime.RunTape] alone runs.
func OfCall(p *ir.Program, step ir.Step) (ns float64, ok bool) {
	r := rowOf(step)
	if r.machine == tape {
		return 0, false
	}
	return r.price(p, step).NS, true
}
