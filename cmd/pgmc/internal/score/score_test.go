package score_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/clitest"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/score"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/slicing"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// dry is clitest.Rain with P(rain) = 0.5.
var dry = strings.Replace(clitest.Rain, "0.25, 0.75", "0.5, 0.5", 1)

// scored holds the numbers of reports.
type scored struct {
	Rows         int
	LL, PLL, CLL any
	Against      struct{ LL, Difference, P any }
}

// run scores rows and returns the report.
func run(t *testing.T, model, rows string, f score.Options) (scored, string, error) {
	t.Helper()
	f.ModelFlags = clitest.ModelFlags()
	a, out, problems := clitest.App()
	a.JSON = true
	err := score.Run(t.Context(), a, clitest.File(t, "model.bif", model), clitest.File(t, "rows.csv", rows), &f)
	var r scored
	if err == nil {
		if err := json.Unmarshal(out.Bytes(), &r); err != nil {
			t.Fatalf("%v in %s", err, out)
		}
	}
	return r, problems.String(), err
}

func near(x any, want float64) bool {
	y, ok := x.(float64)
	return ok && math.Abs(y-want) < 1e-12
}

// TestRun compares scores with those by hand. The rows have the probabilities 1/4, 3/8 and, with a
// missing cell, 3/8.
func TestRun(t *testing.T) {
	const rows = "rain,wet\nyes,yes\nno,no\n,no\n"
	mean := math.Log(0.25*0.375*0.375) / 3
	r, _, err := run(t, clitest.Rain, rows, score.Options{})
	if err != nil || r.Rows != 3 || !near(r.LL, mean) || r.PLL != nil {
		t.Errorf("found %+v, error %v; want %v", r, err, mean)
	}
	// P(rain | wet) = 0.4, P(wet | rain) = 1, P(no rain | no wet) = 1, P(no wet | no rain) = 0.5.
	pll := math.Log(0.4*0.5) / 2
	if r, _, err = run(t, clitest.Rain, "rain,wet\nyes,yes\nno,no\n", score.Options{PLL: true}); err != nil || !near(r.PLL, pll) || r.LL != nil {
		t.Errorf("found %+v, error %v; want %v", r, err, pll)
	}
	r, problems, err := run(t, clitest.Rain, "rain,wet\nyes,yes\nyes,no\n", score.Options{})
	if err != nil || r.LL != "-inf" || !strings.Contains(problems, "rows.csv:3:1: warning: this row has probability 0; it is the first of 1") {
		t.Errorf("found %+v, error %v, warning %q", r, err, problems)
	}
}

// TestAgainst compares two models: their rows differ by ln 0.5 and by ln 1.5.
func TestAgainst(t *testing.T) {
	f := score.Options{Against: clitest.File(t, "dry.bif", dry)}
	r, _, err := run(t, clitest.Rain, "rain,wet\nyes,yes\nno,no\n", f)
	if err != nil || !near(r.Against.LL, math.Log(0.5*0.25)/2) || !near(r.Against.Difference, math.Log(0.5*1.5)/2) || r.Against.P == nil {
		t.Errorf("found %+v, error %v", r, err)
	}
	if r, _, err = run(t, clitest.Rain, "rain,wet\nyes,yes\n", f); err != nil || r.Against.P != nil {
		t.Errorf("found a test of one row: %+v, error %v", r, err)
	}
}

// TestConditional compares the log-likelihood of rain given the rest of a row: 0.4 and 1.
func TestConditional(t *testing.T) {
	r, _, err := run(t, clitest.Rain, "rain,wet\nyes,yes\nno,no\n", score.Options{CLL: "rain"})
	if err != nil || !near(r.CLL, math.Log(0.4)/2) {
		t.Errorf("found %+v, error %v", r, err)
	}
}

// TestRefused compares errors.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		rows string
		opt  score.Options
		err  string
	}{
		{"rain,wet\n", score.Options{}, "rows.csv: there are no rows; want some below the names of the columns"},
		{"rain\nmaybe\n", score.Options{}, `rows.csv:2:1: column "rain" has no state "maybe"; want "yes", "no", or unseen missing`},
		{"rain\nyes\n", score.Options{PLL: true, CLL: "rain"}, "--pll is the pseudo-log-likelihood alone; want it, or --cll and --cmll"},
		{"rain\nyes\n", score.Options{CLL: "rain", Against: "x"}, "--against compares log-likelihoods of rows; want it, or --cll and --cmll"},
		{"rain\nyes\n", score.Options{CLL: "snow"}, `unknown variable "snow"`},
		{"rain\nyes\n", score.Options{Slices: slicing.Flags{Column: "rain"}}, "the model has no transition from slice to slice; leave out --sequence-column"},
	} {
		_, _, err := run(t, clitest.Rain, c.rows, c.opt)
		if err == nil || !strings.Contains(err.Error(), c.err) {
			t.Errorf("error %v; want %s", err, c.err)
		}
	}
}

// TestTexts checks how numbers are shown.
func TestTexts(t *testing.T) {
	for _, c := range []struct {
		x    any
		want string
	}{{1.0 / 3, "0.3333333333"}, {"-inf", "-inf"}, {-2.0, "-2"}} {
		if got := score.Digits(c.x); got != c.want {
			t.Errorf("%v is shown as %s; want %s", c.x, got, c.want)
		}
	}
	if value, stderr := score.MeanOrText(&rate.Tally{Impossible: 1}); value != "-inf" || stderr != "inf" {
		t.Errorf("found %v, %v of an impossible row", value, stderr)
	}
}
