package rows

import (
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// chainText says how sampling went, for people.
func (r *Report) chainText() string {
	rhat := "infinite, since chains stand still apart"
	if r.RHat != nil {
		rhat = fmt.Sprintf("%.4f", *r.RHat)
	}
	text := fmt.Sprintf("%s after %d %s: standard errors up to %.2g, R-hat up to %s, effective sample size %.0f at least\n", r.Status, r.Iterations,
		table.Plural("sweep", r.Iterations), r.Residual, rhat, *r.ESS)
	return text
}

// decodeText says for people what is known of states that were chosen by messages.
func (r *Report) decodeText() string {
	text := fmt.Sprintf("%s after %d %s, residual %.3g\n", r.Status, r.Iterations, table.Plural("round", r.Iterations), r.Residual)
	unit := r.unit
	if unit == "" {
		unit = "log-probability"
	}
	switch {
	case r.Gap == nil && r.Upper == nil:
		return text + "no bound of what other completions have\n"
	case r.Gap == nil:
		return text + fmt.Sprintf("no completion has a %s above %.10g\n", unit, *r.Upper)
	case *r.Gap == 0:
		return text + "proven: no completion is more probable\n"
	}
	return text + fmt.Sprintf("no completion has a %s above %.10g, a gap of %.3g\n", unit, *r.Upper, *r.Gap)
}

// TaskReport returns the report of an approximate method on a task of the UAI competitions, whose
// logarithms are to base 10. by is the query of the method. The result is nil if r is nil.
func TaskReport(r *infer.Report, by *ir.Approximation) *Report {
	if r == nil {
		return nil
	}
	out := &Report{Method: r.Note, Status: r.Status, Iterations: r.Iterations, Residual: r.Residual}
	switch by.Kind {
	case ir.Decoding:
		out.Upper, out.Gap = table.FiniteOnly(r.Bound/math.Ln10), table.FiniteOnly(r.Gap/math.Ln10)
		out.decodes, out.unit = true, "log10"
	case ir.Weighted:
		out.Weights, out.ESS, out.LogError = true, &r.ESS, table.FiniteOnly(r.LogError)
	case ir.Climb:
		out.Search = true
	}
	return out
}

// Weakness says why other states than those of a report may be better; empty where these are proven
// to be best.
func (r *Report) Weakness() string {
	if r.decodes && r.Gap != nil && *r.Gap == 0 {
		return ""
	}
	if r.decodes {
		return "has not proven its states to be best: "
	}
	if r.Status != pgmrt.Converged.String() {
		return "has not settled: "
	}
	return ""
}

// Report is how an iterating method went.
type Report struct {
	Method     string   `json:"method,omitempty"` // what it decided
	Status     string   `json:"status"`
	Iterations int      `json:"iterations"`
	Residual   float64  `json:"residual"`
	RHat       *float64 `json:"rhat"`                  // of sampling; nil where it is infinite
	ESS        *float64 `json:"ess"`                   // of sampling
	Warning    string   `json:"warning,omitempty"`     // of sampling that went badly
	Bound      float64  `json:"bound"`                 // of the divergence from the exact posterior; 0 where there is none
	Unbounded  bool     `json:"unbounded"`             // the method gives bounds, but none here
	Upper      *float64 `json:"upper_bound,omitempty"` // of the log-probability of completions; nil where none is known
	Gap        *float64 `json:"gap,omitempty"`         // to that of the completion; nil where none is known
	Weights    bool     `json:"weights,omitempty"`     // samples were weighted
	LogError   *float64 `json:"logp_error,omitempty"`  // of them: the standard error of ln P; nil where it is unknown
	Search     bool     `json:"search,omitempty"`      // states were searched for
	decodes    bool
	unit       string // of Upper and Gap, for people
}

// Text writes the report for people.
func (r *Report) Text() string {
	if r.Weights || r.Search {
		return r.trialText()
	}
	if r.ESS != nil {
		return r.chainText()
	}
	if r.decodes {
		return r.decodeText()
	}
	text := fmt.Sprintf("%s after %d %s, residual %.3g\n", r.Status, r.Iterations, table.Plural("round", r.Iterations), r.Residual)
	if r.Method != "" {
		text += r.Method + "\n"
	}
	switch {
	case r.Unbounded:
		text += "no bound of the divergence from the exact posterior: a CPD lost two edges\n"
	case r.Bound != 0:
		text += fmt.Sprintf("divergence from the exact posterior at most %.6g nats\n", r.Bound)
	}
	return text
}

// trialText says how weighted samples or a search went, for people.
func (r *Report) trialText() string {
	if r.Search {
		if r.Status == pgmrt.Converged.String() {
			return fmt.Sprintf("%d %s, to states that no single change makes better; better ones may exist\n", r.Iterations, table.Plural("step", r.Iterations))
		}
		return fmt.Sprintf("%d %s, which still found better states; take more\n", r.Iterations, table.Plural("step", r.Iterations))
	}
	logError := "unknown"
	if r.LogError != nil {
		logError = fmt.Sprintf("%.2g", *r.LogError)
	}
	text := fmt.Sprintf("standard errors up to %.2g, of ln P %s, effective sample size %.0f", r.Residual, logError, *r.ESS)
	if r.Status != pgmrt.Converged.String() {
		return text + ": too few to rely on; take more samples, or another method\n"
	}
	return text + "\n"
}
