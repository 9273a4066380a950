package engine

import (
	"math"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Answer is the reply to "ask".
type Answer struct {
	LogP      float64     `json:"logp"`              // ln P of the evidence, or of its density
	Density   bool        `json:"density,omitempty"` // a real variable is observed
	Marginals [][]float64 `json:"marginals"`         // by variable: of its states, or the mean and the variance
	MPE       []string    `json:"mpe,omitempty"`     // by variable: its state in the most probable completion
	MPELogP   float64     `json:"mpe_logp,omitempty"`

	Strategy *Strategy `json:"strategy,omitempty"` // of an influence diagram; the posteriors are those under it
	Course   *Course   `json:"course,omitempty"`   // of a sequence
}

// Strategy is the best strategy of an influence diagram given the evidence. Decisions that are
// observed have been taken and are no part of it.
type Strategy struct {
	Utility   float64   `json:"utility"` // the maximum expected utility
	Utilities []Utility `json:"utilities"`
	Policies  []Policy  `json:"policies"` // in the order in which the decisions are taken
}

// Utility is a term of the sum that decisions maximise.
type Utility struct {
	Name string  `json:"name"`
	Mean float64 `json:"mean"` // under the strategy
}

// Policy is what to choose, in each case of the known variables that matter and can occur.
type Policy struct {
	Decision string   `json:"decision"`
	Known    []string `json:"known"`
	Options  []string `json:"options"`
	Cases    []Case   `json:"cases"`
	More     int      `json:"more,omitempty"` // the number of further cases
}

// Case is a joint state of the known variables.
type Case struct {
	Given     []string  `json:"given"`
	P         float64   `json:"p"`         // under the strategy
	Utilities []float64 `json:"utilities"` // of each option
	Choice    int       `json:"choice"`    // of Options
}

// Course is how a variable develops: its posterior in each slice, as in [Answer.Marginals], and its
// states in the most probable completion of the sequence.
type Course struct {
	Var  string      `json:"var"`
	List [][]float64 `json:"list"`
	Path []string    `json:"path,omitempty"`
}

// numbers returns posteriors as the page takes them.
func numbers(all *infer.Marginals) (out [][]float64) {
	for i := range all.List {
		out = append(out, finite(all.List[i].Numbers()))
	}
	return out
}

// finite replaces the infinite variance of a variable with a diffuse prior by the largest number,
// since JSON has no infinity.
func finite(numbers []float64) []float64 {
	for i, x := range numbers {
		if math.IsInf(x, 1) {
			numbers[i] = math.MaxFloat64
		}
	}
	return numbers
}

// states returns the states of a completion.
func states(c *infer.Completion) (out []string) {
	for _, s := range c.States {
		out = append(out, s.State)
	}
	return out
}

// dense reports whether an observation is of a real variable that has a distribution.
func dense(m *model.Model, hard map[string]string) bool {
	for name := range hard {
		if v, ok := m.VarByName(name); ok && m.IsReal(v.ID) && !v.Given {
			return true
		}
	}
	return false
}
