package infer_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method/filter"
	"github.com/pgmc-go/pgmc/compiler/method/particle"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestSmoothedHistories compares smoothing of random templates in which real variables persist
// beside discrete ones with inference in the unrolled network: by the exact filter, by as many
// Gaussians as there are, and by a Rao-Blackwellised filter that draws nothing.
func TestSmoothedHistories(t *testing.T) {
	ctx := context.Background()
	const n = 5
	for name, opt := range map[string]irtest.TemplateOptions{
		"mixed": {Reals: true, Mixed: true}, "latent": {Reals: true, Mixed: true, Latent: true}, "given": {Reals: true, Mixed: true, Givens: true},
	} {
		for _, seed := range irtest.Cases(t, 5, 100) {
			what := fmt.Sprintf("%s, seed %d", name, seed)
			m := irtest.RandomTemplate(seed, opt)
			var o infer.Options
			_, real := m.SplitReal(m.Transition.Before)
			switch mixes := len(real) > 0 && len(m.Reals()) < len(m.Vars); {
			case seed%3 == 1 && mixes:
				o.Method = &filter.Options{Modes: 1 << 16}
			case seed%3 == 2 && (mixes || seed == 2): // of seed 2 no real variable persists
				o.Method = &particle.RBPFOptions{Particles: 1 << 16, Resampling: "systematic"}
			}
			e, err := infer.New(ctx, m, o)
			if err != nil {
				t.Fatal(what, err)
			}
			flat, err := infer.New(ctx, m.Unroll(n), infer.Options{})
			if err != nil {
				t.Fatal(what, err)
			}
			sequence, all := irtest.RandomSequence(m, n, seed)
			var given []infer.Given
			for _, slice := range sequence {
				given = append(given, infer.Evidence(slice))
			}
			list, err := e.Smooth(ctx, given)
			if err != nil {
				t.Fatal(what, err)
			}
			if explodes(all) {
				compareRational(t, what, list, m.Unroll(n), all)
			} else {
				for i := range list {
					compareSlice(ctx, t, fmt.Sprintf("%s, slice %d", what, i), &list[i], flat, infer.Evidence(all), i)
				}
			}
			laggedHistories(ctx, t, what, e, given)
		}
	}
}

// explodes reports whether values of a sequence grow so large that inference in the unrolled
// network loses the digits which a comparison wants: its numbers are relative to prior means, which
// are far from values like these.
func explodes(all map[string]any) bool {
	for _, x := range all {
		if x, ok := x.(float64); ok && abs(x) > 1e4 {
			return true
		}
	}
	return false
}

// compareRational compares the posteriors of all slices with exact rationals.
func compareRational(t *testing.T, what string, list []infer.Marginals, flat *model.Model, all map[string]any) {
	t.Helper()
	e := brute.HybridEvidence{States: map[model.VarID]int{}, Reals: map[model.VarID]float64{}}
	for _, v := range flat.Vars {
		switch x := all[v.Name].(type) {
		case float64:
			e.Reals[v.ID] = x
		case string:
			e.States[v.ID] = slices.Index(v.Domain.(model.Discrete).States, x)
		}
	}
	want, err := brute.NewHybrid(flat, e)
	if err != nil {
		t.Fatal(what, err)
	}
	const tolerance = 1e-9
	for i := range list {
		if got := list[i].LogProb; !(abs(got-want.LogDensity) <= tolerance*(1+abs(want.LogDensity))) {
			t.Errorf("%s, slice %d: ln P is %v; want %v", what, i, got, want.LogDensity)
		}
		for _, d := range list[i].List {
			v, _ := flat.VarByName(fmt.Sprintf("%s@%d", d.Var, i))
			var numbers []float64
			if flat.IsReal(v.ID) {
				mean, variance := want.Moments(v.ID)
				numbers = append(numbers, mean, variance)
			} else {
				numbers = want.Posterior(v.ID)
			}
			for k, x := range d.Numbers() {
				if y := numbers[k]; !(abs(x-y) <= tolerance*(1+abs(y))) {
					t.Errorf("%s, slice %d: %s has number %d %v; want %v", what, i, d.Var, k, x, y)
				}
			}
		}
	}
}

// laggedHistories checks that a lag that begins with the last slices gives what smoothing the
// slices so far gives.
func laggedHistories(ctx context.Context, t *testing.T, what string, e *infer.Engine, given []infer.Given) {
	const lag = 2
	l, err := e.Lagged(ctx, lag)
	if err != nil {
		t.Fatal(what, err)
	}
	for i := range given {
		got, err := l.Step(ctx, given[i])
		if err != nil {
			t.Fatal(what, err)
		}
		want, err := e.Smooth(ctx, given[:i+1])
		if err != nil {
			t.Fatal(what, err)
		}
		if i < lag {
			if got != nil {
				t.Errorf("%s: an answer after slice %d, with a lag of %d", what, i, lag)
			}
		} else if fmt.Sprint(*got) != fmt.Sprint(want[i-lag]) {
			t.Errorf("%s: with a lag %v; want %v", what, *got, want[i-lag])
		}
	}
}

// TestDrawnAncestors checks smoothing by histories that were drawn: near the exact answers, and not
// equal to them.
func TestDrawnAncestors(t *testing.T) {
	ctx := context.Background()
	m := reversing()
	given := make([]infer.Given, 8)
	for i := range given {
		given[i] = infer.Evidence{"y": []float64{.3, -1.2, 2, .5}[i%4]}
	}
	exact, err := infer.New(ctx, m, infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := exact.Smooth(ctx, given)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []infer.Options{{Method: &particle.RBPFOptions{Particles: 60, Resampling: "systematic", Seed: 1}}, {Method: &filter.Options{Modes: 60}}} {
		e, err := infer.New(ctx, m, o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.Smooth(ctx, given)
		if err != nil {
			t.Fatal(err)
		}
		worst := 0.0
		for i := range got {
			for k := range got[i].List {
				for j, x := range got[i].List[k].Numbers() {
					worst = max(worst, abs(x-want[i].List[k].Numbers()[j]))
				}
			}
		}
		if worst == 0 || worst > .2 {
			t.Errorf("%s: probabilities, means and variances are off by up to %v; want little, but not nothing", o.Method.MethodName(), worst)
		}
	}
}

func abs(x float64) float64 { return max(x, -x) }

// TestHistoriesTooMany checks the errors of smoothing where histories do not fit.
func TestHistoriesTooMany(t *testing.T) {
	ctx := context.Background()
	given := make([]infer.Given, 12)
	for _, c := range []struct {
		o    infer.Options
		want string
	}{
		{infer.Options{MaxTable: 100}, "slice 7: the exact belief after slice 7 has a Gaussian for each of more than 100 histories"},
		{infer.Options{MaxMem: 1 << 16, Method: &filter.Options{Modes: 64}}, "take more than 32768 bytes, half of what memory is allowed"},
	} {
		e, err := infer.New(ctx, reversing(), c.o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Smooth(ctx, given); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v; want %q", err, c.want)
		}
	}
}
