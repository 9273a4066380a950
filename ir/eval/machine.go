package eval

import (
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/assemble"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Machine runs the entries of one program.
type Machine struct {
	Rand *pgmrt.Rand // for steps that draw random numbers; New sets one of seed 0
	// NoNarrowing makes loops run over all states, also those that evidence rules out. A table then
	// depends only on the likelihoods that it contains, and can be kept.
	NoNarrowing bool

	program   *ir.Program
	model     *model.Model
	layout    layout
	ranges    *ir.Ranges
	work      []float64
	data      []float64
	ints      []int32
	blocks    []assemble.Code
	evidence  []evidence              // by VarID
	entry     *ir.Entry               // the last entry that ran
	instead   map[*ir.Entry]*ir.Entry // entries that may run in place of others
	searches  map[*ir.Entry]*search
	timings   map[model.VarID]*model.Timing // by decision that was asked for
	trialLogP float64                       // LogP of the last run of trials, relative to the scaled likelihoods
}

// New returns a machine for p, a program about m. If p has been laid out, its spans are at their
// places; otherwise each has memory of its own, so that a program can run after any pass. A span
// read before it is written is NaN, or zero if it is persistent.
func New(p *ir.Program, m *model.Model) *Machine {
	mc := &Machine{Rand: pgmrt.NewRand(0), program: p, model: m, layout: layoutOf(p)}
	mc.searches, mc.instead, mc.timings = map[*ir.Entry]*search{}, map[*ir.Entry]*ir.Entry{}, map[model.VarID]*model.Timing{}
	for i := range p.Entries {
		if x := p.Instead(&p.Entries[i]); x != nil {
			mc.instead[&p.Entries[i]] = x
		}
	}
	mc.work = make([]float64, mc.layout.work)
	mc.data = make([]float64, mc.layout.data)
	mc.ranges = ir.RangesOf(p, func(_ int, c *ir.Contract, may []bool) []bool { return assemble.Narrows(p, c, may) })
	mc.ints = make([]int32, mc.layout.ints+mc.ranges.Ints())
	for i := range p.Spans {
		id, span := ir.SpanID(i), &p.Spans[i]
		switch {
		case span.ReadOnly():
			copy(mc.Span(id), span.Data)
		case span.Elem == ir.Float64 && (span.Role == ir.RoleTemp || span.Role == ir.RoleOut):
			fill(mc.Span(id), math.NaN())
		}
	}
	mc.copyNumbers()
	mc.assemble()
	mc.evidence = make([]evidence, len(m.Vars))
	mc.ClearEvidence()
	mc.narrow()
	return mc
}

// RunBlock runs one block on the current contents of the memories, without entering evidence. It is
// for callers that follow a program block by block. Loops run over the states that the evidence of
// the last run left possible.
func (m *Machine) RunBlock(b int) { m.block(b) }

// assemble generates the code of all blocks.
func (m *Machine) assemble() {
	a := assemble.New(m.program, m.layout.place, m.ranges, m.layout.ints)
	m.blocks = make([]assemble.Code, len(m.program.Blocks))
	for i := range m.program.Blocks {
		code, err := a.Block(&m.program.Blocks[i])
		if err != nil {
			panic("eval: " + err.Error()) // Program.Verify refuses such a program
		}
		m.blocks[i] = code
	}
}

// copyNumbers copies constants and parameters to work memory for the steps that read them there.
func (m *Machine) copyNumbers() {
	for i, at := range m.layout.copy {
		if at >= 0 {
			copy(m.work[at:], m.Span(ir.SpanID(i)))
		}
	}
}

// Span returns the memory of a span of numbers, not a copy.
func (m *Machine) Span(id ir.SpanID) []float64 {
	span, at := &m.program.Spans[id], m.layout.offset[id]
	if span.ReadOnly() {
		return m.data[at : at+span.Len]
	}
	return m.work[at : at+span.Len]
}

// Ints returns the memory of a span of integers, not a copy.
func (m *Machine) Ints(id ir.SpanID) []int32 {
	at := m.layout.offset[id]
	return m.ints[at : at+m.program.Spans[id].Len]
}

// SetParams replaces the numbers of a span of parameters; values has the span's length. LogP
// remains relative to the partition function of the model's own numbers.
func (m *Machine) SetParams(id ir.SpanID, values []float64) error {
	span := &m.program.Spans[id]
	if !span.Role.IsParam() || len(values) != span.Len {
		return fmt.Errorf("eval: %d parameters for span %q, which is %v and has %d", len(values), span.Name, span.Role, span.Len)
	}
	copy(m.Span(id), values)
	m.copyNumbers()
	return nil
}

// Seed restarts the random numbers with a new seed.
func (m *Machine) Seed(seed uint64) { m.Rand = pgmrt.NewRand(seed) }

// State returns the state of each variable, by VarID, as picked or drawn by the last run, or nil if
// the program has no states. The slice is the machine's own.
func (m *Machine) State() []int32 {
	if m.program.State == ir.NoSpan {
		return nil
	}
	return m.Ints(m.program.State)
}

// Value returns the state or the value of v in the assignment that the last run chose or drew.
func (m *Machine) Value(v model.VarID) model.Value {
	if !m.model.IsReal(v) {
		return model.Value{State: int(m.State()[v])}
	}
	for _, id := range m.entry.Outs {
		if m.program.Spans[id].Var == v {
			return model.Value{Real: m.Span(id)[0]}
		}
	}
	return model.Value{Real: math.NaN()}
}

// SetState sets the state, from 0, of a variable that is fixed while an entry runs: the evidence of
// a signature.
func (m *Machine) SetState(v model.VarID, state int) error {
	if state < 0 || state >= m.model.Card(v) {
		return m.stateError(v, state)
	}
	if m.program.State == ir.NoSpan {
		return fmt.Errorf("eval: no entry of program %q has a fixed variable", m.program.Name)
	}
	m.State()[v] = int32(state)
	return nil
}

func fill(x []float64, v float64) {
	for i := range x {
		x[i] = v
	}
}
