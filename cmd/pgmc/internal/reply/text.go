package reply

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/ir"
)

// Reply is an answer to one question, with the variables and the answers that were wanted.
type Reply struct {
	*rows.Answer
	vars []rows.Variable
	want *rows.Wanted
	open bool // states are not proven to be the most probable

	least, most [][]float64 // proven bounds of the marginals; nil if they are exact
}

// New returns a as the reply to a question with answers w. jeffrey reports that the question gave
// distributions.
func New(a *rows.Answer, vars []rows.Variable, w *rows.Wanted, jeffrey bool) *Reply {
	if jeffrey {
		w = w.GivenJeffrey()
	}
	return &Reply{Answer: a, vars: vars, want: w}
}

// JSON returns the reply as a line of JSON in the form of a batch, without an identifier.
func (r *Reply) JSON() []byte { return rows.JSON(r.vars, *r.want, r.Answer) }

// Warning returns the reason why the estimates of Markov chains are unreliable, or "".
func (r *Reply) Warning() string {
	if r.want.Kind != ir.Estimates {
		return ""
	}
	return rows.ChainWarning(r.RHat, r.ESS)
}

// report returns the report of an approximate method, or nil for exact answers.
func (r *Reply) report() *Report {
	if r.want.Loop == "" {
		return nil
	}
	out := &Report{Method: r.Note, Status: r.Status, Iterations: r.Iterations, Residual: r.Residual, Improper: r.Improper, Unnormalised: r.want.Unnormalised, decodes: r.want.MPE || r.want.MaxMarginals != nil}
	switch {
	case r.want.Kind == ir.Climb:
		out.Search = true
	case r.want.Kind == ir.Weighted:
		out.Weights, out.ESS, out.LogError = true, &r.ESS, table.FiniteOnly(r.LogError)
	case r.want.Kind == ir.Estimates:
		out.RHat, out.ESS, out.Refused, out.Rejected = table.FiniteOnly(r.RHat), &r.ESS, r.Refused, r.Rejected
	case r.want.Kind == ir.Decoding:
		out.Upper, out.Gap = table.FiniteOnly(r.Bound), table.FiniteOnly(r.Gap)
		out.Strong, out.Frustrated = r.Strong, r.Frustrated
	case math.IsInf(r.Bound, 1):
		out.Unbounded = true
	default:
		out.Bound = r.Bound
	}
	return out
}

// Print writes the reply as text: the log-probability, a table of marginals, joint posteriors, and
// the most probable states.
func (r *Reply) Print(w io.Writer) error {
	var parts []string
	if r.want.LogP {
		parts = append(parts, fmt.Sprintf("log-probability of the evidence: %.10g\n", r.LogP+0)+r.weightText())
	}
	if r.LogZ != nil && r.LogWeight == nil {
		parts = append(parts, fmt.Sprintf("logarithm of the integral of the potentials: %.10g\n", *r.LogZ))
	}
	if report := r.report(); report != nil {
		parts = append(parts, report.Text())
	}
	if r.want.Marginals != nil {
		parts = append(parts, r.marginalsText())
	}
	parts = append(parts, r.maxText()...)
	for i, j := range r.want.Joint {
		parts = append(parts, jointTable(r.vars, &j, r.Joint[i], decimals).String())
	}
	for i, j := range r.want.Mixture {
		parts = append(parts, mixtureText(r.vars[j.Vars[0]].Name, r.Mixture[i]))
	}
	if r.want.MPE {
		parts = append(parts, r.mpeText())
	}
	if r.want.MAP != nil {
		parts = append(parts, r.mapText())
	}
	if r.want.KMPE > 0 {
		parts = append(parts, r.completionsText())
	}
	_, err := io.WriteString(w, strings.Join(parts, "\n"))
	return err
}

// weightText returns a line on the weight of a joint state of a forest model, or "".
func (r *Reply) weightText() string {
	switch {
	case r.LogWeight == nil:
		return ""
	case r.LogZ == nil:
		return fmt.Sprintf("that is sampled; exactly it is ln Z_x = %.10g, of the sum over trees, less ln Z, one number for all joint states, which is #P-hard\n", *r.LogWeight)
	}
	return fmt.Sprintf("that is sampled; exactly it is %.10g: ln Z_x = %.10g, of the sum over trees, less ln Z = %.10g, by enumeration\n", *r.LogWeight-*r.LogZ, *r.LogWeight, *r.LogZ)
}

// marginalsText returns a table of the wanted marginals, with their bounds if they are not exact.
func (r *Reply) marginalsText() string {
	t := &table.Table{}
	if r.least != nil {
		t.Add("", "", "estimate", "at least", "at most")
	}
	for i, v := range r.vars {
		for k, s := range v.Parts() {
			if !r.want.Marginals[i] {
				continue
			}
			row := []string{table.Once(k, v.Name), s, decimals(r.Marginals[i][k])}
			if r.least != nil {
				row = append(row, decimals(math.Floor(r.least[i][k]*1e6)/1e6), decimals(math.Ceil(r.most[i][k]*1e6)/1e6))
			}
			t.Add(row...)
		}
	}
	return t.String()
}

