package solve

import (
	"fmt"
	"math"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/reply"
)

// Answer is the answer to a task with its certificate. Logarithms are to base 10.
type Answer struct {
	Result
	Log10  float64       // of the partition function, or for MPE and MMAP of the value of the states
	Lower  float64       // PR and MAR: the partition function is at least this; -Inf if nothing is known
	Upper  float64       // no partition function, or value of states, is above this; +Inf if nothing is known
	Steps  int           // of a search; 1 without a search, 0 if the task has none
	Report *reply.Report // of an approximate method; nil of others

	// Least and Most are proven bounds of the marginals of MAR; nil if they are exact, or if
	// nothing is known.
	Least, Most [][]float64

	// Confidence is an interval by samples, of PR and MAR with bounds; nil without samples.
	Confidence *Confidence

	method string // the approximate method; empty for an exact one
	open   string // what bounds and searches left unproven; empty for nothing
	least  bool   // the value of the states is Log10 or more
}

// states reports whether the answer is a set of states.
func (s *Answer) states() bool { return s.Task == MPE || s.Task == MMAP }

// Proven reports whether the certificate leaves no gap: the answer is exact, or no states are
// better.
func (s *Answer) Proven() bool {
	if s.states() {
		return s.Upper <= s.Log10
	}
	return s.Lower == s.Upper && s.Least == nil
}

// Weakness describes the gaps of the certificate, for a warning. It is empty if the answer is
// proven or the method's own report finds nothing wrong.
func (s *Answer) Weakness() string {
	if r := s.Report; r != nil && r.Weakness() != "" {
		return fmt.Sprintf("method %s %s%s", s.method, r.Weakness(), strings.ReplaceAll(strings.TrimSpace(r.Text()), "\n", "; "))
	}
	if s.open != "" && s.states() {
		is := "is"
		if s.least {
			is = "is at least"
		}
		return fmt.Sprintf("%s; their log10 %s %.10g, and that of any others at most %.10g", s.open, is, s.Log10, s.Upper)
	}
	return s.open
}

// JSON is an answer, as --json prints it.
type JSON struct {
	Task       string        `json:"task"`
	Log10      any           `json:"log10"` // "-inf" is the logarithm of zero; null of states of which only lower10 is known
	Lower10    any           `json:"lower10,omitempty"`
	Upper10    any           `json:"upper10,omitempty"`
	Exact      *bool         `json:"exact,omitempty"` // PR and MAR
	Confidence *Confidence   `json:"confidence,omitempty"`
	Marginals  [][]float64   `json:"marginals,omitempty"`
	Lower      [][]float64   `json:"lower,omitempty"` // MAR: bounds of marginals that are not exact
	Upper      [][]float64   `json:"upper,omitempty"`
	States     []int         `json:"states,omitzero"`   // MPE and MMAP
	Query      []int         `json:"query,omitempty"`   // MMAP: the variables of the states
	Bound10    any           `json:"bound10,omitempty"` // MPE and MMAP: no states have a larger log10
	Proven     *bool         `json:"proven,omitempty"`  // MPE and MMAP: whether no states are better
	Steps      int           `json:"steps,omitempty"`
	Report     *reply.Report `json:"report,omitempty"`
}

// JSON returns the answer as --json prints it.
func (s *Answer) JSON() JSON {
	out := JSON{Task: s.Task, Log10: jsonLog(s.Log10), Marginals: s.Marginals, Lower: s.Least, Upper: s.Most, States: s.States, Steps: s.Steps, Report: s.Report, Confidence: s.Confidence}
	proven := s.Proven()
	if s.states() {
		out.Bound10, out.Proven = jsonLog(s.Upper), &proven
		if out.States == nil { // there are no variables to have states
			out.States = []int{}
		}
		if s.least {
			out.Log10, out.Lower10 = nil, out.Log10
		}
	} else {
		out.Lower10, out.Upper10, out.Exact = jsonLog(s.Lower), jsonLog(s.Upper), &proven
	}
	for _, v := range s.Query {
		out.Query = append(out.Query, int(v))
	}
	return out
}

// jsonLog returns a logarithm in a form that JSON can hold: nil, which is left out, if it is +Inf.
func jsonLog(x float64) any {
	switch {
	case math.IsInf(x, -1):
		return "-inf"
	case math.IsInf(x, 1):
		return nil
	}
	return x
}
