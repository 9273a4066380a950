package assemble

import (
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/price"
)

// Price is the estimated cost of a step that a function of the runtime runs: nanoseconds without
// the dispatch of the instruction, and the number of multiplications, additions and comparisons.
type Price struct {
	NS  float64
	Ops int
}

// OnTape returns the price of a step as an instruction of the tape, dispatch included.
func OnTape(p *ir.Program, step ir.Step) Price {
	r := rowOf(step)
	cost := r.price(p, step)
	if _, whole := step.(*ir.Contract); !whole { // its price covers the whole instruction
		cost.NS = price.Tape.Dispatch + cost.NS
	}
	return cost
}

// OfCall returns the price of a step that back-ends leave to a function of the runtime. ok is false
// for the steps that they write out: the operations that only [runtime.RunTape] runs.
func OfCall(p *ir.Program, step ir.Step) (ns float64, ok bool) {
	r := rowOf(step)
	if r.machine == tape {
		return 0, false
	}
	return r.price(p, step).NS, true
}
