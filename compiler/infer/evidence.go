package infer

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/infer/internal/temporal"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Missing is the state of a variable that was not observed.
const Missing = -1

// Given is the evidence of a question: [Evidence] by names, a [Row] of states, or [Findings] by
// numbers of variables. A nil Given is no evidence.
type Given interface {
	findings(vars *variables) (*Findings, error)
}

// Evidence maps names of variables to findings. A finding is one of
//
//   - a string: the name of the observed state,
//   - [States]: the names of the states that the variable may have,
//   - [Likelihood]: the likelihood of an observation in each state,
//   - [Jeffrey]: the posterior that the variable must have,
//   - a float64: the value of a real variable, or of one whose states are intervals or numbers,
//   - a [Measurement] of a real variable,
//   - [All]: several of these, which combine.
type Evidence map[string]any

// States holds names of states of a variable; it has one of them.
type States []string

// Likelihood holds, for each state of a variable, the probability of an observation in that state,
// up to a common factor. The numbers are at least 0, and not all 0.
type Likelihood []float64

// Measurement is soft evidence on a real variable: a number that is normal with the variable's
// value as mean, and the standard deviation SD.
type Measurement struct{ Mean, SD float64 }

// String returns text such as 1.8±0.1.
func (m Measurement) String() string { return fmt.Sprintf("%v±%v", m.Mean, m.SD) }

// inRange reports whether an engine takes the measurement.
func (m Measurement) inRange() bool {
	variance := m.SD * m.SD
	return math.Abs(m.Mean) <= model.MaxReal && m.SD > 0 && variance >= 1/model.MaxReal && variance <= model.MaxReal
}

// Jeffrey is the posterior that a variable must have. The answer is the nearest distribution's with
// this posterior (Jeffrey's rule; several are fitted in turn). It combines only with observed
// states.
type Jeffrey []float64

// All holds several findings about one variable, which combine.
type All []any

// Row holds a state for each variable that is not latent, in the order of [Engine.Vars], or
// [Missing] if it was not observed. A Row cannot hold values of real variables.
type Row []int

// Findings holds evidence by number of variable, latent ones included.
type Findings struct {
	State   []int       // the observed state, or Missing
	Value   []float64   // the observed value of a real variable, or NaN
	Soft    [][]float64 // a likelihood, or the mean and the variance of a measurement; nil for none
	Jeffrey [][]float64 // the posterior that the variable must have; nil if no variable has one

	sets map[model.VarID]States // the sets that Soft holds as likelihoods, for messages
}

// NewFindings returns empty findings about n variables.
func NewFindings(n int) *Findings {
	f := &Findings{State: make([]int, n), Value: make([]float64, n), Soft: make([][]float64, n)}
	f.Clear()
	return f
}

// Likelihoods returns, by variable, the likelihood of its states, or nil if nothing is known of it:
// see [Findings.Likelihood]. It is an error if something is known of a real variable.
func (f *Findings) Likelihoods(m *model.Model) ([][]float64, error) {
	out := make([][]float64, len(m.Vars))
	for i, v := range m.Vars {
		if m.IsReal(v.ID) && (f.Soft[i] != nil || !math.IsNaN(f.Value[i])) {
			return nil, fmt.Errorf("found evidence about %q, which is real; want some about discrete variables alone", v.Name)
		}
		out[i] = f.Likelihood(m, v.ID)
	}
	return out, nil
}

// Likelihood returns what is known of a discrete variable as a likelihood of its states, and nil of
// another one or if nothing is known.
func (f *Findings) Likelihood(m *model.Model, v model.VarID) []float64 {
	state := f.State[v]
	if m.IsReal(v) || f.Soft[v] == nil && state == Missing {
		return nil
	}
	out := slices.Clone(f.Soft[v])
	if out == nil {
		out = slices.Repeat([]float64{1}, m.Card(v))
	}
	for k := range out {
		if state != Missing && k != state {
			out[k] = 0
		}
	}
	return out
}

// Clear removes all findings.
func (f *Findings) Clear() {
	for v := range f.State {
		f.State[v], f.Value[v], f.Soft[v] = Missing, math.NaN(), nil
	}
	f.Jeffrey, f.sets = nil, nil
}

// Known returns the variables with findings, ascending.
func (f *Findings) Known() []model.VarID {
	var list []model.VarID
	for v := range f.State {
		if f.State[v] != Missing || !math.IsNaN(f.Value[v]) || f.Soft[v] != nil || f.Jeffrey != nil && f.Jeffrey[v] != nil {
			list = append(list, model.VarID(v))
		}
	}
	return list
}

// settle returns logP, or 0 if there are no findings and it is 0 up to rounding.
func (f *Findings) settle(logP float64) float64 {
	if math.Abs(logP) < ir.Settled && len(f.Known()) == 0 {
		return 0
	}
	return logP
}

// With returns the findings of f and that v has a state. The copy shares what f holds on the other
// variables.
func (f *Findings) With(v model.VarID, state int) *Findings {
	out := *f
	out.State = slices.Clone(f.State)
	out.State[v] = state
	return &out
}

// without returns the findings of f on all variables but v.
func (f *Findings) without(v model.VarID) *Findings {
	out := *f
	out.State, out.Value, out.Soft = slices.Clone(f.State), slices.Clone(f.Value), slices.Clone(f.Soft)
	out.State[v], out.Value[v], out.Soft[v] = Missing, math.NaN(), nil
	out.sets = maps.Clone(f.sets)
	delete(out.sets, v)
	if f.Jeffrey != nil {
		out.Jeffrey = slices.Clone(f.Jeffrey)
		out.Jeffrey[v] = nil
	}
	return &out
}

func (f *Findings) findings(*variables) (*Findings, error) { return f, nil }

