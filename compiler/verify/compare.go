package verify

import (
	"fmt"
	"math"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// check is a comparison under way.
type check struct {
	Report
	m         *model.Model
	want      Wanted
	tolerance float64
	what      string // the first difference that is too large in the set being compared
}

// compareNumbers notes the differences of an answer, and describes the first that is above the
// tolerance; "" if there is none.
func (c *check) compareNumbers(f *infer.Findings, right, got *Answer) string {
	if right.Err != nil || got.Err != nil {
		if right.Err == nil || got.Err == nil {
			return fmt.Sprintf("the error is %q; want %q", errorText(got.Err), errorText(right.Err))
		}
		return ""
	}
	c.what = ""
	if c.want.bounds() {
		c.ends(right, got)
		return c.what
	}
	if c.want.LogProb {
		c.logarithm(ir.LogProb, "the log-probability", got.LogProb, right.LogProb)
	}
	if c.want.Marginals {
		for i, v := range c.m.Observable() {
			c.marginal(v, got.Marginals[i], right.Marginals[i])
		}
	}
	if c.want.MaxMarginals {
		c.maxMarginals(got, right)
	}
	for i, vars := range c.want.Joint {
		c.joint(vars, got.Joint[i], right.Joint[i])
	}
	for i, v := range c.want.Mixture {
		c.mixture(v, got.Mixture[i], right.Mixture[i])
	}
	if c.want.MPE && !determined(c.m, f) {
		return c.completions(f, right, got)
	}
	return c.what
}

// ends compares the ends of intervals.
func (c *check) ends(right, got *Answer) {
	for _, x := range [...]struct {
		name      string
		got, want float64
	}{{"the lower bound of ln P", got.LogProb, right.LogProb}, {"the upper bound of ln P", got.UpperLogProb, right.UpperLogProb}} {
		if !(math.IsInf(x.want, 0) && x.got == x.want) {
			c.logarithm(ir.LogProb, x.name, x.got, x.want)
		}
	}
	for i, v := range c.m.Observable() {
		for k := range right.Marginals[i] {
			name := fmt.Sprintf("the bound of P(%s=%s)", infer.QuoteName(c.m.Vars[v].Name), infer.QuoteName(c.m.States(v)[k]))
			c.number(ir.Marginals, "lower: "+name, got.Marginals[i][k], right.Marginals[i][k], 1)
			c.number(ir.Marginals, "upper: "+name, got.Upper[i][k], right.Upper[i][k], 1)
		}
	}
}

// enclosed describes the first exact answer that is not between the bounds of got, and returns ""
// if there is none.
func (c *check) enclosed(truth, got *Answer) string {
	switch {
	case truth.Err != nil:
		return "" // of impossible evidence anything holds
	case got.Err != nil:
		return fmt.Sprintf("the error is %q; want bounds of ln P %v", got.Err, truth.LogProb)
	}
	slack := c.tolerance * max(1, math.Abs(truth.LogProb))
	if !(got.LogProb <= truth.LogProb+slack && got.UpperLogProb >= truth.LogProb-slack) {
		return fmt.Sprintf("ln P is %v, which is not between the bounds %v and %v", truth.LogProb, got.LogProb, got.UpperLogProb)
	}
	for i, v := range c.m.Observable() {
		for k, p := range truth.Marginals[i] {
			if low, hi := got.Marginals[i][k], got.Upper[i][k]; !(low <= p+c.tolerance && hi >= p-c.tolerance) {
				return fmt.Sprintf("P(%s=%s) is %v, which is not between the bounds %v and %v", infer.QuoteName(c.m.Vars[v].Name),
					infer.QuoteName(c.m.States(v)[k]), p, low, hi)
			}
		}
	}
	return ""
}

// errorText is the text of an error; "" for none.
func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// number notes the difference of two numbers in units of scale.
func (c *check) number(kind ir.QueryKind, name string, got, want, scale float64) {
	d := math.Abs(got-want) / scale
	if math.IsNaN(d) {
		d = math.MaxFloat64
	}
	if c.want.Follow != nil {
		kind = ir.Follow
	}
	c.Differences[kind.String()] = max(c.Differences[kind.String()], d)
	if d > c.tolerance && c.what == "" {
		c.what = fmt.Sprintf("%s is %v; want %v", name, got, want)
	}
}

// logarithm notes the difference of two logarithms: relative for those beyond 1.
func (c *check) logarithm(kind ir.QueryKind, name string, got, want float64) {
	c.number(kind, name, got, want, max(1, math.Abs(want)))
}

// marginal compares the posteriors of v.
func (c *check) marginal(v model.VarID, got, want []float64) {
	name := infer.QuoteName(c.m.Vars[v].Name)
	if c.m.IsReal(v) {
		for k, part := range []string{"mean", "var"} {
			c.logarithm(ir.Marginals, "the "+part+" of "+name, got[k], want[k])
		}
		return
	}
	for k, s := range c.m.States(v) {
		c.number(ir.Marginals, "P("+name+"="+infer.QuoteName(s)+")", got[k], want[k], 1)
	}
}

// maxMarginals compares the max-marginals of all variables.
func (c *check) maxMarginals(got, want *Answer) {
	for i, v := range c.m.Observable() {
		for k, s := range c.m.States(v) {
			if x := want.MaxMarginals[i][k]; x != got.MaxMarginals[i][k] { // -Inf differs from itself
				name := "the max-marginal of " + infer.QuoteName(c.m.Vars[v].Name) + "=" + infer.QuoteName(s)
				c.logarithm(ir.MaxMarginals, name, got.MaxMarginals[i][k], x)
			} else {
				c.number(ir.MaxMarginals, "", 0, 0, 1)
			}
		}
	}
}

// joint compares two joint posteriors of vars.
func (c *check) joint(vars []model.VarID, got, want []float64) {
	if discrete, real := c.m.SplitReal(vars); real != nil {
		for at, x := range want {
			c.logarithm(ir.Joint, fmt.Sprintf("number %d of joint(%s)", at, c.list(append(discrete, real...))), got[at], x)
		}
		return
	}
	names := make([]string, len(vars))
	for at := range want {
		rest := at
		for i := len(vars) - 1; i >= 0; i-- {
			states := c.m.States(vars[i])
			names[i] = infer.QuoteName(c.m.Vars[vars[i]].Name) + "=" + infer.QuoteName(states[rest%len(states)])
			rest /= len(states)
		}
		c.number(ir.Joint, "P("+strings.Join(names, ", ")+")", got[at], want[at], 1)
	}
}

// list returns the names of variables, separated by commas.
func (c *check) list(vars []model.VarID) string {
	var names []string
	for _, v := range vars {
		names = append(names, infer.QuoteName(c.m.Vars[v].Name))
	}
	return strings.Join(names, ", ")
}

// completions compares two most probable completions by their log-probabilities, since several
// completions may be equally probable.
func (c *check) completions(f *infer.Findings, right, got *Answer) string {
	none := math.IsInf(right.MPELogProb, -1)
	if none != math.IsInf(got.MPELogProb, -1) {
		return "one of them knows the log-probability of its completion, and the other does not"
	}
	if none {
		return c.what
	}
	c.logarithm(ir.MPE, "the log-probability of the best completion", got.MPELogProb, right.MPELogProb)
	if own, ok := logProbOf(c.m, f, got); ok {
		c.logarithm(ir.MPE, "the log-probability of the completion that was given", own, right.MPELogProb)
	}
	return c.what
}

// logProbOf returns the log-probability, or the logarithm of the density, of a completion together
// with the evidence, by the factors of a Bayesian network without latent variables; ok is false for
// other models.
func logProbOf(m *model.Model, f *infer.Findings, a *Answer) (logProb float64, ok bool) {
	if m.Kind != model.Bayes || len(a.MPE) != len(m.Vars) {
		return 0, false
	}
	for v, s := range a.MPE {
		id := model.VarID(v)
		if m.IsReal(id) {
			if x := f.Value[v]; !math.IsNaN(x) && !(math.Abs(a.MPEReal[v]-x) <= functionDigits*max(1, math.Abs(x))) {
				return math.Inf(-1), true
			}
			continue
		}
		if s < 0 || s >= m.Card(id) || f.State[v] != infer.Missing && f.State[v] != s {
			return math.Inf(-1), true
		}
	}
	return logDensity(m, f, a.MPE, a.MPEReal), true
}