// jointTable returns a table of a joint posterior of some of vars, with a row for each joint state,
// or if some are real, for each joint state of the others and each real variable. write formats
// numbers.
func jointTable(vars []rows.Variable, j *rows.Joint, numbers []float64, write func(float64) string) *table.Table {
	t, heads := &table.Table{}, []string{}
	of, real := j.Split(vars)
	for _, v := range of {
		heads = append(heads, vars[v].Name)
	}
	if len(of) > 0 {
		heads = append(heads, "P")
	}
	if len(real) > 0 {
		heads = append(heads, "", "mean")
		for _, v := range real {
			heads = append(heads, "cov "+vars[v].Name)
		}
	}
	t.Add(heads...)
	n := len(real)
	for at := range len(numbers) / rows.Leaf(n) {
		x := numbers[at*rows.Leaf(n):][:rows.Leaf(n)]
		row := jointStates(vars, of, at)
		if len(of) > 0 {
			row = append(row, write(x[0]))
		}
		if n == 0 {
			t.Add(row...)
		}
		for i, v := range real {
			cells := append(slices.Clone(row), vars[v].Name, write(x[1+i]))
			for _, c := range x[1+n+i*n:][:n] {
				cells = append(cells, write(c))
			}
			t.Add(cells...)
			clear(row)
		}
	}
	return t
}

// decimals returns x as answers show it.
func decimals(x float64) string { return fmt.Sprintf("%.6f", x+0) }

// mixtureText returns a table of the components of a mixture.
func mixtureText(name string, numbers []float64) string {
	t := &table.Table{}
	t.Add("P", "mean", "var")
	for c := range slices.Chunk(numbers, 3) {
		t.Add(decimals(c[0]), decimals(c[1]), decimals(c[2]))
	}
	return "mixture of " + name + ":\n" + t.String()
}

// mpeText returns a table of the completion below a line on its log-probability and its proof.
func (r *Reply) mpeText() string {
	t := &table.Table{}
	for i, v := range r.vars {
		row := []string{v.Name, v.Chosen(r.Mpe[i], r.MpeReal[i])}
		if r.Decided != nil && r.Decided[i] {
			row = append(row, "decided")
		}
		t.Add(row...)
	}
	worth := fmt.Sprintf(", of log-probability %.10g:\n", r.MpeLogP+0)
	switch {
	case r.want.Pseudo:
		worth = fmt.Sprintf(", of pseudo-log-likelihood %.10g:\n", r.MpeLogP+0)
	case r.want.Unnormalised:
		worth = fmt.Sprintf("; the product of its potentials, without the partition function, has the logarithm %.10g:\n", r.MpeLogP+0)
	}
	head := "most probable completion" + worth
	if slices.ContainsFunc(r.vars, func(v rows.Variable) bool { return v.Real }) {
		head = fmt.Sprintf("completion of the largest density, of logarithm %.10g:\n", r.MpeLogP+0)
	}
	switch report := r.report(); {
	case report != nil && report.Search:
		head = "best completion found" + worth
	case math.IsInf(r.MpeLogP, 0):
		head = "no completion of positive probability was found; the last one looked at:\n"
	case r.open, report != nil && (report.Gap == nil || *report.Gap > 0):
		head = "probable completion" + worth
	}
	if slices.Contains(r.Decided, true) {
		head += "all most probable completions have the states that are decided\n"
	}
	return head + t.String()
}

// mapText returns a table of the most probable joint state of some variables.
func (r *Reply) mapText() string {
	t := &table.Table{}
	for i, v := range r.vars {
		if k := slices.Index(r.want.MAP, i); k >= 0 {
			t.Add(v.Name, v.States[r.States[k]])
		}
	}
	most := "most probable"
	switch {
	case r.want.Kind == ir.Climb:
		most = "best found"
	case r.open:
		most = "probable"
	}
	return fmt.Sprintf("%s states, of log-probability %.10g:\n", most, r.StatesLogP+0) + t.String()
}

// logName returns the name of the logarithms of completions.
func (r *Reply) logName() string {
	if r.want.Pseudo {
		return "pseudo-log-likelihood"
	}
	return "log-probability"
}

// completionsText returns a table with a column for each completion.
func (r *Reply) completionsText() string {
	t, heads := &table.Table{}, []string{r.logName()}
	for _, x := range r.KMPELogP {
		heads = append(heads, fmt.Sprintf("%.10g", x+0))
	}
	t.Add(heads...)
	for i, v := range r.vars {
		row := []string{v.Name}
		for _, states := range r.KMPE {
			row = append(row, v.States[states[i]])
		}
		t.Add(row...)
	}
	return "most probable completions, best first:\n" + t.String()
}
