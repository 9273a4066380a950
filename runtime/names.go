package pgmrt

import (
	"iter"
	"strconv"
	"strings"
)

// Names holds the names that the text forms and the errors of a generated package use.
type Names struct {
	Package string
	Enums   []Enum
	Vars    []NamedVar
}

// Enum is a type of states: its name in Go, what it is in messages, and the names of the states.
type Enum struct {
	Name, What string
	States     []string
}

// NamedVar is a variable: its name in the model, and the index of its type in Names.Enums, or -1 if
// it has no states.
type NamedVar struct {
	Name string
	Enum int
}

// failure is an error of a generated package. It wraps its cause, which may be nil.
type failure struct {
	text  string
	cause error
}

// Error returns the text, which begins with the name of the package.
func (f *failure) Error() string { return f.text }

// Unwrap returns the cause.
func (f *failure) Unwrap() error { return f.cause }

// Fail returns an error of the package. It wraps cause, which may be nil.
func (n *Names) Fail(text string, cause error) error {
	return &failure{n.Package + ": " + text, cause}
}

// Wrap returns an error of the package with the text of its cause.
func (n *Names) Wrap(cause error) error { return n.Fail(cause.Error(), cause) }

// Index returns the index of the variable with a name.
func (n *Names) Index(name string) (int, error) {
	for i := range n.Vars {
		if n.Vars[i].Name == name {
			return i, nil
		}
	}
	return 0, n.Fail("unknown variable "+strconv.Quote(Short(name)), ErrState)
}

// States returns the names of the states of a variable, or nil if it has none.
func (n *Names) States(variable int) []string {
	if e := n.Vars[variable].Enum; e >= 0 {
		return n.Enums[e].States
	}
	return nil
}

// All iterates over the names and the values of the variables that have a value; value returns the
// value of a variable as a text, which is empty if there is none.
func (n *Names) All(value func(variable int) string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for i := range n.Vars {
			if text := value(i); text != "" && !yield(n.Vars[i].Name, text) {
				return
			}
		}
	}
}

// StateString returns the name of a state, also of one out of range.
func (n *Names) StateString(enum int, state uint) string {
	switch e := &n.Enums[enum]; {
	case state == 0:
		return "unset"
	case state > uint(len(e.States)):
		return e.Name + "(" + strconv.FormatUint(uint64(state), 10) + ")"
	default:
		return e.States[state-1]
	}
}

// StateName returns the name of a state, and an empty text for 0.
func (n *Names) StateName(enum int, state uint) string {
	if state == 0 {
		return ""
	}
	return n.StateString(enum, state)
}

// StateText returns the name of a state, and an empty text for 0. It fails for a state out of
// range.
func (n *Names) StateText(enum int, state uint) ([]byte, error) {
	if e := &n.Enums[enum]; state > uint(len(e.States)) {
		return nil, n.Fail(e.What+" has no state "+strconv.FormatUint(uint64(state), 10), ErrState)
	}
	return []byte(n.StateName(enum, state)), nil
}

// ParseState returns the state with the given name, and 0 for an empty name.
func (n *Names) ParseState(enum int, text string) (uint, error) {
	if text == "" {
		return 0, nil
	}
	e := &n.Enums[enum]
	for i, s := range e.States {
		if s == text {
			return uint(i) + 1, nil
		}
	}
	return 0, n.Fail(e.What+" has no state "+strconv.Quote(Short(text))+listed(e), ErrState)
}

// SetState sets s to the state with the given name, or to 0 for an empty name. Unless of is nil, a
// number that names no state stands for the state that of returns.
func SetState[T ~uint8 | ~uint16](n *Names, enum int, s *T, text []byte, of func(x float64) T) error {
	state, err := n.ParseState(enum, string(text))
	if err == nil {
		*s = T(state)
		return nil
	}
	if of != nil {
		if x, failed := strconv.ParseFloat(string(text), 64); failed == nil && x == x {
			*s = of(x)
			return nil
		}
	}
	return err
}

// IntervalOf returns the number of the interval that holds x, counted from 1, or 0 if x is NaN. The
// bounds between intervals belong to the lower ones.
func IntervalOf(x float64, bounds ...float64) int {
	if x != x {
		return 0
	}
	state := 1
	for _, bound := range bounds {
		if x <= bound {
			break
		}
		state++
	}
	return state
}

// listed returns the list of the states of a type, for messages.
func listed(e *Enum) string { return " (states: [" + strings.Join(e.States, " ") + "])" }

// Refuse returns an error about a variable that wraps ErrState.
func (n *Names) Refuse(variable int, text string) error {
	return n.Fail("variable "+strconv.Quote(n.Vars[variable].Name)+text, ErrState)
}

// BadState returns the error of a value that is not a state of the variable.
func (n *Names) BadState(variable int, state uint) error {
	return n.Wrap(&StateError{Var: n.Vars[variable].Name, Got: state, States: n.States(variable)})
}

// BadSet returns the error of a set with a bit beyond the states of its variable.
func (n *Names) BadSet(variable int) error {
	return n.Refuse(variable, ": a set has a bit beyond the states"+listed(&n.Enums[n.Vars[variable].Enum]))
}

// NotGiven returns the error of a given variable without a value.
func (n *Names) NotGiven(variable int) error {
	return n.Refuse(variable, " is given and not observed; want a value")
}

// BadLikelihood returns the error of numbers that are not a likelihood of the variable.
func (n *Names) BadLikelihood(variable int) error {
	return n.RefuseLikelihood(variable, "holds a number that is negative, infinite or NaN")
}

// RefuseLikelihood returns the error of a likelihood of the variable, with a reason.
func (n *Names) RefuseLikelihood(variable int, reason string) error {
	return n.Wrap(&LikelihoodError{Var: n.Vars[variable].Name, Reason: reason})
}

// BadLength returns the error of a slice with a wrong number of rows.
func (n *Names) BadLength(what string, got, want int) error {
	return n.Fail(what+" has "+strconv.Itoa(got)+" rows; want "+strconv.Itoa(want), nil)
}

// Short returns the begin of a text, for messages.
func Short(text string) string {
	if len(text) <= 60 {
		return text
	}
	return strings.ToValidUTF8(text[:60], "") + "..."
}

// EachVar returns what describe returns for each variable: its name, and a copy of the names of its
// states, if it has states.
func EachVar[V any](n *Names, describe func(name string, states []string) V) []V {
	list := make([]V, len(n.Vars))
	for i, v := range n.Vars {
		list[i] = describe(v.Name, append([]string(nil), n.States(i)...))
	}
	return list
}

// ValuesOf returns the n states of a type.
func ValuesOf[T ~uint8 | ~uint16](n int) []T {
	values := make([]T, n)
	for i := range values {
		values[i] = T(i + 1)
	}
	return values
}

// AllOf iterates over the states of a type and their numbers.
func AllOf[T ~uint8 | ~uint16](d []float64) iter.Seq2[T, float64] {
	return func(yield func(T, float64) bool) {
		for i, p := range d {
			if !yield(T(i+1), p) {
				return
			}
		}
	}
}

// Largest returns 1 plus the first index of the largest number, and that number. It returns 0 and 0
// if no number is above 0.
func Largest(d []float64) (at int, top float64) {
	for i, p := range d {
		if p > top {
			at, top = i+1, p
		}
	}
	return at, top
}
