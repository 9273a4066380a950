package reply

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Certificate holds the proven bounds of an answer. Logarithms are natural; nil is no bound.
type Certificate struct {
	Rounding *Rounding   `json:"rounding,omitempty"` // of an exact answer
	LogP     *LogPBounds `json:"logp,omitempty"`
	MPE      *Best       `json:"mpe,omitempty"`
	MAP      *Best       `json:"map,omitempty"`
	KMPE     *Best       `json:"kmpe,omitempty"` // proven if no others are as probable as these

	Marginals *MarginalBounds `json:"marginals,omitempty"`

	// Unnormalised reports that logarithms are those of the product of the potentials, of a network
	// that is no Bayesian network.
	Unnormalised bool `json:"unnormalised,omitempty"`
}

// MarginalBounds are bounds of the marginals that were asked for, in the form of the answer's.
type MarginalBounds struct {
	Lower  json.RawMessage `json:"lower"`
	Upper  json.RawMessage `json:"upper"`
	Widest float64         `json:"widest"` // the largest distance between two bounds; 0 if all marginals are exact
	fixed  bool            // by mini-buckets alone
}

// LogPBounds are bounds of the log-probability of the evidence.
type LogPBounds struct {
	Lower  *float64 `json:"lower"`
	Upper  *float64 `json:"upper"`
	Exact  bool     `json:"exact"`
	Nodes  int      `json:"nodes"`
	Likely *Likely  `json:"confidence,omitempty"` // nil without samples
	fixed  bool     // by mini-buckets alone
}

// Likely is a confidence interval by samples.
type Likely struct {
	Lower   *float64 `json:"lower"`
	Upper   *float64 `json:"upper"`
	Level   float64  `json:"level"`
	Samples int      `json:"samples"`
}

// Best holds the proof about chosen states.
type Best struct {
	Bound  *float64 `json:"bound"` // no states have a larger log-probability
	Proven bool     `json:"proven"`
	Nodes  int      `json:"nodes"`
	// Guessed reports that a local search found the states in place of the search for best ones,
	// which found none in its time. Their log-probability is then a lower bound.
	Guessed bool `json:"guessed,omitempty"`
}

// BoundedReply is an answer with its certificate.
type BoundedReply struct {
	*Reply
	Certificate Certificate
	fixed       bool // by mini-buckets of a package, without a search
}

// Bounded answers what w wants by bounds, which hold where no exact method fits. Questions share
// the time that ctx leaves.
func Bounded(ctx context.Context, e *infer.Engine, vars []rows.Variable, w *rows.Wanted, known *infer.Findings) (*BoundedReply, error) {
	out := &BoundedReply{Reply: New(&rows.Answer{MpeReal: make([]float64, len(vars))}, vars, w, false)}
	out.Certificate.Unnormalised = e.Model().Kind != model.Bayes
	var ask []func(context.Context) error
	if w.LogP || w.Marginals != nil {
		ask = append(ask, func(ctx context.Context) error { return out.interval(ctx, e, known) })
	}
	if w.MPE {
		ask = append(ask, func(ctx context.Context) (err error) {
			out.Mpe, out.MpeLogP, out.Certificate.MPE, err = search(ctx, e, known, nil)
			out.open = out.open || err == nil && !out.Certificate.MPE.Proven
			return err
		})
	}
	if w.MAP != nil {
		var names []string
		for _, i := range w.MAP {
			names = append(names, vars[i].Name)
		}
		ask = append(ask, func(ctx context.Context) (err error) {
			out.States, out.StatesLogP, out.Certificate.MAP, err = search(ctx, e, known, names)
			out.open = out.open || err == nil && !out.Certificate.MAP.Proven
			return err
		})
	}
	if w.KMPE > 0 {
		ask = append(ask, func(ctx context.Context) error { return out.completions(ctx, e, known, w.KMPE) })
	}
	for i, f := range ask {
		share, cancel := shareOf(ctx, len(ask)-i)
		err := f(share)
		cancel()
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// shareOf returns a context for the first of n questions.
func shareOf(ctx context.Context, n int) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Until(end)/time.Duration(n))
}

