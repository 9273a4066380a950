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
	Rand *pgmrt.Rand // for steps that draw; New gives one of seed 0
	// Wide has loops run over all states, whatever evidence leaves of them. Then a table depends on
	// likelihoods by its own alone, and can be kept.
	Wide bool

	program   *ir.Program
	model     *model.Model
	layout    layout
	ranges    *ir.Ranges
	work      []float64
	data      []float64
	ints      []int32
	blocks    []assemble.Code
	evidence  []evidence // by VarID
	entry     *ir.Entry  // the last one that ran
	searches  map[*ir.Entry]*search
	trialLogP float64 // of the last run of trials, relative to the likelihoods as they entered
}

// New makes a machine for p, a program about m. Where p has been laid out, its spans lie where it
// says; otherwise each has a place of its own, so that a program can run after any pass. What a
// program reads before it wrote it is NaN, or zero in a persistent span.
func New(p *ir.Program, m *model.Model) *Machine {
	mc := &Machine{Rand: pgmrt.NewRand(0), program: p, model: m, layout: layoutOf(p)}
	mc.searches = map[*ir.Entry]*search{}
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

// RunBlock runs one block on what the memories hold, without entering evidence: for whoever follows
// a program block by block. Loops run over the states that the evidence of the last run left.
func (m *Machine) RunBlock(b int) { m.block(b) }

// assemble makes the code of all blocks.
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

// Span is the memory of a span of numbers, which the machine goes on using.
func (m *Machine) Span(id ir.SpanID) []float64 {
	span, at := &m.program.Spans[id], m.layout.offset[id]
	if span.ReadOnly() {
		return m.data[at : at+span.Len]
	}
	return m.work[at : at+span.Len]
}

// Ints is the memory of a span of integers, which the machine goes on using.
func (m *Machine) Ints(id ir.SpanID) []int32 {
	at := m.layout.offset[id]
	return m.ints[at : at+m.program.Spans[id].Len]
}

// SetParams replaces the numbers of a span of parameters; values has the span's length. LogP stays
// relative to the partition function of the model's own numbers.
func (m *Machine) SetParams(id ir.SpanID, values []float64) error {
	span := &m.program.Spans[id]
	if span.Role != ir.RoleParam || len(values) != span.Len {
		return fmt.Errorf("eval: %d parameters for span %q, which is %v and has %d", len(values), span.Name, span.Role, span.Len)
	}
	copy(m.Span(id), values)
	m.copyNumbers()
	return nil
}

// Seed starts the numbers that steps draw by anew.
func (m *Machine) Seed(seed uint64) { m.Rand = pgmrt.NewRand(seed) }

// State is the state of each variable, by VarID, as picked or drawn by the last run; nil where the
// program has none. The machine goes on using it.
func (m *Machine) State() []int32 {
	if m.program.State == ir.NoSpan {
		return nil
	}
	return m.Ints(m.program.State)
}

// SetState gives the state, from 0, of a variable that is fixed while an entry runs: the evidence
// of a signature.
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