func (r Row) findings(vars *variables) (*Findings, error) {
	if len(r) != len(vars.seen) {
		return nil, fmt.Errorf("a row has %d states; want %d", len(r), len(vars.seen))
	}
	f := NewFindings(len(vars.m.Vars))
	for i, v := range vars.seen {
		f.State[v] = r[i]
	}
	return f, nil
}

// names returns the variables of ev, sorted, so that the same evidence has the same error.
func (ev Evidence) names() []string { return slices.Sorted(maps.Keys(ev)) }

func (ev Evidence) findings(vars *variables) (*Findings, error) {
	f := NewFindings(len(vars.m.Vars))
	for _, name := range ev.names() {
		v, err := vars.find(name)
		if err != nil {
			return nil, err
		}
		list, several := ev[name].(All)
		if !several {
			list = All{ev[name]}
		}
		for _, x := range list {
			if err := f.add(vars, v, x); err != nil {
				return nil, err
			}
		}
	}
	if f.Jeffrey == nil {
		return f, nil
	}
	for _, l := range f.Soft {
		if l != nil {
			return nil, fmt.Errorf("a posterior that is given goes with states that were observed, not with likelihoods or sets of states")
		}
	}
	return f, nil
}

// add adds one finding about v.
func (f *Findings) add(vars *variables, v model.VarID, x any) error {
	return portOf(vars.m.Vars[v]).add(f, vars, v, x)
}

// times multiplies the likelihood of v by another.
func (f *Findings) times(v model.VarID, name string, l []float64) error {
	product := slices.Clone(l)
	possible, left, zero := false, false, Missing
	for k, x := range l {
		if !(x >= 0) || math.IsInf(x, 0) {
			return fmt.Errorf("the likelihood of %q is %v; want numbers of at least 0", name, l)
		}
		if f.Soft[v] != nil {
			product[k] *= f.Soft[v][k]
		}
		possible, left = possible || x > 0, left || product[k] > 0
		if x == 0 {
			zero = k
		}
	}
	switch {
	case !possible:
		return fmt.Errorf("the likelihood of %q is all zeros", name)
	case left:
		f.Soft[v] = product
	default: // contradictory findings: a state of likelihood 0 is observed
		f.Soft[v], f.State[v] = slices.Clone(l), zero
	}
	return nil
}

// fix sets the required posterior of v.
func (f *Findings) fix(vars *variables, v model.VarID, p Jeffrey) error {
	name, sum := vars.m.Vars[v].Name, 0.0
	for _, x := range p {
		if !(x >= 0) {
			return fmt.Errorf("the distribution of %q is %v; want numbers of at least 0", name, []float64(p))
		}
		sum += x
	}
	switch {
	case len(p) != vars.m.Card(v):
		return fmt.Errorf("the distribution of %q has length %d; want %d", name, len(p), vars.m.Card(v))
	case !(math.Abs(sum-1) <= 1e-9):
		return fmt.Errorf("the distribution of %q sums to %v; want 1", name, sum)
	}
	if f.Jeffrey == nil {
		f.Jeffrey = make([][]float64, len(f.State))
	}
	f.Jeffrey[v] = p
	return nil
}

// Observe sets the value of v that was observed.
func (f *Findings) Observe(v *model.Var, x model.Value) { portOf(v).set(f, v.ID, x) }

// Observed returns the value of v that was observed; known is false if there is none.
func (f *Findings) Observed(v *model.Var) (x model.Value, known bool) {
	return portOf(v).observed(f, v.ID)
}

// Text returns the findings about m in the syntax of the command line, such as "smoke=yes,
// tub=yes|no". It mentions likelihoods without their numbers, and shortens long lists.
func (f *Findings) Text(m *model.Model) string {
	const most = 10
	var parts []string
	for v := range f.State {
		name := QuoteName(m.Vars[v].Name)
		set := f.sets[model.VarID(v)]
		x, known := f.Observed(m.Vars[v])
		switch {
		case set != nil:
			parts = append(parts, name+"="+set.text())
		case known:
			parts = append(parts, name+"="+QuoteName(m.Vars[v].Domain.Text(x)))
		}
		if f.Soft[v] != nil && (set == nil || known) {
			parts = append(parts, portOf(m.Vars[v]).softText(name, f.Soft[v]))
		}
	}
	if more := len(parts) - most; more > 0 {
		parts = append(parts[:most], fmt.Sprintf("and %d more", more))
	}
	if parts == nil {
		return noEvidence
	}
	return strings.Join(parts, ", ")
}

// text returns the set in the syntax of the command line.
func (s States) text() string {
	quoted := make([]string, len(s))
	for i, name := range s {
		quoted[i] = QuoteName(name)
	}
	return strings.Join(quoted, "|")
}

// QuoteName returns a name as a Go string literal if it holds a character that has a meaning in
// lists such as A=yes|maybe,B=no, and unchanged otherwise.
func QuoteName(name string) string { return diag.QuoteName(name) }

// Resolve returns the findings of given about m: it finds variables and states by their names and
// checks the numbers. The error is an [UnknownError] for a name that m does not have.
func Resolve(m *model.Model, given Given) (*Findings, error) {
	if given == nil {
		return NewFindings(len(m.Vars)), nil
	}
	return given.findings(newVariables(m))
}

// measures reports whether f has a measurement of a real variable of m.
func (f *Findings) measures(m *model.Model) bool {
	for v := range f.Soft {
		if f.Soft[v] != nil && m.IsReal(model.VarID(v)) {
			return true
		}
	}
	return false
}

// sliceOf returns the evidence on the discrete variables of a slice.
func sliceOf(f *Findings) temporal.Slice { return temporal.Slice{State: f.State, Soft: f.Soft} }
