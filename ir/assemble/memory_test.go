package assemble

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/ir"
)

// memory is a program whose spans lie where the test puts them. It has its own memories. The states
// of the variables come first in state memory.
type memory struct {
	ir.Program
	s, p []float64
	t    []int32
}

func newMemory(states int, s, p []float64) *memory {
	m := &memory{s: s, p: p, t: make([]int32, states)}
	m.State = m.ints(0, states)
	return m
}

// ints, work and data return spans of n elements from an offset on.
func (m *memory) ints(at, n int) ir.SpanID {
	return m.add(ir.Span{Elem: ir.Int32, Role: ir.RolePersistent, Offset: at, Len: n})
}

func (m *memory) work(at, n int) ir.SpanID {
	return m.add(ir.Span{Role: ir.RoleTemp, Offset: at, Len: n})
}

func (m *memory) data(at, n int) ir.SpanID {
	return m.add(ir.Span{Role: ir.RoleLogs, Offset: at, Len: n})
}

// numbers returns a span of work for each offset, and NoSpan for an offset below 0.
func (m *memory) numbers(n int, offsets ...int) []ir.SpanID {
	var ids []ir.SpanID
	for _, at := range offsets {
		if at < 0 {
			ids = append(ids, ir.NoSpan)
		} else {
			ids = append(ids, m.work(at, n))
		}
	}
	return ids
}

func (m *memory) add(s ir.Span) ir.SpanID {
	m.Spans = append(m.Spans, s)
	return ir.SpanID(len(m.Spans) - 1)
}

func (m *memory) run(steps ...ir.Step) {
	code := mustAssemble(&m.Program, steps...)
	code.Run(m.s, m.p, m.t, nil)
}

// mustAssemble returns the code of steps of a program that has been laid out.
func mustAssemble(p *ir.Program, steps ...ir.Step) Code {
	code, err := LaidOut(p, nil).Steps(steps...)
	if err != nil {
		panic(err)
	}
	return code
}

// TestLoopTape runs steps of loops among other steps, in data memory and in work memory.
func TestLoopTape(t *testing.T) {
	m := newMemory(0, []float64{2, 6, 0, 0, 0, 1}, []float64{math.Ln2, 0, .5})
	pair, other, half := m.work(0, 2), m.work(2, 2), m.data(2, 1)
	total, residual := m.work(5, 1), m.work(4, 1)
	m.run(
		&ir.Normalize{Span: pair}, // .25 .75
		&ir.Boltzmann{Out: other, Weight: pair, In: []ir.SpanID{m.data(0, 2)}},                                      // 1/7 6/7
		&ir.Damp{Span: pair, New: other, Rate: half, Residual: residual},                                            // halfway
		&ir.Tally{Kind: ir.TallySum, Factor: -.5, Total: total, In: m.data(1, 2), Alive: ir.NoSpan, Ref: ir.NoSpan}, // 1 - .25
		&ir.Tally{Kind: ir.TallyEntropy, Factor: 1, Total: total, In: half, Alive: ir.NoSpan, Ref: m.work(3, 1)},    // + .5 ln (12/7)
		&ir.Tally{Kind: ir.TallyLog, Factor: 2, Total: total, Alive: residual, In: half, Ref: ir.NoSpan},            // + 2 ln .5
	)
	same(t, m.s, (.25+1./7)/2, (.75+6./7)/2, 1./7, 6./7, 3./28, .75+.5*math.Log(12./7)-2*math.Ln2)
}

// TestStepsRefused checks that blocks that no machine of the runtime runs are refused, and spans
// without a place.
func TestStepsRefused(t *testing.T) {
	m := newMemory(1, nil, nil)
	one := m.work(0, 1)
	damp := &ir.Damp{Span: one, New: one, Rate: one, Residual: one}
	trial := &ir.Trial{Kind: ir.ClearSums}
	for _, id := range trial.Run.All() {
		*id = m.work(0, 1)
	}
	for _, steps := range [][]ir.Step{
		{damp, trial},
		{&ir.Kernel{Func: "ForestStart", Work: one, Ints: one}, &ir.Zero{Span: one}},
		{&ir.Zero{Span: m.work(-1, 1)}},
	} {
		if _, err := LaidOut(&m.Program, nil).Steps(steps...); err == nil {
			t.Errorf("%T and %d steps more: no error", steps[0], len(steps)-1)
		}
	}
	if code := mustAssemble(&m.Program, &ir.Zero{Span: one}, damp); code.Func != "RunLoopTape" || !code.Work || code.Data || code.State || code.Draws {
		t.Errorf("%+v; want RunLoopTape, and work memory alone", code)
	}
}
