package lanes

import (
	"errors"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/assemble"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/price"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Program is an entry compiled for lanes. Its slots hold, in this order, inputs, answers,
// exponents, marks, numbers and intermediate results.
type Program struct {
	Slots   int
	In, Out []Move   // inputs, from work memory to lanes; answers with the root, from lanes to work memory
	Kept    []Move   // what enters by the entry's stream, as In
	Exp     int      // the slot of exponents; -1 if nothing is rescaled
	Marks   int      // the slot that is not 0 for a row with numbers too extreme to normalise in lanes; -1 if nothing is normalised
	First   int      // the slot of the first of Numbers
	Numbers []Number // the same for every row; set once
	Parts   []Part   // the code, in order
	Ops     int      // multiplications, additions and comparisons for a row; products if Nests is set
	Nests   bool     // RunLaneSteps runs the code, not RunLanes; there are no parts
	NS      float64  // predicted nanoseconds of the code, for eight rows

	code []int32 // if Nests is set
}

// Move is a run of Len numbers: At is the place of the first in work memory, and Slot is its slot.
type Move struct{ At, Slot, Len int }

// Number is a number of data memory at place At, or the constant Value if At is negative.
type Number struct {
	At    int
	Value float64
}

// Part is a part of the code: sums of products, then maxima, then steps on each lane.
type Part struct {
	Sums   []assemble.Node
	Maxima []assemble.Node
	Steps  []Step
}

// Step applies an action to the numbers in slot From and stores the results in slot To.
type Step struct {
	do       action
	Op       circuit.Op // of apply
	From, To int
	And      int  // the slot of the second operand of apply; From if there is one operand
	Count    bool // the exponents are added to slot Program.Exp
}

// action is the operation of a step.
type action uint8

// The actions.
const (
	nothing action = iota
	scale          // To is the power of two that brings From into [1, 2)
	invert         // To is the reciprocal of From
	apply          // To is Op of From and And
)

// Limit bounds the size of a program.
type Limit struct {
	Products int // products of contractions that are not zero, and terms of circuits, including equal and unused ones
	Ops      int // operations for a row
	Slots    int
}

// wasted bounds the number of nodes that a trace may make, as a multiple of the number of
// operations that may remain.
const wasted = 4

// The errors of Compile.
var (
	errSize = errors.New("too large for lanes")
	ErrStep = errors.New("has steps that lanes cannot run")
)

// Compile compiles e, an entry of p, for lanes. The program must have been laid out. The error is
// [ErrStep], or that the entry is too large.
func Compile(p *ir.Program, e *ir.Entry, most Limit) (*Program, error) {
	if circuitOps(p, e) > most.Ops {
		return nil, errSize
	}
	t := newTrace(p, e, most)
	if err := t.run(); err != nil {
		return nil, err
	}
	out := plan(t)
	if out.Slots > most.Slots || out.Ops > most.Ops {
		return nil, errSize
	}
	out.NS = out.price()
	return out, nil
}

// circuitOps returns the number of operations of the circuits of e. A trace finds hardly any of
// them equal, since circuits share their nodes.
func circuitOps(p *ir.Program, e *ir.Entry) (ops int) {
	for _, b := range e.Blocks {
		for _, step := range p.Blocks[b].Steps {
			if s, ok := step.(*ir.Sums); ok {
				ops += s.Ops()
			}
		}
	}
	return ops
}

// price predicts the time of the code.
func (p *Program) price() float64 {
	steps := 0
	for i := range p.Parts {
		steps += len(p.Parts[i].Steps)
	}
	return float64(price.LaneCode.Op*float64(p.Ops)) + float64(price.LaneCode.Step*float64(steps))
}

// Code appends the lane code of p to code.
func (p *Program) Code(code []int32) []int32 {
	if p.Nests {
		return append(code, p.code...)
	}
	code = append(code, p.Begin()...)
	for i := range p.Parts {
		code = assemble.LaneSums(code, p.Parts[i].Sums, false)
		code = p.Tail(code, &p.Parts[i])
	}
	return code
}

// Begin returns the lane code before the parts.
func (p *Program) Begin() []int32 {
	var slots []int
	for _, s := range []int{p.Exp, p.Marks} {
		if s >= 0 {
			slots = append(slots, s)
		}
	}
	if len(slots) == 0 {
		return nil
	}
	return assemble.LaneClear(nil, slots...)
}

// Tail appends the lane code of a part after its sums to code.
func (p *Program) Tail(code []int32, part *Part) []int32 {
	code = assemble.LaneSums(code, part.Maxima, true)
	for _, s := range part.Steps {
		exp := -1
		if s.Count {
			exp = p.Exp
		}
		switch s.do {
		case scale:
			code = assemble.LaneScale(code, s.From, s.To, exp)
		case invert:
			code = assemble.LaneInvert(code, s.From, s.To, p.Marks)
		case apply:
			code = assemble.LaneApply(code, s.Op, s.To, s.From, s.And)
		}
	}
	return code
}

// Slot returns the slot of the input at a place in work memory; ok is false if the lanes do not
// read it.
func (p *Program) Slot(at int) (slot int, ok bool) { return slotOf(p.In, at) }

// Entering returns the slot of a number that enters by the stream, as Slot does.
func (p *Program) Entering(at int) (slot int, ok bool) { return slotOf(p.Kept, at) }

// Result returns the slot of the answer at a place in work memory; ok is false if there is none.
func (p *Program) Result(at int) (slot int, ok bool) { return slotOf(p.Out, at) }

func slotOf(moves []Move, at int) (slot int, ok bool) {
	for _, m := range moves {
		if at >= m.At && at < m.At+m.Len {
			return m.Slot + at - m.At, true
		}
	}
	return 0, false
}

// Fill sets the numbers of p in the lanes l; data is the program's data memory.
func (p *Program) Fill(l, data []float64) {
	for i, n := range p.Numbers {
		from, at := data, int32(n.At)
		if at < 0 {
			from, at = []float64{n.Value}, 0
		}
		pgmrt.FillLanes(l, (p.First+i)*pgmrt.Lanes, from, []int32{at})
	}
}

// Moves returns moves in the form that the runtime reads.
func Moves(moves []Move) []int32 {
	var out []int32
	for _, m := range moves {
		out = append(out, int32(m.At), int32(m.Slot*pgmrt.Lanes), int32(m.Len))
	}
	return out
}
