package infer_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// vague returns the exact posteriors of a static network whose diffuse priors have the variance
// kappa.
func vague(t *testing.T, m *model.Model, kappa float64, given map[string]any) *brute.Hybrid {
	t.Helper()
	flat := irtest.Vague(m, kappa)
	e := brute.HybridEvidence{Reals: map[model.VarID]float64{}}
	for name, x := range given {
		v, _ := flat.VarByName(name)
		e.Reals[v.ID] = x.(float64)
	}
	h, err := brute.NewHybrid(flat, e)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// limit returns the posteriors with an immense prior variance, in rationals, and the limit of ln of
// the density of the evidence without ln(2πκ)/2 for each variable that it determines.
func limit(t *testing.T, name string, m *model.Model, given map[string]any) (*brute.Hybrid, float64) {
	t.Helper()
	const large, larger = 1e28, 1e30
	a, b := vague(t, m, large, given), vague(t, m, larger, given)
	rank := (a.LogDensity - b.LogDensity) / (.5 * math.Log(larger/large))
	if math.Abs(rank-math.Round(rank)) > 1e-9 {
		t.Fatalf("%s: the evidence determines %v variables; want a whole number", name, rank)
	}
	return b, b.LogDensity + .5*math.Round(rank)*math.Log(2*math.Pi*larger)
}

// compareLimit compares the posteriors of a slice.
func compareLimit(t *testing.T, name string, got *infer.Marginals, h *brute.Hybrid, logP float64, slice int) {
	t.Helper()
	const tolerance = 1e-8 // a tenth of the digits that the least determined direction leaves
	near := func(what string, x, y, scale float64) {
		if !(math.Abs(x-y) <= tolerance*max(1, scale)) {
			t.Errorf("%s, slice %d: %s is %v; want %v", name, slice, what, x, y)
		}
	}
	near("ln P", got.LogProb, logP, math.Abs(logP))
	for _, d := range got.List {
		v, _ := h.Model.VarByName(fmt.Sprintf("%s@%d", d.Var, slice))
		mean, variance := h.Moments(v.ID)
		if infinite := variance > 1e14; infinite || math.IsInf(d.Variance, 1) {
			if !infinite || !math.IsInf(d.Variance, 1) {
				t.Errorf("%s, slice %d: the variance of %s is %v; want %v, and above 1e14 infinite", name, slice, d.Var, d.Variance, variance)
			}
			continue
		}
		near("the variance of "+d.Var, d.Variance, variance, variance)
		near("the mean of "+d.Var, d.Mean, mean, math.Abs(mean)+math.Sqrt(variance))
	}
}

// TestDiffuse compares filters and smoothers with diffuse priors with the limit of large prior
// variances.
func TestDiffuse(t *testing.T) {
	ctx := context.Background()
	diffuse := 0
	for _, seed := range irtest.Cases(t, 30, 300) {
		m := irtest.RandomTemplate(seed, irtest.TemplateOptions{All: true, Diffuse: true, Givens: seed%2 == 0})
		diffuse += compareDiffuse(ctx, t, fmt.Sprint("seed ", seed), m, 4, seed)
	}
	if diffuse < 20 {
		t.Errorf("%d posteriors of infinite variance; want at least 20", diffuse)
	}
}

// compareDiffuse returns the number of posteriors of infinite variance.
func compareDiffuse(ctx context.Context, t *testing.T, name string, m *model.Model, n int, seed uint64) (diffuse int) {
	t.Helper()
	e, flat := newEngine(t, m), m.Unroll(n)
	sequence, all := irtest.RandomSequence(m, n, seed)
	given := make([]infer.Given, n)
	past := map[string]any{}
	f, err := e.Filter(ctx)
	if err != nil {
		t.Fatal(name, err)
	}
	for x, value := range all {
		for i := range n {
			for _, v := range m.Vars {
				if v.Given && x == fmt.Sprintf("%s@%d", v.Name, i) {
					past[x] = value
				}
			}
		}
	}
	for i := range given {
		given[i] = infer.Evidence(sequence[i])
		for v, x := range sequence[i] {
			past[fmt.Sprintf("%s@%d", v, i)] = x
		}
		got, err := f.Step(ctx, given[i])
		if err != nil {
			t.Fatal(name, i, err)
		}
		for _, d := range got.List {
			if math.IsInf(d.Variance, 1) {
				diffuse++
			}
		}
		h, logP := limit(t, name, flat, past)
		compareLimit(t, name+", filtered", got, h, logP, i)
	}
	smooth, err := e.Smooth(ctx, given)
	if err != nil {
		t.Fatal(name, err)
	}
	h, logP := limit(t, name, flat, past)
	for i := range smooth {
		compareLimit(t, name+", smoothed", &smooth[i], h, logP, i)
	}
	return diffuse
}

// TestConditionalLikelihood filters an autoregression of order 2 whose first values are diffuse: ln
// P is that of the later values given the first two.
func TestConditionalLikelihood(t *testing.T) {
	const text = `{"pgmc": 2, "kind": "bayes", "variables": [{"name": "flow", "real": true}],
"factors": [{"scope": [["flow", 1]], "child": ["flow", 1], "diffuse": true}, {"scope": ["flow"], "child": "flow", "diffuse": true}],
"next": {"factors": [{"scope": [["flow", 1], ["flow", 2], "flow"], "child": "flow", "gaussian": {"mean": [1], "coef": [0.5, 0.25], "var": [0.1]}}]}}`
	m := read(t, text)
	ctx := context.Background()
	e, err := infer.New(ctx, m, infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := e.Filter(ctx)
	if err != nil {
		t.Fatal(err)
	}
	flow, want := []float64{3, 3.5, 3.25, 4, 3.75}, 0.0
	for i, x := range flow {
		if _, err := f.Step(ctx, infer.Evidence{"flow": x}); err != nil {
			t.Fatal(err)
		}
		if i < 2 {
			continue
		}
		z := x - 1 - .5*flow[i-1] - .25*flow[i-2]
		want -= .5 * (z*z/.1 + math.Log(2*math.Pi*.1))
		// Slice 1 determines the flow before slice 0, with the coefficient 0.25.
		if got := f.LogProb() + math.Log(.25); math.Abs(got-want) > 1e-12*math.Abs(want) {
			t.Errorf("slice %d: ln P is %v; want %v", i, got, want)
		}
	}
}
