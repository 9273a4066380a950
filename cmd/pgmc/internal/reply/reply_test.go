package reply_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/clitest"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/reply"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir"
)

// vars are those of clitest.Rain, and a real one.
var vars = []rows.Variable{{Name: "rain", States: []string{"yes", "no"}}, {Name: "wet", States: []string{"yes", "no"}}, {Name: "x", Real: true}}

// TestPrint compares texts of answers.
func TestPrint(t *testing.T) {
	marginals := []bool{true, false, true}
	for _, c := range []struct {
		name string
		want rows.Wanted
		a    rows.Answer
		text string
	}{
		{"exact", rows.Wanted{LogP: true, Marginals: marginals}, rows.Answer{LogP: -0.5, Marginals: [][]float64{{0.25, 0.75}, {1, 0}, {-1.5, 2}}},
			"log-probability of the evidence: -0.5\n\nrain  yes    0.250000\n      no     0.750000\nx     mean  -1.500000\n      var    2.000000\n"},
		{"joint", rows.Wanted{Joint: []rows.Joint{{Vars: []int{1, 0}}}}, rows.Answer{Joint: [][]float64{{0.25, 0.375, 0, 0.375}}},
			"wet  rain         P\nyes  yes   0.250000\nyes  no    0.375000\nno   yes   0.000000\nno   no    0.375000\n"},
		{"real joint", rows.Wanted{Joint: []rows.Joint{{Vars: []int{0, 2}}}}, rows.Answer{Joint: [][]float64{{0.25, 1, 4, 0.75, 2, 8}}},
			"rain         P         mean     cov x\nyes   0.250000  x  1.000000  4.000000\nno    0.750000  x  2.000000  8.000000\n"},
		{"mixture", rows.Wanted{Mixture: []rows.Joint{{Vars: []int{2}}}}, rows.Answer{Mixture: [][]float64{{0.25, 1, 4}}},
			"mixture of x:\n       P      mean       var\n0.250000  1.000000  4.000000\n"},
		{"best", rows.Wanted{MAP: []int{1}, KMPE: 2}, rows.Answer{States: []int{0}, StatesLogP: -0.5, KMPE: [][]int{{0, 1}, {1, 1}}, KMPELogP: []float64{-1, -2}},
			"most probable states, of log-probability -0.5:\nwet  yes\n\nmost probable completions, best first:\nlog-probability  -1   -2\nrain             yes  no\nwet              no   no\n"},
		{"beliefs", rows.Wanted{Loop: "BP", Kind: ir.Beliefs}, rows.Answer{Report: infer.Report{Status: "converged", Iterations: 1, Residual: 0.25, Bound: 2, Improper: 2}},
			"converged after 1 round, residual 0.25\n2 messages were no proper distribution and left out: answers may be far off; try more damping, or larger clusters if the method has them\ndivergence from the exact posterior at most 2 nats\n"},
		{"chains", rows.Wanted{Loop: "Gibbs", Kind: ir.Estimates}, rows.Answer{Report: infer.Report{Status: "converged", Iterations: 20, Residual: 0.01, RHat: math.Inf(1), ESS: 50, Refused: 0.5}},
			"converged after 20 sweeps: standard errors up to 0.01, R-hat up to infinite, since chains stand still apart, effective sample size 50 at least; acceptance rates of Metropolis steps from 0.5\n"},
		{"weights", rows.Wanted{Loop: "AIS", Kind: ir.Weighted}, rows.Answer{Report: infer.Report{Status: "not converged", Residual: 0.1, LogError: math.Inf(1), ESS: 7}},
			"standard errors up to 0.1, of ln P unknown, effective sample size 7: too few to rely on; take more samples, or another method\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			known := vars
			if c.name == "best" {
				known = vars[:2]
			}
			var b bytes.Buffer
			if err := reply.New(&c.a, known, &c.want, false).Print(&b); err != nil || b.String() != c.text {
				t.Errorf("error %v, found\n%swant\n%s", err, &b, c.text)
			}
		})
	}
}

// TestCompletion checks the heading of a completion, which says what is proven of it.
func TestCompletion(t *testing.T) {
	for _, c := range []struct {
		kind   ir.QueryKind
		report infer.Report
		unnorm bool
		text   string
	}{
		{ir.MPE, infer.Report{}, false, "most probable completion, of log-probability -1:\nrain  no\nwet   yes\n"},
		{ir.Decoding, infer.Report{Status: "converged", Iterations: 2, Bound: -1}, false,
			"converged after 2 rounds, residual 0\nproven: no completion is more probable\n\nmost probable completion, of log-probability -1:\nall most probable completions have the states that are decided\nrain  no\nwet   yes  decided\n"},
		{ir.Decoding, infer.Report{Status: "converged", Iterations: 2, Bound: -0.5, Gap: 0.5}, true,
			"converged after 2 rounds, residual 0\nno completion has a logarithm above -0.5, a gap of 0.5\n\nprobable completion; the product of its potentials, without the partition function, has the logarithm -1:\nall most probable completions have the states that are decided\nrain  no\nwet   yes  decided\n"},
		{ir.Climb, infer.Report{Status: "converged", Iterations: 1}, false,
			"1 step, to states that no single change makes better; better ones may exist\n\nbest completion found, of log-probability -1:\nrain  no\nwet   yes\n"},
	} {
		a := &rows.Answer{Mpe: []int{1, 0}, MpeReal: make([]float64, 2), MpeLogP: -1, Report: c.report}
		w := &rows.Wanted{MPE: true, Kind: c.kind, Unnormalised: c.unnorm}
		if c.kind != ir.MPE {
			w.Loop = "Method"
		}
		if c.kind == ir.Decoding {
			a.Decided = []bool{false, true}
		}
		var b bytes.Buffer
		if err := reply.New(a, vars[:2], w, false).Print(&b); err != nil || b.String() != c.text {
			t.Errorf("error %v, found\n%swant\n%s", err, &b, c.text)
		}
	}
}

