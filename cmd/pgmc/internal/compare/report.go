package compare

import (
	"fmt"
	"math"
	"time"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/learn/rate"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// report holds the results of pgmc compare.
type report struct {
	Model      string         `json:"model"`
	Questions  int            `json:"questions"`
	Impossible int            `json:"impossible"` // questions whose evidence has probability 0; they count nowhere
	Exact      string         `json:"exact"`      // "exact", or why there are no exact answers
	Methods    []methodReport `json:"methods"`
	Best       []bestReport   `json:"completions,omitempty"` // of methods that choose states
}

// methodReport holds the results of one method. Errors are null without exact answers.
type methodReport struct {
	Method  string   `json:"method"`
	Refused string   `json:"refused,omitempty"` // why the method does not take the model
	Claim   string   `json:"claim,omitempty"`
	Largest *float64 `json:"largest_error"` // of a probability
	// Divergence is the mean KL(exact, approximate) of an unobserved variable, in nats. It is null
	// also if a possible state has probability 0.
	Divergence *float64 `json:"mean_divergence"`
	// Flips is the share of unobserved variables with different most probable states.
	Flips     *float64 `json:"flips"`
	LogP      *float64 `json:"mean_logp_error"` // of ln P(evidence), absolute
	Iterates  bool     `json:"iterates"`
	Converged int      `json:"converged"` // questions on which it converged
	Rounds    float64  `json:"rounds"`    // the mean
	Answered  int      `json:"answered"`
	Compiling float64  `json:"compile_seconds"`
	Seconds   float64  `json:"seconds"` // of an answer, the mean
}

// summarise compares the answers of a method with the exact ones.
func (c *comparison) summarise(name, claim string, compiling time.Duration, seconds float64, answers []*rows.Answer) methodReport {
	r := methodReport{Method: name, Claim: claim, Compiling: compiling.Seconds(), Seconds: seconds}
	e := &errorsOf{}
	for i, a := range answers {
		if a == nil {
			continue
		}
		r.Answered++
		if a.Status != "" {
			r.Iterates = true
			r.Rounds += float64(a.Iterations)
			if a.Status == pgmrt.Converged.String() {
				r.Converged++
			}
		}
		if c.want != nil && c.want[i] != nil {
			e.add(c.questions[i].Hard, c.want[i], a)
		}
	}
	r.Rounds /= float64(max(1, r.Answered))
	if c.want != nil && e.questions > 0 {
		r.Largest, r.LogP = &e.largest, table.FiniteOnly(e.logP/float64(e.questions))
		if e.variables > 0 {
			r.Divergence, r.Flips = table.FiniteOnly(e.divergence/float64(e.variables)), table.FiniteOnly(e.flips/float64(e.variables))
		}
	}
	return r
}

// errorsOf adds up errors over questions and unobserved variables.
type errorsOf struct {
	questions, variables       int
	largest, divergence, flips float64
	logP                       float64
}

// add compares an answer with the exact one, on the variables that are not observed.
func (e *errorsOf) add(observed []int, want, got *rows.Answer) {
	e.questions++
	e.logP += math.Abs(want.LogP - got.LogP)
	for v, p := range want.Marginals {
		if observed[v] > 0 {
			continue
		}
		q := got.Marginals[v]
		e.variables++
		e.divergence += rate.Divergence(p, q)
		if rate.Flipped(p, q) {
			e.flips++
		}
		for k := range p {
			e.largest = max(e.largest, math.Abs(p[k]-q[k]))
		}
	}
}

// text returns the report as text.
func (r *report) text() string {
	text := fmt.Sprintf("%s: %d %s, %d impossible; exact answers: %s\n\n", r.Model, r.Questions, table.Plural("question", r.Questions), r.Impossible, r.Exact)
	t := &table.Table{}
	t.Add("method", "largest error", "mean KL", "flips", "ln P error", "rounds", "converged", "compiling", "answer")
	var notes string
	for _, m := range r.Methods {
		if m.Refused != "" {
			notes += fmt.Sprintf("%s: %s\n", m.Method, m.Refused)
			continue
		}
		rounds, converged := "-", "-"
		if m.Iterates {
			rounds, converged = fmt.Sprintf("%.1f", m.Rounds), fmt.Sprintf("%d of %d", m.Converged, m.Answered)
		}
		flips := "-"
		if m.Flips != nil {
			flips = fmt.Sprintf("%.2f%%", 100**m.Flips)
		}
		t.Add(m.Method, table.Optional("%.3g", m.Largest), table.Optional("%.3g", m.Divergence), flips,
			table.Optional("%.3g", m.LogP), rounds, converged, secondsText(m.Compiling), secondsText(m.Seconds))
	}
	t.AlignRight()
	text += t.String()
	if r.Best != nil {
		text += "\n" + r.bestTable().String()
	}
	if notes != "" {
		text += "\n" + notes
	}
	return text
}

// secondsText writes a time in a unit that suits it.
func secondsText(s float64) string {
	return time.Duration(s * float64(time.Second)).Round(100 * time.Nanosecond).String()
}
