package eval

import (
	"fmt"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// evidence holds the evidence on one variable: an observation, a set of states, a likelihood, or
// several of these.
type evidence struct {
	state    uint      // 0 if not observed, otherwise 1 plus the state
	set      []uint64  // one bit per state; empty if there is no set
	soft     []float64 // nil if there is none
	l        []float64 // the likelihood that enters the program: the product of all, at most 1
	logScale float64   // ln of the factor divided out of l

	measured []float64 // of a real variable: the mean and the variance of a measurement; nil for none
}

// ClearEvidence removes all observations and likelihoods.
func (m *Machine) ClearEvidence() {
	for v := range m.evidence {
		id := model.VarID(v)
		m.evidence[v] = evidence{l: make([]float64, m.port(id).width(m, id))}
		m.model.Vars[v].Domain.Unknown(m.evidence[v].l)
	}
}

// Set observes a value of v's domain, in place of an earlier observation. Evidence enters through
// the program's input spans of v. If there are none, because no result depends on v, the
// observation has no effect. The error wraps pgmrt.ErrState.
func (m *Machine) Set(v model.VarID, x model.Value) error { return m.port(v).set(m, v, x) }

// Observe observes a state of v, from 0, as Set does.
func (m *Machine) Observe(v model.VarID, state int) error {
	return discretePort{}.set(m, v, model.Value{State: state})
}

// ObserveReal observes a value of real variable v, as Set does.
func (m *Machine) ObserveReal(v model.VarID, x float64) error {
	return realPort{}.set(m, v, model.Value{Real: x})
}

// Likelihood sets the likelihood of v, a number of at least 0 per state, in place of an earlier
// one. All zeros remove it. It is combined with an observation of v. That of a real variable is a
// measurement: its mean and the variance of its error. The error wraps pgmrt.ErrLikelihood.
func (m *Machine) Likelihood(v model.VarID, l []float64) error { return m.port(v).likelihood(m, v, l) }

// Retract removes the observation and the likelihood of v.
func (m *Machine) Retract(v model.VarID) { m.port(v).retract(&m.evidence[v]) }

// combine computes l and logScale, and reports whether soft is a valid likelihood.
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

// narrow sets the states over which loops run: those that the evidence leaves possible, or all.
func (m *Machine) narrow() {
	for _, v := range m.ranges.Vars() {
		first, end := int32(0), int32(m.model.Card(v))
		if !m.NoNarrowing {
			first, end = pgmrt.Support(m.evidence[v].l)
		}
		at := m.layout.ints + m.ranges.Place(v)
		m.ints[at], m.ints[at+1] = first, end
	}
}

// logScale returns ln of the factors divided out of the likelihoods that the program reads.
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

// spread returns the sum of pgmrt.Spread over the likelihoods.
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
