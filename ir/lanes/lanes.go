package lanes

import (
	"errors"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/assemble"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Program is an entry made ready for lanes. Slots are in this order: inputs, answers, exponents,
// marks, numbers, and what is worked out on the way.
type Program struct {
	Slots   int
	In, Out []Move   // inputs from work memory to lanes; answers, the root among them, from lanes to work memory
	Exp     int      // the slot of exponents; -1 where nothing is rescaled
	Marks   int      // the slot that is not 0 for a row too extreme to normalise by lanes; -1 where nothing is normalised
	First   int      // the slot of the first of Numbers
	Numbers []Number // the same for every row, set once
	Parts   []Part   // what to run, in order
	Ops     int      // multiplications, additions and comparisons of a row
}

// Move is a run of numbers: the place of the first in work memory, its slot, and how many there
// are.
type Move struct{ At, Slot, Len int }

// Number is a number of data memory, or where At is negative, a constant.
type Number struct {
	At    int
	Value float64
}

// Part is sums of products, then maxima, then what looks at every lane by itself.
type Part struct {
	Sums   []assemble.Node
	Maxima []assemble.Node
	Steps  []Step
}

// Step is an action: the slot that it looks at, and the slot where its factors go.
type Step struct {
	Do       Action
	From, To int
	Count    bool // exponents are added to Program.Exp
}

// Action is what a step does.
type Action uint8

// The actions.
const (
	Nothing Action = iota
	Scale          // To is the power of two that brings From into [1, 2)
	Invert         // To is the reciprocal of From
)

// Limit bounds the size of a program.
type Limit struct {
	Products int // that contractions form on symbols, zeros left out, and terms of circuits; those that are equal or dead count too
	Ops      int // of a row
	Slots    int
}

// wasted is how many times more nodes a trace may make than are needed in the end.
const wasted = 4

// Why an entry has no form for lanes.
var (
	ErrSize = errors.New("too large for lanes")
	ErrStep = errors.New("has steps that lanes don't take")
)

// Compile makes e, an entry of p, ready. The program must have been laid out. The error is ErrSize
// or ErrStep.
func Compile(p *ir.Program, e *ir.Entry, most Limit) (*Program, error) {
	t := newTrace(p, e, most)
	if err := t.run(); err != nil {
		return nil, err
	}
	out := plan(t)
	if out.Slots > most.Slots || out.Ops > most.Ops {
		return nil, ErrSize
	}
	return out, nil
}

// Code gives the lane code of p.
func (p *Program) Code() []int32 {
	code := p.Begin()
	for i := range p.Parts {
		code = assemble.LaneSums(code, p.Parts[i].Sums, false)
		code = p.Tail(code, &p.Parts[i])
	}
	return code
}

// Begin gives the lane code that comes before the parts.
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

// Tail appends the lane code of a part that comes after its sums.
func (p *Program) Tail(code []int32, part *Part) []int32 {
	code = assemble.LaneSums(code, part.Maxima, true)
	for _, s := range part.Steps {
		exp := -1
		if s.Count {
			exp = p.Exp
		}
		if s.Do == Scale {
			code = assemble.LaneScale(code, s.From, s.To, exp)
		} else {
			code = assemble.LaneInvert(code, s.From, s.To, p.Marks)
		}
	}
	return code
}

// Slot is the slot of an input that lies at a place of work memory; not ok where lanes don't read
// it.
func (p *Program) Slot(at int) (slot int, ok bool) {
	for _, m := range p.In {
		if at >= m.At && at < m.At+m.Len {
			return m.Slot + at - m.At, true
		}
	}
	return 0, false
}

// Fill sets the numbers of p in its lanes; data is what a program's data memory holds.
func (p *Program) Fill(l, data []float64) {
	for i, n := range p.Numbers {
		from, at := data, int32(n.At)
		if at < 0 {
			from, at = []float64{n.Value}, 0
		}
		pgmrt.FillLanes(l, (p.First+i)*pgmrt.Lanes, from, []int32{at})
	}
}

// Moves writes moves as the runtime reads them.
func Moves(moves []Move) []int32 {
	var out []int32
	for _, m := range moves {
		out = append(out, int32(m.At), int32(m.Slot*pgmrt.Lanes), int32(m.Len))
	}
	return out
}
