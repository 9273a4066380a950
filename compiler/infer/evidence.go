package infer

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Missing is the state of a variable that was not observed.
const Missing = -1

// Given is what is known when a question is asked: [Evidence] by names, a [Row] of states, or
// [Findings] by numbers of variables. A nil Given is nothing.
type Given interface {
	findings(vars *variables) (*Findings, error)
}

// Evidence is what is known of variables, by their names. A value is one of
//
//   - a string: the name of the state that was observed,
//   - [States]: the names of states of which the variable has one,
//   - [Likelihood]: how probable what was seen is in each state,
//   - [Jeffrey]: the posterior that the variable must have,
//   - a float64: the value of a real variable,
//   - [All]: several of these, which count together.
type Evidence map[string]any

// States are names of states of which a variable has one.
type States []string

// Likelihood holds a number of at least 0 for each state of a variable, not all 0: how probable
// what was seen is in that state, up to a factor.
type Likelihood []float64

// Jeffrey is the posterior that a variable must have. The answer is then of the nearest
// distribution in which it has that (Jeffrey's rule; several are fitted in turn), and observed
// states alone may stand beside it.
type Jeffrey []float64

// All holds several findings about one variable, which count together.
type All []any

// Row holds a state for each variable that is not latent, in the order of [Engine.Vars]; [Missing]
// stands for one that was not observed. A Row cannot hold values of real variables.
type Row []int

// Findings are what is known of variables, by their numbers, latent ones included.
type Findings struct {
	State   []int       // the state that was observed, or Missing
	Value   []float64   // of a real variable the value that was observed; NaN for none
	Soft    [][]float64 // a likelihood; nil for none
	Jeffrey [][]float64 // the posterior that the variable must have; nil if no variable has one

	sets map[model.VarID]States // those that Soft holds as likelihoods, for messages
}

// NewFindings returns findings of nothing about n variables.
func NewFindings(n int) *Findings {
	f := &Findings{State: make([]int, n), Value: make([]float64, n), Soft: make([][]float64, n)}
	f.Clear()
	return f
}

// Clear forgets all findings.
func (f *Findings) Clear() {
	for v := range f.State {
		f.State[v], f.Value[v], f.Soft[v] = Missing, math.NaN(), nil
	}
	f.Jeffrey, f.sets = nil, nil
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

// names are the variables of ev in order of their names, so that errors do not depend on chance.
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

// fix sets the posterior that v must have.
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

// Text returns the findings about m as the command line has them, without likelihoods and with a
// long list shortened.
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
			parts = append(parts, "a likelihood of "+name)
		}
	}
	if more := len(parts) - most; more > 0 {
		parts = append(parts[:most], fmt.Sprintf("and %d more", more))
	}
	if parts == nil {
		return "no evidence"
	}
	return strings.Join(parts, ", ")
}

// text writes a set as the command line has it.
func (s States) text() string {
	quoted := make([]string, len(s))
	for i, name := range s {
		quoted[i] = QuoteName(name)
	}
	return strings.Join(quoted, "|")
}

// QuoteName returns a name as a Go string literal if it holds a character that has a meaning in
// lists of findings such as A=yes|maybe,B=no, and unchanged otherwise.
func QuoteName(name string) string {
	if q := strconv.Quote(name); name == "" || strings.ContainsAny(name, ",=|(\"/ \t\n") || q != `"`+name+`"` {
		return q
	}
	return name
}

// Resolve reads what is given about a model: it finds variables and states by their names and
// checks the numbers.
func Resolve(m *model.Model, given Given) (*Findings, error) {
	if given == nil {
		return NewFindings(len(m.Vars)), nil
	}
	return given.findings(newVariables(m))
}
