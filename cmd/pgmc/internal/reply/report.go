package reply

import (
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// chainText describes a run of Markov chains.
func (r *Report) chainText() string {
	rhat := "infinite, since chains stand still apart"
	if r.RHat != nil {
		rhat = fmt.Sprintf("%.4f", *r.RHat)
	}
	text := fmt.Sprintf("%s after %d %s: standard errors up to %.2g, R-hat up to %s, effective sample size %.0f at least", r.Status, r.Iterations,
		table.Plural("sweep", r.Iterations), r.Residual, rhat, *r.ESS)
	if r.Refused > 0 {
		text += fmt.Sprintf("; acceptance rates of Metropolis steps from %.2g", 1-r.Refused)
	}
	if r.Rejected > 0 {
		text += fmt.Sprintf("; up to %.2g of the draws by rejection replaced by such steps", r.Rejected)
	}
	return text + "\n"
}

// decodeText describes states that were decoded from messages: the status, and the bound of all
// log-probabilities.
func (r *Report) decodeText() string {
	text := fmt.Sprintf("%s after %d %s, residual %.3g\n", r.Status, r.Iterations, table.Plural("round", r.Iterations), r.Residual)
	switch {
	case r.Frustrated:
		text += "no completion is the best of every belief, as a search has proven\n"
	case r.Strong && r.Gap == nil:
		text += "strong local optimum: no completion is more probable that differs only in variables whose factors form\n" +
			"components of at most one cycle each\n"
	}
	unit := r.unit
	switch {
	case unit == "" && r.Unnormalised:
		unit = "logarithm"
	case unit == "":
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
		out.Strong, out.Frustrated = r.Strong, r.Frustrated
		out.decodes, out.unit = true, "log10"
	case ir.Weighted:
		out.Weights, out.ESS, out.LogError = true, &r.ESS, table.FiniteOnly(r.LogError)
	case ir.Climb:
		out.Search = true
	}
	return out
}

// Weakness returns the reason why the states of a report may not be the best ones, or "" if they
// are proven best.
func (r *Report) Weakness() string {
	if r.decodes && r.Gap != nil && *r.Gap == 0 {
		return ""
	}
	if r.decodes {
		return "has not proven its states to be best: "
	}
	if r.Status != pgmrt.Converged.String() {
		return "has not converged: "
	}
	return ""
}

// Report describes the run of an approximate method.
type Report struct {
	Method       string   `json:"method,omitempty"` // decision of the method, such as the parameters that it chose
	Status       string   `json:"status"`
	Iterations   int      `json:"iterations"`
	Residual     float64  `json:"residual"`
	Improper     int      `json:"improper,omitempty"`             // messages that were no proper distribution and were not used
	RHat         *float64 `json:"rhat"`                           // for chains; nil if it is infinite
	ESS          *float64 `json:"ess"`                            // effective sample size
	Refused      float64  `json:"refused,omitempty"`              // for chains: the largest share of Metropolis steps of a variable that were refused
	Rejected     float64  `json:"rejected,omitempty"`             // for chains: the largest share of draws of a variable by rejection of which all tries were refused
	Warning      string   `json:"warning,omitempty"`              // why the estimates of chains are unreliable
	Bound        float64  `json:"bound"`                          // upper bound of the divergence from the exact posterior; 0 if the method has none
	Unbounded    bool     `json:"unbounded"`                      // the method has bounds, but none for this answer
	Upper        *float64 `json:"upper_bound,omitempty"`          // upper bound of the log-probability of completions; nil if unknown
	Gap          *float64 `json:"gap,omitempty"`                  // Upper less the completion's log-probability; nil if unknown
	Decided      []string `json:"decided,omitempty"`              // variables whose states all most probable completions have
	Weights      bool     `json:"weights,omitempty"`              // the answer comes from weighted samples
	LogError     *float64 `json:"logp_error,omitempty"`           // standard error of ln P of weighted samples; nil if unknown
	Search       bool     `json:"search,omitempty"`               // the answer comes from a local search
	Unnormalised bool     `json:"unnormalised,omitempty"`         // logarithms are those of the product of the potentials
	Strong       bool     `json:"strong_local_optimum,omitempty"` // no completion is better that differs in variables which induce at most one cycle a component
	Frustrated   bool     `json:"no_local_optimum,omitempty"`     // no completion is the best of every belief
	decodes      bool
	unit         string // unit of Upper and Gap in texts
}

// Text returns the report as text.
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
	if r.Improper > 0 {
		text += fmt.Sprintf("%d %s no proper distribution and left out: answers may be far off; try more damping, or larger clusters if the method has them\n", r.Improper,
			map[bool]string{true: "message was", false: "messages were"}[r.Improper == 1])
	}
	switch {
	case r.Unbounded:
		text += "no bound of the divergence from the exact posterior: a CPD lost two edges\n"
	case r.Bound != 0:
		text += fmt.Sprintf("divergence from the exact posterior at most %.6g nats\n", r.Bound)
	}
	return text
}

// trialText describes weighted samples or a local search.
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
