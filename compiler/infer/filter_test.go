package infer_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestTemplates compares filtering, smoothing and the most probable path of random templates with
// inference in the unrolled network.
func TestTemplates(t *testing.T) {
	ctx := context.Background()
	for name, opt := range map[string]irtest.TemplateOptions{
		"discrete": {}, "latent": {Latent: true}, "mixed": {Reals: true}, "real": {All: true},
		"given discrete": {Reals: true, Givens: true}, "given real": {All: true, Givens: true},
	} {
		for seed := range uint64(8) {
			m := irtest.RandomTemplate(seed, opt)
			compareUnrolled(ctx, t, fmt.Sprintf("%s, seed %d", name, seed), m, 5, seed)
		}
	}
}

// compareUnrolled compares the answers about n slices of m with those of the unrolled network.
func compareUnrolled(ctx context.Context, t *testing.T, name string, m *model.Model, n int, seed uint64) {
	t.Helper()
	e, err := infer.New(ctx, m, infer.Options{})
	if err != nil {
		t.Fatal(name, err)
	}
	flat, err := infer.New(ctx, m.Unroll(n), infer.Options{})
	if err != nil {
		t.Fatal(name, err)
	}
	sequence, all := irtest.RandomSequence(m, n, seed)
	given := make([]infer.Given, n)
	for i := range sequence {
		given[i] = infer.Evidence(sequence[i])
	}
	f, err := e.Filter(ctx)
	if err != nil {
		t.Fatal(name, err)
	}
	past := infer.Evidence{}
	for i := range n {
		for _, v := range m.Vars {
			if name := fmt.Sprintf("%s@%d", v.Name, i); v.Given {
				past[name] = all[name]
			}
		}
	}
	for i := range given {
		for v := range sequence[i] {
			past[fmt.Sprintf("%s@%d", v, i)] = all[fmt.Sprintf("%s@%d", v, i)]
		}
		got, err := f.Step(ctx, given[i])
		if err != nil {
			t.Fatal(name, i, err)
		}
		compareSlice(ctx, t, fmt.Sprintf("%s, filtered slice %d", name, i), got, flat, past, i)
	}
	compareLagged(ctx, t, name, e, flat, sequence, all, past)
	smooth, err := e.Smooth(ctx, given)
	if err != nil {
		t.Fatal(name, err)
	}
	for i := range smooth {
		compareSlice(ctx, t, fmt.Sprintf("%s, smoothed slice %d", name, i), &smooth[i], flat, past, i)
	}
	path, err := e.Viterbi(ctx, given)
	if err != nil {
		t.Fatal(name, err)
	}
	if len(m.Reals()) > 0 {
		return
	}
	best, err := flat.MPE(ctx, past)
	if err != nil {
		t.Fatal(name, err)
	}
	if latent := hasLatent(m); !latent && math.Abs(path.LogProb-best.LogProb) > 1e-10*(1+math.Abs(best.LogProb)) {
		t.Errorf("%s: the path has ln P %v; want %v", name, path.LogProb, best.LogProb)
	}
}

func hasLatent(m *model.Model) bool {
	for _, v := range m.Vars {
		if v.Latent {
			return true
		}
	}
	return false
}

// compareSlice compares the posteriors of a slice.
func compareSlice(ctx context.Context, t *testing.T, name string, got *infer.Marginals, flat *infer.Engine, past infer.Evidence, slice int) {
	t.Helper()
	want, err := flat.Marginals(ctx, past)
	if err != nil {
		t.Fatal(name, err)
	}
	const tolerance = 1e-9
	if math.Abs(got.LogProb-want.LogProb) > tolerance*(1+math.Abs(want.LogProb)) {
		t.Errorf("%s: ln P is %v; want %v", name, got.LogProb, want.LogProb)
	}
	for _, d := range got.List {
		other := want.Of(fmt.Sprintf("%s@%d", d.Var, slice))
		for k, x := range d.Numbers() {
			if y := other.Numbers()[k]; !(math.Abs(x-y) <= tolerance*(1+math.Abs(y))) {
				t.Errorf("%s: %s has number %d %v; want %v", name, d.Var, k, x, y)
			}
		}
	}
}

// compareLagged compares smoothing with a lag of two slices; given holds the evidence on given
// variables, and on all others.
func compareLagged(ctx context.Context, t *testing.T, name string, e, flat *infer.Engine, sequence []map[string]any, all map[string]any, given infer.Evidence) {
	t.Helper()
	const lag = 2
	l, err := e.Lagged(ctx, lag)
	if err != nil {
		t.Fatal(name, err)
	}
	for i := range sequence {
		past := infer.Evidence{}
		for v, x := range all {
			var slice int
			at := strings.LastIndexByte(v, '@')
			fmt.Sscan(v[at+1:], &slice)
			of, _ := e.Model().VarByName(v[:at])
			if slice <= i || of.Given {
				past[v] = x
			}
		}
		got, err := l.Step(ctx, infer.Evidence(sequence[i]))
		if err != nil {
			t.Fatal(name, i, err)
		}
		if (got != nil) != (i >= lag) {
			t.Fatalf("%s: after slice %d, a slice: %v", name, i, got != nil)
		}
		if got != nil {
			compareSlice(ctx, t, fmt.Sprintf("%s, lagged slice %d", name, i-lag), got, flat, past, i-lag)
		}
	}
	rest, err := l.Rest(ctx)
	if err != nil || len(rest) != lag {
		t.Fatalf("%s: the rest has %d slices, error %v; want %d", name, len(rest), err, lag)
	}
	for i := range rest {
		compareSlice(ctx, t, fmt.Sprintf("%s, the rest, slice %d", name, i), &rest[i], flat, given, len(sequence)-lag+i)
	}
}