func (r *BoundedReply) interval(ctx context.Context, e *infer.Engine, known *infer.Findings) error {
	bounds := e.Interval
	if r.want.Marginals != nil {
		bounds = e.Intervals
	}
	p, err := bounds(ctx, known)
	if err != nil {
		return err
	}
	return r.take(p)
}

// BoundedBy returns the reply of a package of method bound, with estimates within the intervals.
func BoundedBy(x *rows.Answer, m *model.Model, vars []rows.Variable, w *rows.Wanted) (*BoundedReply, error) {
	out := &BoundedReply{Reply: New(&rows.Answer{MpeReal: make([]float64, len(vars))}, vars, &rows.Wanted{LogP: w.LogP, Marginals: w.Marginals}, false)}
	out.fixed, out.Certificate.Unnormalised = true, m.Kind != model.Bayes
	p := &infer.Interval{LogProb: (x.LogP + x.MostLogP) / 2, Lower: x.LogP, Upper: x.MostLogP, Least: x.Marginals, Most: x.Most}
	if math.IsInf(x.LogP, -1) {
		p.LogProb = x.MostLogP
	}
	err := out.take(p)
	for v, least := range x.Marginals {
		out.Marginals = append(out.Marginals, infer.Within(least, x.Most[v]))
	}
	return out, err
}

// take sets the answer and the certificate of an interval.
func (r *BoundedReply) take(p *infer.Interval) (err error) {
	r.LogP, r.Marginals = p.LogProb, rows.Numbers(p.Marginals)
	c := &LogPBounds{Lower: table.FiniteOnly(p.Lower), Upper: table.FiniteOnly(p.Upper), Exact: p.Exact, Nodes: p.Nodes, fixed: r.fixed}
	if p.Samples > 0 {
		c.Likely = &Likely{table.FiniteOnly(p.Likely[0]), table.FiniteOnly(p.Likely[1]), p.Level, p.Samples}
	}
	r.Certificate.LogP = c
	if r.want.Marginals == nil {
		return nil
	}
	of := &MarginalBounds{fixed: r.fixed}
	for v, least := range p.Least {
		for k, x := range least {
			if r.want.Marginals[v] {
				of.Widest = max(of.Widest, p.Most[v][k]-x)
			}
		}
	}
	if of.Widest > 0 {
		r.least, r.most = p.Least, p.Most
	}
	if of.Lower, err = r.form(p.Least); err == nil {
		of.Upper, err = r.form(p.Most)
	}
	r.Certificate.Marginals = of
	return err
}

// form returns numbers, one for each state of each variable, in the form of the answer's marginals.
func (r *Reply) form(numbers [][]float64) (json.RawMessage, error) {
	var out struct{ Marginals json.RawMessage }
	answer := New(&rows.Answer{Marginals: numbers}, r.vars, &rows.Wanted{Marginals: r.want.Marginals}, false)
	err := json.Unmarshal(answer.JSON(), &out)
	return out.Marginals, err
}

func search(ctx context.Context, e *infer.Engine, known *infer.Findings, names []string) ([]int, float64, *Best, error) {
	c, err := e.Search(ctx, known, names...)
	if nothing := (*infer.NothingFoundError)(nil); errors.As(err, &nothing) && nothing.Guess != nil {
		return rows.Indices(nothing.Guess), nothing.Guess.LogProb, &Best{Bound: table.FiniteOnly(nothing.Bound), Guessed: true}, nil
	}
	if err != nil {
		return nil, 0, nil, err
	}
	return rows.Indices(c), c.LogProb, &Best{Bound: table.FiniteOnly(c.Report.Bound), Proven: c.Report.Gap == 0, Nodes: c.Report.Iterations}, nil
}

