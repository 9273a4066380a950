package eval

import (
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// port is how evidence on a variable of one domain enters a program. Its values are discretePort
// and realPort.
type port interface {
	// set observes a value.
	set(m *Machine, v model.VarID, x model.Value) error
	// likelihood sets the likelihood, or refuses it.
	likelihood(m *Machine, v model.VarID, l []float64) error
	// retract removes the observation and the likelihood.
	retract(e *evidence)
	// width returns the number of numbers of the evidence on v.
	width(m *Machine, v model.VarID) int
}

// port returns the port of v's domain.
func (m *Machine) port(v model.VarID) port {
	if m.model.IsReal(v) {
		return realPort{}
	}
	return discretePort{}
}

// discretePort is the port of variables with states.
type discretePort struct{}

func (discretePort) set(m *Machine, v model.VarID, x model.Value) error {
	if x.State < 0 || x.State >= m.model.Card(v) {
		return m.stateError(v, x.State)
	}
	e := &m.evidence[v]
	e.state = uint(x.State) + 1
	e.combine()
	return nil
}

func (discretePort) likelihood(m *Machine, v model.VarID, l []float64) error {
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

func (discretePort) retract(e *evidence) {
	e.state, e.soft = 0, nil
	e.combine()
}

func (discretePort) width(m *Machine, v model.VarID) int { return m.model.Card(v) }

// realPort is the port of real variables. Their evidence is 1 and the value, or zeros if they are
// not observed.
type realPort struct{}

func (realPort) set(m *Machine, v model.VarID, x model.Value) error {
	if !m.model.IsReal(v) || !(math.Abs(x.Real) <= model.MaxReal) {
		return fmt.Errorf("variable %q: %w: %v; want a number of a size of at most %g, and a real variable", m.model.Vars[v].Name, pgmrt.ErrState, x.Real, model.MaxReal)
	}
	e := &m.evidence[v]
	copy(e.l, []float64{1, x.Real, 0, 1})
	return e.measure(m, v, e.measured)
}

func (realPort) likelihood(m *Machine, v model.VarID, l []float64) error {
	if len(l) != 2 {
		reason := fmt.Sprintf("has %d numbers; want the mean and the variance of a measurement", len(l))
		return &pgmrt.LikelihoodError{Var: m.model.Vars[v].Name, Reason: reason}
	}
	if l[0] == 0 && l[1] == 0 {
		l = nil
	}
	e := &m.evidence[v]
	if e.l[0] == 0 {
		clear(e.l)
	}
	return e.measure(m, v, l)
}

// measure enters a measurement of real variable v beside an observation.
func (e *evidence) measure(m *Machine, v model.VarID, l []float64) (err error) {
	e.measured, e.logScale = slices.Clone(l), 0
	ok := true
	switch {
	case l == nil:
	case !m.measures(v):
		return &pgmrt.LikelihoodError{Var: m.model.Vars[v].Name, Reason: "is of a real variable, of which the program takes no measurements"}
	default:
		e.logScale, ok = pgmrt.Measure(e.l, l[0], l[1])
	}
	if !ok {
		reason := fmt.Sprintf("is a measurement of %v with the variance %v; want a size of at most %g, and a variance between %g and %g", l[0], l[1], model.MaxReal, 1/model.MaxReal, model.MaxReal)
		return &pgmrt.LikelihoodError{Var: m.model.Vars[v].Name, Reason: reason}
	}
	return nil
}

// measures reports whether the program takes measurements of real variable v.
func (m *Machine) measures(v model.VarID) bool {
	return slices.ContainsFunc(m.program.Spans, func(s ir.Span) bool { return s.Role == ir.RoleIn && s.Var == v && s.Len == model.MeasuredWidth })
}

func (realPort) retract(e *evidence) {
	clear(e.l)
	e.measured, e.logScale = nil, 0
}

func (realPort) width(*Machine, model.VarID) int { return model.MeasuredWidth }
