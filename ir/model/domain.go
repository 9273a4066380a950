package model

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// Domain is the set of values of a variable, with what depends on it. It is sealed: Discrete or
// Real.
type Domain interface {
	// Names returns the names of the states, or nil if the values are not states.
	Names() []string
	// Parts returns the names of the numbers of an answer: the states, or "mean" and "var".
	Parts() []string
	// Columns returns the number of rows and columns of the variable in an LDFM: one per state, or
	// one.
	Columns() int
	// Width returns the number of numbers along the variable in tables, in evidence and in answers.
	Width() int
	// Unknown sets evidence, Width numbers, to the evidence of an unobserved variable.
	Unknown(evidence []float64)
	// Parse reads a value. Its error describes the values that it accepts.
	Parse(text string) (Value, error)
	// Text returns a value in the form that Parse reads.
	Text(x Value) string
	// String describes the domain in dumps.
	String() string

	// check reports errors in the domain of v, at position pos.
	check(c *checker, v *Var, pos diag.Pos)
}

// Value is a value of a variable.
type Value struct {
	State int     // of a discrete variable, from 0; 0 for a real one
	Real  float64 // of a real variable
}

// Discrete is a finite domain. State i is called States[i].
type Discrete struct{ States []string }

// Names returns the names of the states.
func (d Discrete) Names() []string { return d.States }

// Parts returns the names of the states.
func (d Discrete) Parts() []string { return d.States }

// Columns returns the number of states.
func (d Discrete) Columns() int { return len(d.States) }

// Width returns the number of states.
func (d Discrete) Width() int { return len(d.States) }

// Unknown sets 1 for each state.
func (d Discrete) Unknown(evidence []float64) {
	for s := range evidence {
		evidence[s] = 1
	}
}

// Parse returns the state with the given name, or the interval that holds a number.
func (d Discrete) Parse(text string) (Value, error) {
	if s, ok := stateOf(d.States, text); ok {
		return Value{State: s}, nil
	}
	return Value{}, fmt.Errorf("found %q; want one of the states %q", text, d.States)
}

// Text returns the name of the state.
func (d Discrete) Text(x Value) string { return d.States[x.State] }

// String lists the states.
func (d Discrete) String() string { return fmt.Sprintf("%q", d.States) }

func (d Discrete) check(c *checker, v *Var, pos diag.Pos) {
	if len(d.States) == 0 {
		c.Errorf(pos, "variable %q has no states; want at least one", v.Name)
	}
	if len(d.States) > MaxStates {
		c.Errorf(pos, "variable %q has %d states; want at most %d", v.Name, len(d.States), MaxStates)
	}
	states := make(map[string]bool, len(d.States))
	for _, s := range d.States {
		if states[s] {
			c.Errorf(pos, "variable %q has two states called %q", v.Name, s)
		}
		states[s] = true
	}
}

// MaxStates is the largest number of states of one variable: generated code stores a state, or
// "unset", in 16 bits.
const MaxStates = math.MaxUint16

// Real is the domain of a variable that holds any number of absolute value at most [MaxReal]. All
// kinds of model but dependency networks may have such variables.
//
// A variable with a Period is circular, such as an angle: values that differ by the period are the
// same, and its CPD is a normal distribution wrapped around the circle.
type Real struct{ Period float64 }

// MaxReal bounds the absolute value of a real variable, and of a mean and a slope. Variances lie
// between its inverse and it. Products of some of their squares then stay finite.
const MaxReal = 1e30

// RealWidth is the number of numbers along a real variable in tables. Evidence is 1 and the value,
// or 0 if the variable is not observed. An answer is the mean and the variance.
const RealWidth = 2

// MeasuredWidth is the number of numbers of the evidence on a real variable in programs that take
// measurements: 1 and the value as above, or 0 and the measured value; the inverse of the variance
// of its error, or 0 without one; and 1 if there is a value or a measurement.
const MeasuredWidth = 2 * RealWidth

// Names returns nil.
func (Real) Names() []string { return nil }

// Parts returns "mean" and "var".
func (Real) Parts() []string { return []string{"mean", "var"} }

// Columns returns 1.
func (Real) Columns() int { return 1 }

// Width returns RealWidth.
func (Real) Width() int { return RealWidth }

// Unknown sets 0, which means no observation.
func (Real) Unknown(evidence []float64) { clear(evidence) }

// Parse reads a number.
func (Real) Parse(text string) (Value, error) {
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || !(math.Abs(x) <= MaxReal) {
		return Value{Real: x}, fmt.Errorf("found %q; want a number of a size of at most %g", text, float64(MaxReal))
	}
	return Value{Real: x}, nil
}

// Text returns as many digits as it takes to read the number back exactly.
func (Real) Text(x Value) string { return strconv.FormatFloat(x.Real, 'g', -1, 64) }

// String returns "real", with the period if there is one.
func (d Real) String() string {
	if d.Period != 0 {
		return "real modulo " + strconv.FormatFloat(d.Period, 'g', -1, 64)
	}
	return "real"
}

func (d Real) check(c *checker, v *Var, pos diag.Pos) {
	switch {
	case d.Period != 0 && !(d.Period >= 1/MaxReal && d.Period <= MaxReal):
		c.Errorf(pos, "variable %q has the period %v; want a number from %g to %g, such as 360", v.Name, d.Period, 1/MaxReal, MaxReal)
	case c.m.Kind == Dependency:
		c.Errorf(pos, "variable %q is real-valued in a %v; want states, or a Bayesian network", v.Name, c.m.Kind)
	case v.Latent && c.m.Kind == Forest:
		c.Errorf(pos, "variable %q is real-valued and latent; want it observable, or states", v.Name)
	}
}

// IsReal reports whether v is real-valued.
func (m *Model) IsReal(v VarID) bool {
	_, ok := m.Vars[v].Domain.(Real)
	return ok
}

// Period returns the period of v if it is circular, and otherwise 0.
func (m *Model) Period(v VarID) float64 {
	d, _ := m.Vars[v].Domain.(Real)
	return d.Period
}

// Width returns the number of numbers along v in a table: one per state, or RealWidth.
func (m *Model) Width(v VarID) int { return m.Vars[v].Domain.Width() }

// States returns the names of v's states, or nil if v is not discrete.
func (m *Model) States(v VarID) []string {
	d, ok := m.Vars[v].Domain.(Discrete) // not Names, which the compiler could not inline
	if !ok {
		return nil
	}
	return d.States
}

// Card returns the number of states of v, or 0 if v is not discrete.
func (m *Model) Card(v VarID) int { return len(m.States(v)) }
