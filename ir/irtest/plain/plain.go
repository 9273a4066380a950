// Package plain interprets an ir.Program so plainly that it is obviously right: one function for
// each kind of step, which does what the comment of the step in package ir says, by loops over
// joint states and natural logarithms. Tests compare ir/eval and the back-ends of codegen with it.
//
// It is for tests only, and for small programs: it knows no layout, and every span has memory of
// its own. It shares the random generator with package runtime, and nothing else but the kernels,
// which it calls (see kernel.go).
package plain

import (
	"fmt"
	"math"
	"reflect"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Memory is the memory of a program: every span by itself.
type Memory struct {
	Program *ir.Program
	Numbers [][]float64 // by span: its numbers, if it has any
	Ints    [][]int32   // by span: its integers
	Rand    *pgmrt.Rand // what steps draw from

	// Brink says that the largest of the numbers that were rescaled was so near to a power of two
	// that rounding decides the exponent.
	Brink bool

	// Scratch has the spans that steps name as memory for weights. They are left alone here; what a
	// back-end leaves in them means nothing.
	Scratch map[ir.SpanID]bool
}

// New returns the memory of p before its first run: constants and parameters are there, all other
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

// Step does one step.
func (m *Memory) Step(s ir.Step) {
	do, ok := steps[reflect.TypeOf(s)]
	if !ok {
		panic(fmt.Sprintf("plain: no function for %T", s))
	}
	do(m, s)
}

// steps has the function of each kind of step.
var steps = table(
	of((*Memory).contract), of((*Memory).pick), of((*Memory).sums), of((*Memory).walk),
	of((*Memory).normalize), of((*Memory).rescale), of((*Memory).zero), of((*Memory).lookup),
	of((*Memory).damp), of((*Memory).boltzmann), of((*Memory).powers), of((*Memory).tally),
	of((*Memory).minSum), of((*Memory).sendMessages), of((*Memory).energy), of((*Memory).choose), of((*Memory).updateIncumbent),
	of((*Memory).resample), of((*Memory).findStart), of((*Memory).updateStats), of((*Memory).trial),
	of((*Memory).kernel),
)

// function is a row of the table: a kind of step, and what does it.
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

// number is the one number of a span.
func (m *Memory) number(id ir.SpanID) *float64 { return &m.Numbers[id][0] }

// state is where the state of a variable is.
func (m *Memory) state(v model.VarID) *int32 { return &m.Ints[m.Program.State][v] }

// joint returns all joint states of the axes that loop, the last axis fastest. Fixed axes stand at
// their states.
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

// element is where a view is at a joint state.
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

// draw chooses a state in proportion to the weights, of which one at least is positive: the first
// at which the sum of the weights so far exceeds a random share of the sum of all. If all weights
// are 0 it takes a random number too, and the state is 0.
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

// argmax chooses the first state within a relative 2^-44 of the largest weight.
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

// least is the smallest number, +Inf of none.
func least(x []float64) float64 {
	low := math.Inf(1)
	for _, v := range x {
		low = math.Min(low, v)
	}
	return low
}
