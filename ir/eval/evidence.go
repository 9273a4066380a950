package eval

import (
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// evidence is what is known of one variable: an observation, a set of states, a likelihood, or some
// of them.
type evidence struct {
	state    uint      // 0 where not observed, otherwise 1 plus the state
	set      []uint64  // a bit a state; no bits where there is none
	soft     []float64 // nil where there is none
	l        []float64 // what enters the program: both together, at most 1
	logScale float64   // what was divided out of l
}

// ClearEvidence forgets all observations and likelihoods.
func (m *Machine) ClearEvidence() {
	for v := range m.evidence {
		id := model.VarID(v)
		m.evidence[v] = evidence{l: make([]float64, m.model.Width(id))}
		m.model.Vars[v].Domain.Unknown(m.evidence[v].l)
	}
}

// Set sets v to a value of its domain, in place of an earlier observation: a state as Observe does, or a
// number as ObserveReal does.
func (m *Machine) Set(v model.VarID, x model.Value) error {
	if m.model.IsReal(v) {
		return m.ObserveReal(v, x.Real)
	}
	return m.Observe(v, x.State)
}

// ObserveReal sets real variable v to a value, in place of an earlier observation. The error wraps
// pgmrt.ErrState.
func (m *Machine) ObserveReal(v model.VarID, x float64) error {
	if !m.model.IsReal(v) || !(math.Abs(x) <= model.MaxReal) {
		return fmt.Errorf("variable %q: %w: %v; want a number of a size of at most %g, and a real variable", m.model.Vars[v].Name, pgmrt.ErrState, x, model.MaxReal)
	}
	copy(m.evidence[v].l, []float64{1, x})
	return nil
}

// Observe sets v to a state, from 0, in place of an earlier observation. Evidence enters by the
// program's input spans of v; where it has none, because nothing that it computes depends on v, the
// observation has no effect. The error wraps pgmrt.ErrState.
func (m *Machine) Observe(v model.VarID, state int) error {
	if state < 0 || state >= m.model.Card(v) {
		return m.stateError(v, state)
	}
	e := &m.evidence[v]
	e.state = uint(state) + 1
	e.combine()
	return nil
}

// Likelihood gives v a likelihood, a number of at least 0 a state, in place of an earlier one;
// zeros take that away. An observation of v counts beside it. The error wraps pgmrt.ErrLikelihood.
func (m *Machine) Likelihood(v model.VarID, l []float64) error {
	if m.model.IsReal(v) {
		return &pgmrt.LikelihoodError{Var: m.model.Vars[v].Name, Reason: "is of a real variable; want an observation"}
	}
	if len(l) != m.model.Card(v) {
		reason := fmt.Sprintf("has %d numbers; want %d", len(l), m.model.Card(v))
		return &pgmrt.LikelihoodError{Var: m.model.Vars[v].Name, Reason: reason}
	}
	e := &m.evidence[v]
	old := e.soft
	e.soft = append([]float64(nil), l...)
	if e.combine() {
		return nil
	}
	e.soft = old
	e.combine()
	return &pgmrt.LikelihoodError{Var: m.model.Vars[v].Name, Reason: "holds a number that is negative, infinite or NaN"}
}

// Retract takes back what was observed of v, and its likelihood.
func (m *Machine) Retract(v model.VarID) {
	e := &m.evidence[v]
	e.state, e.soft = 0, nil
	if m.model.IsReal(v) {
		clear(e.l)
		return
	}
	e.combine()
}

// combine works out l and logScale, and reports whether soft is a likelihood.
func (e *evidence) combine() (ok bool) {
	pgmrt.Observe(e.l, e.state)
	pgmrt.ObserveSet(e.l, e.set...)
	e.logScale, ok = pgmrt.Likelihood(e.l, e.soft)
	return ok
}

// enter copies the evidence to the input spans of the program.
func (m *Machine) enter() {
	for i := range m.program.Spans {
		if span := &m.program.Spans[i]; span.Role == ir.RoleIn {
			copy(m.Span(ir.SpanID(i)), m.evidence[span.Var].l)
		}
	}
	m.narrow()
}

// narrow sets the states over which loops run: those that the evidence leaves, or all.
func (m *Machine) narrow() {
	for _, v := range m.ranges.Vars() {
		first, end := int32(0), int32(m.model.Card(v))
		if !m.Wide {
			first, end = pgmrt.Support(m.evidence[v].l)
		}
		at := m.layout.ints + m.ranges.Place(v)
		m.ints[at], m.ints[at+1] = first, end
	}
}

// logScale is what was divided out of the likelihoods that the program reads.
func (m *Machine) logScale() float64 {
	entered := make([]bool, len(m.evidence))
	for i := range m.program.Spans {
		if span := &m.program.Spans[i]; span.Role == ir.RoleIn {
			entered[span.Var] = true
		}
	}
	sum := 0.0
	for v := range m.evidence {
		if entered[v] {
			sum += m.evidence[v].logScale
		}
	}
	return sum
}

// spread adds up pgmrt.Spread of the likelihoods.
func (m *Machine) spread() float64 {
	sum := 0.0
	for v := range m.evidence {
		sum += pgmrt.Spread(m.evidence[v].soft)
	}
	return sum
}

func (m *Machine) stateError(v model.VarID, state int) error {
	return fmt.Errorf("variable %q: %w: number %d, counted from 0, of %q", m.model.Vars[v].Name, pgmrt.ErrState, state, m.model.States(v))
}