// completions answers --kmpe.
func (r *BoundedReply) completions(ctx context.Context, e *infer.Engine, known *infer.Findings, k int) error {
	list, err := e.SearchBest(ctx, known, k)
	if err != nil {
		return err
	}
	for i := range list {
		r.KMPE, r.KMPELogP = append(r.KMPE, rows.Indices(&list[i])), append(r.KMPELogP, list[i].LogProb)
	}
	report := list[0].Report
	r.Certificate.KMPE = &Best{Bound: table.FiniteOnly(report.Bound), Proven: report.Converged, Nodes: report.Iterations}
	r.open = r.open || !report.Converged
	return nil
}

// JSON returns the answer as a line of JSON, an object like that of an exact answer with one more
// member: the certificate.
func (r *BoundedReply) JSON() ([]byte, error) {
	text, err := json.Marshal(&r.Certificate)
	answer := bytes.TrimSuffix(bytes.TrimSpace(r.Reply.JSON()), []byte("}"))
	return fmt.Appendf(answer, ",\"certificate\":%s}\n", text), err
}

// Print writes the certificate, and then the answer, as text.
func (r *BoundedReply) Print(w io.Writer) error {
	text := ""
	if c := r.Certificate.Rounding; c != nil {
		text += c.text()
	}
	if c := r.Certificate.LogP; c != nil {
		text += c.text()
	}
	if c := r.Certificate.Marginals; c != nil {
		text += c.text()
	}
	for _, x := range []struct {
		what string
		*Best
	}{{"completion", r.Certificate.MPE}, {"joint state of the variables of --map", r.Certificate.MAP}, {"other completion", r.Certificate.KMPE}} {
		if x.Best != nil {
			text += x.text(x.what)
		}
	}
	if r.Certificate.Unnormalised && !r.want.Pseudo {
		text += "log-probabilities are logarithms of the product of the potentials, which is not divided by the partition function\n"
	}
	if _, err := io.WriteString(w, text+"\n"); err != nil {
		return err
	}
	return r.Reply.Print(w)
}

// text describes the proof about the log-probability, with its reason.
func (c *LogPBounds) text() string {
	by := "by weighted mini-buckets"
	if !c.fixed {
		by += fmt.Sprintf(" and a search over %d partial %s", c.Nodes, table.Plural("assignment", c.Nodes))
	}
	if c.Exact {
		return "the log-probability is exact, " + by + "\n"
	}
	text := fmt.Sprintf("the log-probability is proven to be %s, %s\n", between(c.Lower, c.Upper), by)
	if l := c.Likely; l != nil {
		text += fmt.Sprintf("with confidence %g it is %s, by bets on the weights of %d samples\n", l.Level, between(l.Lower, l.Upper), l.Samples)
	}
	return text
}

// text describes the proof about the marginals, with its reason.
func (c *MarginalBounds) text() string {
	if c.Widest == 0 {
		return "the marginals are exact: no bucket was split, or their variables are observed\n"
	}
	if c.fixed {
		return fmt.Sprintf("the marginals are estimates, each within proven bounds, which are at most %.2g apart: by weighted mini-buckets\n"+
			"with each state of a variable\n", c.Widest)
	}
	return fmt.Sprintf("the marginals are estimates, each proven to be within bounds, which are at most %.2g apart: by bound propagation\n"+
		"between the borders of regions, and by weighted mini-buckets with each state of a variable\n", c.Widest)
}

// between describes an interval; nil is no bound.
func between(lower, upper *float64) string {
	if lower == nil {
		return "at most " + table.Optional("%.10g", upper)
	}
	return fmt.Sprintf("at least %.10g and at most %s", *lower, table.Optional("%.10g", upper))
}

// text describes the proof about chosen states, with its reason.
func (b *Best) text(what string) string {
	by := fmt.Sprintf("by branch and bound over %d partial %s", b.Nodes, table.Plural("assignment", b.Nodes))
	if b.Guessed {
		return fmt.Sprintf("the search found no states in its time; these are of a local search, and their log-probability is a lower bound;\n"+
			"no %s has one above %s\n", what, table.Optional("%.10g", b.Bound))
	}
	if b.Proven {
		return fmt.Sprintf("no %s is more probable, %s\n", what, by)
	}
	return fmt.Sprintf("no %s has a log-probability above %s, %s\n", what, table.Optional("%.10g", b.Bound), by)
}
