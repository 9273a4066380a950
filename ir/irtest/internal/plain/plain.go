// Package plain is an interpreter of ir.Program that is simple enough to be obviously right. It has
// one function for each kind of step, which follows the step's documentation in package ir by loops
// over joint states and natural logarithms. Tests compare ir/eval and the back-ends of codegen with
// it.
//
// It is for tests only, and for small programs: it ignores the layout, and every span has its own
// memory. It shares the random generator with package runtime, and no code of a step.
package plain

import (
	"fmt"
	"math"
	"reflect"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Memory is the memory of a program, one piece for each span.
type Memory struct {
	Program *ir.Program
	Numbers [][]float64 // by span: its numbers, if it has any
	Ints    [][]int32   // by span: its integers
	Rand    *pgmrt.Rand // source of all draws

	// Brink reports that the largest of the rescaled numbers was so near to a power of two that
	// rounding decides the exponent.
	Brink bool

	// Scratch marks the spans that steps use as memory for weights. The interpreter does not use
	// them, and their contents in a back-end mean nothing.
	Scratch map[ir.SpanID]bool
}

// New returns the memory of p before its first run. Constants and parameters are set; all other
// numbers and the states are 0.
func New(p *ir.Program, seed uint64) *Memory {
	m := &Memory{Program: p, Numbers: make([][]float64, len(p.Spans)), Ints: make([][]int32, len(p.Spans)), Rand: pgmrt.NewRand(seed), Scratch: map[ir.SpanID]bool{}}
	for i := range p.Spans {
		m.Numbers[i] = make([]float64, p.Spans[i].Len)
		m.Ints[i] = make([]int32, p.Spans[i].Len)
		copy(m.Numbers[i], p.Spans[i].Data)
	}
	return m
}

// RunBlock runs the steps of a block.
func (m *Memory) RunBlock(b int) {
	for _, s := range m.Program.Blocks[b].Steps {
		m.Step(s)
	}
}

// Step executes one step.
func (m *Memory) Step(s ir.Step) {
	do, ok := steps[reflect.TypeOf(s)]
	if !ok {
		panic(fmt.Sprintf("plain: no function for %T", s))
	}
	do(m, s)
}

// steps holds the function of each kind of step.
var steps = table(
	of((*Memory).contract), of((*Memory).pick), of((*Memory).sums), of((*Memory).walk),
	of((*Memory).normalize), of((*Memory).invert), of((*Memory).rescale), of((*Memory).zero), of((*Memory).lookup),
	of((*Memory).damp), of((*Memory).boltzmann), of((*Memory).powers), of((*Memory).tally),
	of((*Memory).minSum), of((*Memory).sendMessages), of((*Memory).energy), of((*Memory).choose), of((*Memory).updateIncumbent),
	of((*Memory).resample), of((*Memory).findStart), of((*Memory).updateStats), of((*Memory).trial),
	of((*Memory).kernel), of((*Memory).mapping), of((*Memory).antilog), of((*Memory).noise),
)

// function is a row of the table: a kind of step and its function.
type function struct {
	kind reflect.Type
	do   func(*Memory, ir.Step)
}

func of[S ir.Step](do func(*Memory, S)) function {
	return function{reflect.TypeFor[S](), func(m *Memory, s ir.Step) { do(m, s.(S)) }}
}

func table(list ...function) map[reflect.Type]func(*Memory, ir.Step) {
	t := map[reflect.Type]func(*Memory, ir.Step){}
	for _, f := range list {
		t[f.kind] = f.do
	}
	return t
}

// number returns a pointer to the only number of a span.
func (m *Memory) number(id ir.SpanID) *float64 { return &m.Numbers[id][0] }

// state returns a pointer to the state of a variable.
func (m *Memory) state(v model.VarID) *int32 { return &m.Ints[m.Program.State][v] }

// joint returns all joint states of the looping axes, the last axis fastest. Fixed axes have their
// states.
func (m *Memory) joint(axes []ir.Axis) [][]int {
	all := [][]int{nil}
	for _, a := range axes {
		var longer [][]int
		for _, at := range all {
			from, to := 0, a.Size
			if a.Kind == ir.AxisFixed {
				from = int(*m.state(a.Var))
				to = from + 1
			}
			for k := from; k < to; k++ {
				longer = append(longer, append(at[:len(at):len(at)], k))
			}
		}
		all = longer
	}
	return all
}

// element returns a pointer to the element of a view at a joint state.
func (m *Memory) element(v ir.View, at []int) *float64 {
	n := 0
	for i, k := range at {
		n += k * v.Stride[i]
	}
	return &m.Numbers[v.Span][n]
}

func (m *Memory) product(in []ir.View, at []int) float64 {
	x := 1.0
	for _, v := range in {
		x *= *m.element(v, at)
	}
	return x
}

// draw returns a state drawn in proportion to the weights: the first at which the cumulative weight
// exceeds a random share of the sum. If all weights are 0 the result is 0, and a random number is
// taken too.
func (m *Memory) draw(weights []float64) int {
	u, below, choice := m.Rand.Float64()*sum(weights), 0.0, 0
	for i, x := range weights {
		if x > 0 {
			choice = i
		}
		if below += x; x > 0 && u < below {
			break
		}
	}
	return choice
}

// argmax returns the first state with a weight within a relative 2^-44 of the largest.
func argmax(weights []float64) int {
	top := 0.0
	for _, x := range weights {
		top = math.Max(top, x)
	}
	for i, x := range weights {
		if x >= top-float64(top*0x1p-44) {
			return i
		}
	}
	return 0
}

func (m *Memory) chosen(weights []float64, mode ir.PickMode) int {
	if mode == ir.PickDraw {
		return m.draw(weights)
	}
	return argmax(weights)
}

func sum(x []float64) float64 {
	total := 0.0
	for _, v := range x {
		total += v
	}
	return total
}

// least returns the smallest number, or +Inf for none.
func least(x []float64) float64 {
	low := math.Inf(1)
	for _, v := range x {
		low = math.Min(low, v)
	}
	return low
}
