package decide_test

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/testdata/models"
)

// fuzzTime is the most time that one answer may take: tables have at most fuzzTable entries.
const (
	fuzzTime  = 10 * time.Second
	fuzzTable = 1 << 10
)

// FuzzSolve reads diagrams of all formats and answers all that package decide can, with small
// tables. No text makes it panic or take long, and no answer that has no error is NaN or infinite.
func FuzzSolve(f *testing.F) {
	for _, x := range formattest.Diagrams {
		f.Add(x.Ext, x.Text)
	}
	_, oil, _ := models.Find("oil")
	f.Add("pgmc.json", string(oil))
	f.Fuzz(func(t *testing.T, ext, text string) {
		read, err := format.Find(compiler.Formats, "fuzz."+ext, "")
		if err != nil {
			return
		}
		m, list := format.ReadSource(read, &format.Source{Name: "fuzz." + ext, Data: []byte(text)}, format.ReadOptions{MaxEntries: 1 << 12})
		if list.HasErrors() || decide.Check(m) != nil {
			return
		}
		start := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), fuzzTime/4)
		defer cancel()
		for _, o := range []decide.Options{{}, {Limited: true, Restarts: 1}, {Limited: true, Best: true}, {RiskTolerance: 5}} {
			o.MaxTable = fuzzTable
			answerAll(ctx, t, m, o)
		}
		if time.Since(start) > fuzzTime {
			t.Errorf("the answers took %v; want at most %v", time.Since(start), fuzzTime)
		}
	})
}

// answerAll solves a diagram and asks for all that a solution has.
func answerAll(ctx context.Context, t *testing.T, m *model.Model, o decide.Options) {
	none := make([][]float64, len(m.Vars))
	if list, err := decide.Frontier(ctx, m, none, 0, 10, o); err == nil {
		for _, x := range list {
			finite(t, "frontier", x.From, x.To, x.Cost, x.Effect)
		}
	}
	for _, d := range m.Diagram.Decisions {
		_, _ = decide.NewNetwork(ctx, m, d.Var, decide.Nothing, o.MaxTable)
	}
	x, err := decide.Solve(ctx, m, none, o)
	if err != nil {
		return
	}
	finite(t, "utility", x.Utility)
	if moments, err := x.Moments(ctx); err == nil {
		finite(t, "moments", moments.Mean, moments.Variance)
	}
	if masses, err := x.Distribution(ctx); err == nil {
		sum := 0.0
		for _, p := range masses {
			finite(t, "distribution", p.Utility, p.Probability)
			sum += p.Probability
		}
		if masses != nil && math.Abs(sum-1) > 1e-6 {
			t.Errorf("the distribution sums to %v", sum)
		}
	}
	_, _ = x.Tree(ctx)
	for i := range x.Policies {
		if c, err := x.Cases(ctx, i); err == nil {
			for _, e := range c.List {
				finite(t, "case", append(e.Utilities, e.Probability)...)
			}
		}
		_, _ = x.Table(ctx, i, true)
	}
	vars, err := decide.Unaffected(m, none, decide.First)
	if err != nil {
		return
	}
	if value, err := decide.Value(ctx, m, none, vars, decide.First, o); err == nil {
		finite(t, "value of information", value)
	}
	if m.Diagram.Asymmetry == nil {
		if y, err := decide.Impose(ctx, m, none, x.Policies, o); err != nil || math.Abs(y.Utility-x.Utility) > 1e-9*max(1, math.Abs(x.Utility)) {
			t.Errorf("imposed: %v, %v; want %v", y, err, x.Utility)
		}
	}
}

// finite checks numbers.
func finite(t *testing.T, what string, list ...float64) {
	t.Helper()
	for _, x := range list {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			t.Errorf("the %s has %v", what, x)
		}
	}
}
