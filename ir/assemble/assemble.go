package assemble

import (
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Place is where a span lies. Offset counts elements of the span's memory: data memory if the span
// is read-only, state memory if it holds integers, work memory otherwise. Copy is the offset in
// work memory of the copy that ir.Sums reads of a read-only span, and -1 if there is none. An
// Offset below 0 means that the span has no place.
type Place struct{ Offset, Copy int }

// Code holds instructions and the memories that they use.
type Code struct {
	Words []int32
	Func  string // the function of the runtime that runs them
	Work  bool   // they reach work memory
	Data  bool   // they reach data memory
	State bool   // they reach state memory
	Draws bool   // they take random numbers
}

// Run runs c over work memory s, data memory p and state memory t. r is needed only if c.Draws.
func (c *Code) Run(s, p []float64, t []int32, r *pgmrt.Rand) { functions[c.Func](c.Words, s, p, t, r) }

// Assembler turns steps of one program into code.
type Assembler struct {
	program *ir.Program
	place   func(ir.SpanID) Place
	ranges  *ir.Ranges
	ints    int

	code Code  // the code so far
	err  error // the first span without a place
}

// New returns an assembler for steps of p. place returns the place of a span of p. ranges holds the
// loops of contractions that run over the states that evidence leaves, and may be nil; the bounds
// of these loops are in state memory from ints on.
func New(p *ir.Program, place func(ir.SpanID) Place, ranges *ir.Ranges, ints int) *Assembler {
	return &Assembler{program: p, place: place, ranges: ranges, ints: ints}
}

// LaidOut returns an assembler for steps of a program that has been laid out: its spans lie
// at their offsets, and the bounds of ranges follow its integers in state memory.
func LaidOut(p *ir.Program, ranges *ir.Ranges) *Assembler {
	place := func(id ir.SpanID) Place {
		s := &p.Spans[id]
		return Place{Offset: s.Offset, Copy: int(s.Copy) - 1}
	}
	return New(p, place, ranges, p.Ints)
}

// Block returns the code of a block. The error names a span without a place, or reports that no
// function of the runtime runs all the steps.
func (a *Assembler) Block(b *ir.Block) (Code, error) {
	code, err := a.Steps(b.Steps...)
	if err != nil {
		return Code{}, fmt.Errorf("block %q: %w", b.Name, err)
	}
	return code, nil
}

// Steps returns the code of steps that run one after another, with the errors of Block.
func (a *Assembler) Steps(steps ...ir.Step) (Code, error) {
	a.code, a.err = Code{Func: machineNames[tape]}, nil
	runs := tape
	for i, step := range steps {
		r, ok := rowOf(step), true
		if i == 0 {
			runs = r.machine
		} else if runs, ok = runs.with(r.machine); !ok || runs == kernel {
			return Code{}, fmt.Errorf("no machine of the runtime runs %T beside the steps before it", step)
		}
		r.code(a, step)
		if a.err != nil {
			return Code{}, a.err
		}
	}
	if runs != kernel { // whose step has set it
		a.code.Func = machineNames[runs]
	}
	return a.code, nil
}

// begin begins an instruction and returns its first word, for end.
func (a *Assembler) begin(op int) (start int) {
	start = len(a.code.Words)
	a.words(op, 0)
	return start
}

// end writes the length of the instruction that begins at start.
func (a *Assembler) end(start int) { a.code.Words[start+1] = int32(len(a.code.Words) - start) }

func (a *Assembler) words(words ...int) {
	for _, w := range words {
		a.code.Words = append(a.code.Words, int32(w))
	}
}

// bits writes the two words of a number, low and high.
func (a *Assembler) bits(x float64) {
	bits := math.Float64bits(x)
	a.code.Words = append(a.code.Words, int32(uint32(bits)), int32(uint32(bits>>32)))
}

// at returns the offset of a span in its memory, and -1 for NoSpan. It notes that the code reaches
// the memory.
func (a *Assembler) at(id ir.SpanID) int {
	if id == ir.NoSpan {
		return -1
	}
	span, place := &a.program.Spans[id], a.place(id)
	if place.Offset < 0 && a.err == nil {
		a.err = fmt.Errorf("span %q has not been laid out", span.Name)
	}
	switch {
	case span.Elem == ir.Int32:
		a.code.State = true
	case span.ReadOnly():
		a.code.Data = true
	default:
		a.code.Work = true
	}
	return place.Offset
}

// copyAt is at for the spans that ir.Sums reads: of a read-only span it returns the offset of the
// copy in work memory.
func (a *Assembler) copyAt(id ir.SpanID) int {
	span := &a.program.Spans[id]
	if !span.ReadOnly() {
		return a.at(id)
	}
	place := a.place(id)
	if (place.Offset < 0 || place.Copy < 0) && a.err == nil {
		a.err = fmt.Errorf("span %q has not been laid out", span.Name)
	}
	a.code.Work = true
	return place.Copy
}

// state returns the place of a variable's state in state memory.
func (a *Assembler) state(v model.VarID) int {
	if a.program.State == ir.NoSpan {
		if a.err == nil {
			a.err = fmt.Errorf("a step needs the program's state, which has no span")
		}
		return 0
	}
	return a.at(a.program.State) + int(v)
}

// len returns the length of a span, and 0 for NoSpan.
func (a *Assembler) len(id ir.SpanID) int {
	if id == ir.NoSpan {
		return 0
	}
	return a.program.Spans[id].Len
}

// data returns the word for the memory of a span of numbers: 1 for data memory, 0 for work memory.
func (a *Assembler) data(id ir.SpanID) int {
	if id == ir.NoSpan {
		return 0
	}
	return bit(a.program.Spans[id].ReadOnly())
}

// operand writes the memory and the offset of a span of numbers.
func (a *Assembler) operand(id ir.SpanID) { a.words(a.data(id), a.at(id)) }

// span writes the memory, the offset and the length of a span of numbers; three zeros for NoSpan.
func (a *Assembler) span(id ir.SpanID) { a.words(a.data(id), max(0, a.at(id)), a.len(id)) }

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
