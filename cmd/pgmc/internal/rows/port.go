package rows

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
)

// Variable describes a variable in questions: its name and those of its states. A real variable has
// no states.
type Variable struct {
	Name   string
	States []string
	Real   bool
	// Cuts holds the bounds between states that are intervals of numbers; each includes its upper
	// bound. It is nil for other states.
	Cuts []float64
	// Numbers holds the numbers that the states are, in their order. It is nil for other states.
	Numbers []float64
}

// port reads and writes the values of one domain in questions and answers. The ports are
// discretePort and realPort.
type port interface {
	// parts returns the names of the numbers of a marginal.
	parts(v *Variable) []string
	// set observes variable i in a state, counted from 0, or at a number.
	set(q *Question, i, state int, number float64)
	// text returns the observed value of variable i in the syntax of --evidence.
	text(v *Variable, q *Question, i int) string
	// appendChosen appends the state or the value of variable i in a completion as JSON.
	appendChosen(b []byte, r *Server, i, state int, number float64) []byte
	// chosenText returns the state or the value of a variable in a completion for people.
	chosenText(v *Variable, state int, number float64) string

	// observe reads the evidence on variable i.
	observe(r *Server, q *Question, i int, value json.RawMessage) error
	// likelihood reads a likelihood of variable i.
	likelihood(r *Server, q *Question, i int, value json.RawMessage) error
	// softText returns the soft evidence on a variable of the given name as text, softFlag in the
	// syntax of --soft, and appendSoft appends it as JSON.
	softText(name string, soft []float64) string
	softFlag(name string, soft []float64) string
	appendSoft(b []byte, soft []float64) []byte
	// distribution reads the given posterior of variable i, for Jeffrey's rule.
	distribution(r *Server, q *Question, i int, value json.RawMessage) error
}

// port returns the port of v's domain.
func (v *Variable) port() port {
	if v.Real {
		return realPort{}
	}
	return discretePort{}
}

// Parts returns the names of the numbers of a marginal: states, or the mean and the variance.
func (v *Variable) Parts() []string { return v.port().parts(v) }

// Chosen returns the state or the value of v in a completion for people.
func (v *Variable) Chosen(state int, number float64) string {
	return v.port().chosenText(v, state, number)
}

// AppendSoft appends soft evidence on v as JSON.
func (v *Variable) AppendSoft(b []byte, soft []float64) []byte { return v.port().appendSoft(b, soft) }

// discretePort is the port of variables with states.
type discretePort struct{}

func (discretePort) parts(v *Variable) []string { return v.States }

func (discretePort) set(q *Question, i, state int, _ float64) { q.Hard[i] = state + 1 }

func (discretePort) text(v *Variable, q *Question, i int) string {
	return cli.QuoteName(v.States[q.Hard[i]-1])
}

func (discretePort) appendChosen(b []byte, r *Server, i, state int, _ float64) []byte {
	return append(b, r.states[i][state]...)
}

func (discretePort) chosenText(v *Variable, state int, _ float64) string { return v.States[state] }

func (discretePort) softText(name string, _ []float64) string { return "a likelihood of " + name }

func (discretePort) softFlag(name string, soft []float64) string {
	b := append([]byte(name), '=')
	for _, x := range soft {
		b = append(AppendNumber(b, x), '/')
	}
	return string(b[:len(b)-1])
}

func (discretePort) appendSoft(b []byte, soft []float64) []byte { return AppendNumbers(b, soft) }

// realPort is the port of real variables.
type realPort struct{}

func (realPort) parts(*Variable) []string { return []string{"mean", "var"} }

func (realPort) set(q *Question, i, _ int, number float64) { q.Hard[i], q.Real[i] = 1, number }

func (realPort) text(_ *Variable, q *Question, i int) string {
	return strconv.FormatFloat(q.Real[i], 'g', -1, 64)
}

func (realPort) appendChosen(b []byte, _ *Server, _, _ int, number float64) []byte {
	return AppendNumber(b, number)
}

func (realPort) chosenText(_ *Variable, _ int, number float64) string {
	return strconv.FormatFloat(number, 'g', 10, 64)
}

// likelihood reads a measurement: what was measured, and the variance of its error.
func (realPort) likelihood(r *Server, q *Question, i int, value json.RawMessage) error {
	var x struct{ Mean, Var *float64 }
	list, err := members(value)
	for _, m := range list {
		into := map[string]**float64{"mean": &x.Mean, "var": &x.Var}[m.key]
		if into == nil || *into != nil {
			err = errors.Join(err, fmt.Errorf("member %q", m.key))
		} else {
			err = errors.Join(err, json.Unmarshal(m.value, into))
		}
	}
	if err != nil || x.Mean == nil || x.Var == nil || !(*x.Var > 0) {
		return fmt.Errorf("the measurement of %q, which is real-valued, is %s; want {\"mean\": 1.8, \"var\": 0.01}", r.vars[i].Name, Shorten(value))
	}
	if q.Soft[i] != nil {
		return fmt.Errorf("variable %q has two measurements", r.vars[i].Name)
	}
	q.Soft[i] = []float64{*x.Mean, *x.Var}
	return nil
}

func (realPort) softText(name string, soft []float64) string {
	return name + "=" + strconv.FormatFloat(soft[0], 'g', -1, 64) + "±" + strconv.FormatFloat(math.Sqrt(soft[1]), 'g', -1, 64)
}

func (realPort) softFlag(name string, soft []float64) string { return realPort{}.softText(name, soft) }

func (realPort) appendSoft(b []byte, soft []float64) []byte {
	b = AppendNumber(append(b, `{"mean":`...), soft[0])
	return append(AppendNumber(append(b, `,"var":`...), soft[1]), '}')
}

func (realPort) distribution(r *Server, _ *Question, i int, _ json.RawMessage) error {
	return fmt.Errorf("variable %q is real-valued; want the distribution of one that has states", r.vars[i].Name)
}

// describe returns the evidence of q as text, with at most ten parts.
func (r *Server) describe(q *Question) string {
	const most = 10
	var parts []string
	for i, v := range r.vars {
		set := q.sets != nil && q.sets[i] != nil
		if set {
			parts = append(parts, cli.QuoteName(v.Name)+"="+r.setText(i, q.sets[i]))
		} else if q.Hard[i] > 0 {
			parts = append(parts, cli.QuoteName(v.Name)+"="+v.port().text(&v, q, i))
		}
		if q.Soft[i] != nil && (!set || q.Hard[i] > 0) { // a state together with a set means that a likelihood contradicts the set
			parts = append(parts, v.port().softText(cli.QuoteName(v.Name), q.Soft[i]))
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

// setText returns a set of states of variable v in the syntax of --evidence.
func (r *Server) setText(v int, set []float64) string {
	var names []string
	for k, in := range set {
		if in > 0 {
			names = append(names, cli.QuoteName(r.vars[v].States[k]))
		}
	}
	return strings.Join(names, "|")
}
