package eval

import (
	"fmt"
	"math"

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

// realPort is the port of real variables. Their evidence is 1 and the value, or zeros if they are
// not observed.
type realPort struct{}

func (realPort) set(m *Machine, v model.VarID, x model.Value) error {
	if !m.model.IsReal(v) || !(math.Abs(x.Real) <= model.MaxReal) {
		return fmt.Errorf("variable %q: %w: %v; want a number of a size of at most %g, and a real variable", m.model.Vars[v].Name, pgmrt.ErrState, x.Real, model.MaxReal)
	}
	copy(m.evidence[v].l, []float64{1, x.Real})
	return nil
}

func (realPort) likelihood(m *Machine, v model.VarID, _ []float64) error {
	return &pgmrt.LikelihoodError{Var: m.model.Vars[v].Name, Reason: "is of a real variable; want an observation"}
}

func (realPort) retract(e *evidence) { clear(e.l) }
