package rows

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/pgmc-go/pgmc/compiler/method/belief"
	"github.com/pgmc-go/pgmc/ir"
)

// appendAnswer appends the members of an answer.
func (r *Server) appendAnswer(b []byte, want *Wanted, a *Answer) []byte {
	if want.Kind == ir.Bounded {
		return r.appendBounds(b, a)
	}
	if want.LogP {
		b = append(AppendNumber(append(b, `"logp":`...), a.LogP), ',')
	}
	if a.LogWeight != nil {
		b = append(FiniteNumber(append(b, `"log_weight":`...), *a.LogWeight), ',')
	}
	if a.LogZ != nil {
		b = append(FiniteNumber(append(b, `"log_z":`...), *a.LogZ), ',')
	}
	if want.Loop != "" {
		b = r.appendReport(b, want, a)
	}
	if want.Marginals != nil {
		b = r.appendMarginals(append(b, `"marginals":`...), a)
	}
	if want.Joint != nil {
		b = r.appendJoints(b, a)
	}
	b = r.appendMax(b, want, a)
	if want.Mixture != nil {
		b = r.appendMixtures(b, a)
	}
	if want.MAP != nil || want.KMPE > 0 {
		b = r.appendBest(b, want, a)
	}
	if want.Pseudo && (want.MPE || want.KMPE > 0 || want.asksMax()) {
		b = append(b, `"pseudo":true,`...)
	}
	if !want.MPE {
		return b
	}
	b = append(b, `"mpe":{`...)
	for i, s := range a.Mpe {
		b = append(append(b, r.keys[i]...), ':')
		b = append(r.vars[i].port().appendChosen(b, r, i, s, a.MpeReal[i]), ',')
	}
	b = append(closeObject(b), `"mpe_logp":`...)
	return append(FiniteNumber(b, a.MpeLogP), ',')
}

// appendReport appends what a method that is not exact says of its answer.
func (r *Server) appendReport(b []byte, want *Wanted, a *Answer) []byte {
	b = append(strconv.AppendInt(append(append(a.appendNote(append(b, `"report":{`...)), JsonString(a.Status)...), `,"iterations":`...), int64(a.Iterations), 10), ',')
	b = AppendNumber(append(b, `"residual":`...), a.Residual)
	if a.Improper > 0 {
		b = strconv.AppendInt(append(b, `,"improper":`...), int64(a.Improper), 10)
	}
	switch {
	case want.Kind == ir.Climb:
		b = append(b, `,"search":true`...)
	case want.Kind == ir.Weighted:
		b = AppendNumber(append(b, `,"weights":true,"ess":`...), a.ESS)
		b = FiniteNumber(append(b, `,"logp_error":`...), a.LogError)
	case want.Kind == ir.Estimates:
		b = FiniteNumber(append(b, `,"rhat":`...), a.RHat)
		b = AppendNumber(append(b, `,"ess":`...), a.ESS)
		if a.Refused > 0 {
			b = AppendNumber(append(b, `,"refused":`...), a.Refused)
		}
		if a.Rejected > 0 {
			b = AppendNumber(append(b, `,"rejected":`...), a.Rejected)
		}
		if w := ChainWarning(a.RHat, a.ESS); w != "" {
			b = append(append(b, `,"warning":`...), JsonString(w)...)
		}
	case want.Kind == ir.Decoding:
		b = FiniteNumber(append(b, `,"upper_bound":`...), a.Bound)
		b = r.appendDecided(FiniteNumber(append(b, `,"gap":`...), a.Gap), a)
		if a.Strong && a.Gap > 0 {
			b = append(b, `,"strong_local_optimum":true`...)
		}
		if a.Frustrated {
			b = append(b, `,"no_local_optimum":true`...)
		}
	case math.IsInf(a.Bound, 1):
		b = append(b, `,"unbounded":true`...)
	case a.Bound != 0:
		b = AppendNumber(append(b, `,"bound":`...), a.Bound)
	}
	if want.Unnormalised {
		b = append(b, `,"unnormalised":true`...)
	}
	return append(b, "},"...)
}

// appendBounds appends the lower bounds as ln P and marginals, and the upper ones.
func (r *Server) appendBounds(b []byte, a *Answer) []byte {
	b = FiniteNumber(append(b, `"logp":`...), a.LogP)
	b = append(FiniteNumber(append(b, `,"most_logp":`...), a.MostLogP), ',')
	if r.want.Marginals == nil {
		return b
	}
	b = r.appendMarginals(append(b, `"marginals":`...), a)
	return r.appendMarginals(append(b, `"most":`...), &Answer{Marginals: a.Most})
}

// appendDecided appends the names of the variables whose states all most probable completions have.
func (r *Server) appendDecided(b []byte, a *Answer) []byte {
	if a.Decided == nil {
		return b
	}
	b = append(b, `,"decided":[`...)
	for i, is := range a.Decided {
		if is {
			b = append(append(b, r.keys[i]...), ',')
		}
	}
	return append(bytes.TrimSuffix(b, []byte(",")), ']')
}

// appendNote appends the decision of the method, if any, and the key of the status.
func (a *Answer) appendNote(b []byte) []byte {
	if a.Note != "" {
		b = append(append(append(b, `"method":`...), JsonString(a.Note)...), ',')
	}
	return append(b, `"status":`...)
}

func (r *Server) appendMarginals(b []byte, a *Answer) []byte {
	return r.appendByState(b, r.want.Marginals, a.Marginals)
}

// appendByState appends the numbers of the wanted variables, by state.
func (r *Server) appendByState(b []byte, wanted []bool, numbers [][]float64) []byte {
	b = append(b, '{')
	for i, row := range numbers {
		if !wanted[i] {
			continue
		}
		b = append(append(b, r.keys[i]...), ":{"...)
		for k, p := range row {
			b = append(append(b, r.states[i][k]...), ':')
			b = append(FiniteNumber(b, p), ',')
		}
		b = closeObject(b)
	}
	return closeObject(b)
}

// The bounds beyond which chains are reported as unreliable: they have not mixed (Gelman and Rubin
// 1992 use 1.1 for R-hat), or have hardly moved.
const (
	mostRHat = 1.1
	leastESS = 100
)

// ChainWarning returns the reason why the estimates of chains are unreliable, or "".
func ChainWarning(rhat, ess float64) string {
	switch {
	case rhat > mostRHat:
		return fmt.Sprintf("the chains have not mixed: R-hat is %.4g, and %g at most is usual; marginals may be far off whatever their standard errors; try more --iterations, or --method %s", rhat, mostRHat, belief.Method.Name)
	case ess < leastESS:
		return fmt.Sprintf("the effective sample size is %.3g, and %d at least is usual; try more --iterations", ess, leastESS)
	}
	return ""
}

// closeObject removes a last comma, ends the object, and adds a comma.
func closeObject(b []byte) []byte {
	if b[len(b)-1] == ',' {
		b = b[:len(b)-1]
	}
	return append(b, "},"...)
}

// JsonString returns s as JSON, without escapes for < and >.
func JsonString(s string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(err) // a string always encodes
	}
	return bytes.TrimSpace(b.Bytes())
}

// AppendNumber appends the shortest text that reads back as x.
func AppendNumber(b []byte, x float64) []byte {
	return strconv.AppendFloat(b, x+0, 'g', -1, 64) // +0: no "-0"
}

// FiniteNumber appends x as JSON, with null for an infinite number.
func FiniteNumber(b []byte, x float64) []byte {
	if math.IsInf(x, 0) {
		return append(b, "null"...)
	}
	return AppendNumber(b, x)
}