// TestForms checks that HTML escapes names, that a chart is a JSON object with all states, and that
// chains warn.
func TestForms(t *testing.T) {
	a := &rows.Answer{Marginals: [][]float64{{0.25, 0.75}}, Report: infer.Report{RHat: 1.2, ESS: 1000}}
	r := reply.New(a, []rows.Variable{{Name: "<b>", States: []string{"&", "c"}}}, &rows.Wanted{Marginals: []bool{true}}, false)
	html := string(r.HTML())
	for _, want := range []string{"&lt;b&gt;", "&amp;", "0.250000", "width:25.00%"} {
		if !strings.Contains(html, want) {
			t.Errorf("HTML without %s:\n%s", want, html)
		}
	}
	text, err := r.Vega()
	if err != nil {
		t.Fatal(err)
	}
	var chart struct {
		Data struct {
			Values []struct {
				Variable, State string
				Probability     float64
			}
		}
	}
	if err = json.Unmarshal(text, &chart); err != nil || len(chart.Data.Values) != 2 || chart.Data.Values[1].State != "c" || chart.Data.Values[1].Probability != 0.75 {
		t.Errorf("chart %s, error %v", text, err)
	}
	if got := r.Warning(); got != "" {
		t.Errorf("warning %q of an exact answer", got)
	}
	r = reply.New(a, nil, &rows.Wanted{Kind: ir.Estimates, Loop: "Gibbs"}, false)
	if got := r.Warning(); !strings.HasPrefix(got, "the chains have not mixed: R-hat is 1.2") {
		t.Errorf("warning %q of chains that have not mixed", got)
	}
}

// TestBounds checks answers with bounds of a network that is small enough for exact ones: bounds
// meet, and states are proven best.
func TestBounds(t *testing.T) {
	m := clitest.Model(t, clitest.Rain)
	e, err := infer.New(t.Context(), m, infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	known, err := infer.Resolve(m, infer.Evidence{"wet": "no"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := reply.Bounded(ctx, e, vars[:2], &rows.Wanted{LogP: true, Marginals: []bool{true, false}, MPE: true, MAP: []int{0}, KMPE: 1}, known)
	if err != nil {
		t.Fatal(err)
	}
	c := &r.Certificate
	if !c.LogP.Exact || math.Abs(*c.LogP.Lower-math.Log(0.375)) > 1e-9 || c.Marginals.Widest > 0 || !c.MPE.Proven || !c.MAP.Proven || c.Unnormalised {
		t.Errorf("certificate %+v, %+v, %+v", c, c.LogP, c.MPE)
	}
	text, err := r.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var line struct {
		LogP        float64
		MPE         map[string]string
		Certificate struct{ MPE struct{ Proven bool } }
	}
	if err = json.Unmarshal(text, &line); err != nil || line.MPE["rain"] != "no" || !line.Certificate.MPE.Proven {
		t.Errorf("JSON %s, error %v", text, err)
	}
	var b bytes.Buffer
	if err := r.Print(&b); err != nil || !strings.Contains(b.String(), "the log-probability is exact, by weighted mini-buckets") || !strings.Contains(b.String(), "no completion is more probable, by branch and bound over ") {
		t.Errorf("error %v, text %s", err, &b)
	}
}

// TestCertified checks that rounding errors of an exact answer are bounded, and tiny.
func TestCertified(t *testing.T) {
	m := clitest.Model(t, clitest.Rain)
	e, err := infer.New(t.Context(), m, infer.Options{Method: compiler.Named("jointree")})
	if err != nil {
		t.Fatal(err)
	}
	w := &rows.Wanted{LogP: true, Marginals: []bool{true, false}}
	x := &rows.Answer{LogP: math.Log(0.625), Marginals: [][]float64{{0.4, 0.6}, {1, 0}}}
	known, err := infer.Resolve(m, infer.Evidence{"wet": "yes"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := reply.Certified(t.Context(), e, vars[:2], w, known, x)
	if err != nil || *r.Certificate.Rounding.Largest > 1e-14 || *r.Certificate.Rounding.LogP > 1e-14 {
		t.Errorf("certificate %+v, error %v", r, err)
	}
	x.Marginals[0][0] = 0.5 // 0.1 off
	if r, err = reply.Certified(t.Context(), e, vars[:2], w, known, x); err != nil || math.Abs(*r.Certificate.Rounding.Largest-0.1) > 1e-9 {
		t.Errorf("certificate %+v of a wrong answer, error %v", r, err)
	}
}

// TestTaskReport checks that logarithms of tasks are to base 10.
func TestTaskReport(t *testing.T) {
	by := &ir.Approximation{Kind: ir.Decoding}
	r := reply.TaskReport(&infer.Report{Status: "converged", Iterations: 3, Bound: math.Ln10, Gap: 2 * math.Ln10}, by)
	if *r.Upper != 1 || *r.Gap != 2 || r.Text() != "converged after 3 rounds, residual 0\nno completion has a log10 above 1, a gap of 2\n" {
		t.Errorf("report %+v: %s", r, r.Text())
	}
	if got := r.Weakness(); got != "has not proven its states to be best: " {
		t.Errorf("weakness %q", got)
	}
	if reply.TaskReport(nil, by) != nil {
		t.Error("a report of an exact answer")
	}
}
