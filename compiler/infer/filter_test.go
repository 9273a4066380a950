package infer_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/internal/format/json"
	"github.com/pgmc-go/pgmc/compiler/method/filter"
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
		for _, seed := range irtest.Cases(t, 4, 100) {
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
	if math.Abs(path.LogProb-best.LogProb) > 1e-10*(1+math.Abs(best.LogProb)) {
		t.Errorf("%s: the path has ln P %v; want %v", name, path.LogProb, best.LogProb)
	}
}

// TestHistories compares filtering of random templates in which real variables persist beside
// discrete ones with inference in the unrolled network.
func TestHistories(t *testing.T) {
	ctx := context.Background()
	const n = 6
	for name, opt := range map[string]irtest.TemplateOptions{
		"mixed": {Reals: true, Mixed: true}, "latent": {Reals: true, Mixed: true, Latent: true}, "given": {Reals: true, Mixed: true, Givens: true},
	} {
		for _, seed := range irtest.Cases(t, 5, 100) {
			what := fmt.Sprintf("%s, seed %d", name, seed)
			m := irtest.RandomTemplate(seed, opt)
			e, err := infer.New(ctx, m, infer.Options{})
			if err != nil {
				t.Fatal(what, err)
			}
			flat, err := infer.New(ctx, m.Unroll(n), infer.Options{})
			if err != nil {
				t.Fatal(what, err)
			}
			f, err := e.Filter(ctx)
			if err != nil {
				t.Fatal(what, err)
			}
			sequence, all := irtest.RandomSequence(m, n, seed)
			past := infer.Evidence{}
			for i := range sequence {
				for _, v := range m.Vars {
					at := fmt.Sprintf("%s@%d", v.Name, i)
					if x, ok := all[at]; ok {
						past[at] = x
					}
				}
				past := givens(m, all, past)
				got, err := f.Step(ctx, infer.Evidence(sequence[i]))
				if err != nil {
					t.Fatal(what, i, err)
				}
				compareSlice(ctx, t, fmt.Sprintf("%s, slice %d", what, i), got, flat, past, i)
			}
		}
	}
}

// givens returns past with the evidence on all given variables.
func givens(m *model.Model, all map[string]any, past infer.Evidence) infer.Evidence {
	out := maps.Clone(past)
	for at, x := range all {
		name, _, _ := strings.Cut(at, "@")
		if v, _ := m.VarByName(name); v.Given {
			out[at] = x
		}
	}
	return out
}

// TestModes checks a belief that keeps the most probable Gaussians: all that there are give the
// exact answers, and few of them others; and the error of an exact belief that does not fit.
func TestModes(t *testing.T) {
	ctx := context.Background()
	m := reversing()
	given := infer.Evidence{"y": 1.5}
	run := func(opt infer.Options) (last *infer.Marginals, err error) {
		e, err := infer.New(ctx, m, opt)
		if err != nil {
			t.Fatal(err)
		}
		f, err := e.Filter(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 6 {
			before := f.LogProb()
			if last, err = f.Step(ctx, given); err != nil {
				if f.Len() != i || f.LogProb() != before {
					t.Errorf("after an error the filter has %d slices, ln P %v; want %d, %v", f.Len(), f.LogProb(), i, before)
				}
				return last, err
			}
		}
		return last, nil
	}
	exact, err := run(infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := run(infer.Options{Method: filter.Options{Modes: 64}})
	if err != nil {
		t.Fatal(err)
	}
	some, err := run(infer.Options{Method: filter.Options{Modes: 8}})
	if err != nil {
		t.Fatal(err)
	}
	x := exact.Of("x")
	if all.LogProb != exact.LogProb || !slices.Equal(all.Of("x").Numbers(), x.Numbers()) {
		t.Errorf("64 Gaussians: %v, %v; want %v, %v", all.LogProb, all.Of("x"), exact.LogProb, x)
	}
	if some.LogProb == exact.LogProb || math.Abs(some.LogProb-exact.LogProb) > .05 || math.Abs(some.Of("x").Mean-x.Mean) > .02 {
		t.Errorf("8 Gaussians: %v, %v; want numbers near %v, %v, and others", some.LogProb, some.Of("x"), exact.LogProb, x)
	}
	const want = "the exact belief after slice 5 has a Gaussian for each of more than 20 histories of states"
	if _, err := run(infer.Options{MaxTable: 20}); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "gpb2") {
		t.Errorf("error %v; want %s, and method gpb2", err, want)
	}
}

// TestObservedReal checks that a belief does not grow if the real variable that persists is
// observed.
func TestObservedReal(t *testing.T) {
	ctx := context.Background()
	e, err := infer.New(ctx, reversing(), infer.Options{MaxTable: 20})
	if err != nil {
		t.Fatal(err)
	}
	f, err := e.Filter(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		if _, err := f.Step(ctx, infer.Evidence{"x": math.Sin(float64(i))}); err != nil {
			t.Fatal(i, err)
		}
	}
}

// reversing returns a system whose mode b reverses x, which y measures.
func reversing() *model.Model {
	m := &model.Model{Name: "reversing"}
	mode, x, y := m.NewVar("mode", "a", "b").ID, m.NewReal("x").ID, m.NewReal("y").ID
	sensor := &model.Factor{Scope: []model.VarID{x, y}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{.5}}}
	m.Factors = []*model.Factor{{Scope: []model.VarID{mode}, Dist: &model.Table{Values: []float64{.9, .1}}},
		{Scope: []model.VarID{x}, Dist: &model.Gaussian{Mean: []float64{1}, Var: []float64{.2}}}, sensor}
	m.Transition = &model.Transition{Before: []model.VarID{mode, x}, Factors: []*model.Factor{
		{Scope: []model.VarID{3, mode}, Child: 1, Dist: &model.Table{Values: []float64{.9, .1, .2, .8}}},
		{Scope: []model.VarID{mode, 4, x}, Child: 2, Dist: &model.Gaussian{Mean: []float64{0, 0}, Coef: []float64{1, -.5}, Var: []float64{.1, 1}}}, sensor}}
	return m
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

// read reads a model in pgmc's own format.
func read(t *testing.T, text string) *model.Model {
	t.Helper()
	m, list := format.ReadSource(json.Format, &format.Source{Name: "t", Data: []byte(text)}, format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestAutoregression compares a real autoregression of order 2, whose slices have a latent copy of
// the value before, with a network in which values have two parents.
func TestAutoregression(t *testing.T) {
	const text = `{"pgmc": 2, "kind": "bayes", "variables": [{"name": "x", "real": true}, {"name": "y", "real": true}],
"factors": [{"scope": [["x", 1]], "child": ["x", 1], "gaussian": {"mean": [1], "var": [2]}},
 {"scope": [["x", 1], "x"], "child": "x", "gaussian": {"mean": [0], "coef": [0.5], "var": [1]}},
 {"scope": ["x", "y"], "child": "y", "gaussian": {"mean": [0], "coef": [1], "var": [0.5]}}],
"next": {"factors": [{"scope": [["x", 2], ["x", 1], "x"], "child": "x", "gaussian": {"mean": [0.25], "coef": [-0.25, 0.5], "var": [1]}},
 {"scope": ["x", "y"], "child": "y", "gaussian": {"mean": [0], "coef": [1], "var": [0.5]}}]}}`
	m := read(t, text)
	ctx := context.Background()
	compareUnrolled(ctx, t, "order 2", m, 6, 1)

	plain := &model.Model{}
	x := plain.NewReal("x -1").ID
	plain.Factors = []*model.Factor{{Scope: []model.VarID{x}, Dist: &model.Gaussian{Mean: []float64{1}, Var: []float64{2}}}}
	values, given := infer.Evidence{}, []infer.Given{}
	for i, seen := range []float64{.5, 2, math.NaN(), -1, 3} {
		v, y := plain.NewReal(fmt.Sprint("x", i)).ID, plain.NewReal(fmt.Sprint("y", i)).ID
		of := &model.Factor{Scope: []model.VarID{x, v}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{.5}, Var: []float64{1}}}
		if i > 0 {
			of = &model.Factor{Scope: []model.VarID{max(0, v-4), v - 2, v}, Child: 2, Dist: &model.Gaussian{Mean: []float64{.25}, Coef: []float64{-.25, .5}, Var: []float64{1}}}
			if i == 1 {
				of.Scope[0] = x
			}
		}
		plain.Factors = append(plain.Factors, of, &model.Factor{Scope: []model.VarID{v, y}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{.5}}})
		slice := infer.Evidence{}
		if !math.IsNaN(seen) {
			slice["y"], values[fmt.Sprint("y", i)] = seen, seen
		}
		given = append(given, slice)
	}
	e, err := infer.New(ctx, m, infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	flat, err := infer.New(ctx, plain, infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	path, err := e.Viterbi(ctx, given)
	if err != nil {
		t.Fatal(err)
	}
	best, err := flat.MPE(ctx, values)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(path.LogProb-best.LogProb) > 1e-10 {
		t.Errorf("ln of the density of the path is %v; want %v", path.LogProb, best.LogProb)
	}
	for i := range path.Slices {
		if got, want := path.Slices[i].States[0].Value, best.States[1+2*i].Value; math.Abs(got-want) > 1e-10 {
			t.Errorf("slice %d: x is %v; want %v", i, got, want)
		}
	}
}

// umbrella returns the umbrella world of Russell and Norvig. Its slice 0 is the day before the
// first observation.
func umbrella() *model.Model {
	m := &model.Model{Name: "umbrella"}
	rain, umbrella := m.NewVar("rain", "yes", "no").ID, m.NewVar("umbrella", "yes", "no").ID
	sensor := &model.Factor{Scope: []model.VarID{rain, umbrella}, Child: 1, Dist: &model.Table{Values: []float64{.9, .1, .2, .8}}}
	m.Factors = []*model.Factor{{Scope: []model.VarID{rain}, Dist: &model.Table{Values: []float64{.5, .5}}}, sensor}
	m.Transition = &model.Transition{Before: []model.VarID{rain}, Factors: []*model.Factor{
		{Scope: []model.VarID{2, rain}, Child: 1, Dist: &model.Table{Values: []float64{.7, .3, .3, .7}}}, sensor}}
	return m
}

// TestUmbrella compares with numbers that were enumerated independently: P(rain) of days 0 to 5,
// smoothed, and of days 1 to 5, filtered.
func TestUmbrella(t *testing.T) {
	ctx := context.Background()
	e, err := infer.New(ctx, umbrella(), infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		days             string
		smooth, filtered []float64
		logP             float64
	}{
		{"yynyy", []float64{.6469355558, .8673388896, .8204190536, .3074835760, .8204190536, .8673388896},
			[]float64{.5, .8181818182, .8833570413, .1906679397, .7307940046, .8673388896}, -3.3725020443},
		{"ynyny", []float64{.5870736123, .7176840309, .2324001713, .6071949247, .2324001713, .7176840309},
			[]float64{.5, .8181818182, .1738035264, .7250810039, .1524720889, .7176840309}, -4.1383334724},
	} {
		given := []infer.Given{nil}
		for _, day := range c.days {
			given = append(given, infer.Evidence{"umbrella": map[rune]string{'y': "yes", 'n': "no"}[day]})
		}
		smooth, err := e.Smooth(ctx, given)
		if err != nil {
			t.Fatal(err)
		}
		f, err := e.Filter(ctx)
		if err != nil {
			t.Fatal(err)
		}
		near := func(what string, day int, got, want float64) {
			if !(math.Abs(got-want) <= 1e-10) {
				t.Errorf("%s, day %d: %s is %.10f; want %.10f", c.days, day, what, got, want)
			}
		}
		for i := range given {
			m, err := f.Step(ctx, given[i])
			if err != nil {
				t.Fatal(err)
			}
			near("filtered", i, m.Of("rain").P[0], c.filtered[i])
			near("smoothed", i, smooth[i].Of("rain").P[0], c.smooth[i])
		}
		near("ln P", 5, f.LogProb(), c.logP)
	}
}

// TestFilterErrors checks that evidence that contradicts the model leaves a filter as it was, and
// that a clone goes its own way.
func TestFilterErrors(t *testing.T) {
	ctx := context.Background()
	m := umbrella()
	m.Transition.Factors[1] = &model.Factor{Scope: []model.VarID{0, 1}, Child: 1, Dist: &model.Table{Values: []float64{1, 0, 1, 0}}}
	e, err := infer.New(ctx, m, infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := e.Filter(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Step(ctx, infer.Evidence{"umbrella": "no"}); err != nil {
		t.Fatal(err)
	}
	before := f.LogProb()
	if _, err := f.Step(ctx, infer.Evidence{"umbrella": "no"}); !errors.Is(err, infer.ErrImpossible) {
		t.Fatalf("error %v; want %v", err, infer.ErrImpossible)
	}
	if f.Len() != 1 || f.LogProb() != before {
		t.Errorf("after an error %d slices, ln P %v; want 1, %v", f.Len(), f.LogProb(), before)
	}
	c := f.Clone()
	if _, err := c.Step(ctx, nil); err != nil || c.Len() != 2 || f.Len() != 1 {
		t.Errorf("after a step of the clone, it has %d slices, the filter %d, error %v; want 2 and 1", c.Len(), f.Len(), err)
	}
	var slice *infer.SliceError
	_, err = e.Smooth(ctx, []infer.Given{nil, infer.Evidence{"umbrella": "no"}})
	if !errors.As(err, &slice) || slice.Slice != 1 {
		t.Errorf("error %v; want one about slice 1", err)
	}
}

// nile returns the local level of the Nile with a diffuse start, and its observations.
func nile(t *testing.T) (m *model.Model, given []infer.Given) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(irtest.Shared(t), "data/temporal/nile.csv"))
	if err != nil {
		t.Fatal(err)
	}
	m = &model.Model{Name: "nile"}
	level, flow := m.NewReal("level").ID, m.NewReal("flow").ID
	sensor := &model.Factor{Scope: []model.VarID{level, flow}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{15099}}}
	m.Factors = []*model.Factor{{Scope: []model.VarID{level}, Dist: &model.Diffuse{}}, sensor}
	m.Transition = &model.Transition{Before: []model.VarID{level}, Factors: []*model.Factor{
		{Scope: []model.VarID{2, level}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{1469.1}}}, sensor}}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		_, cell, _ := strings.Cut(line, ",")
		x, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
		if err != nil {
			t.Fatal(err)
		}
		given = append(given, infer.Evidence{"flow": x})
	}
	return m, given
}

// TestNile compares with published numbers of the local level of the Nile, in the convention of 99
// terms.
func TestNile(t *testing.T) {
	m, given := nile(t)
	ctx := context.Background()
	e, err := infer.New(ctx, m, infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	smooth, err := e.Smooth(ctx, given)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := smooth[0].LogProb, -632.5456251157; math.Abs(got-want) > 1e-9 {
		t.Errorf("ln P is %.10f; want %.10f", got, want)
	}
	for _, c := range []struct {
		year           int
		mean, variance float64
	}{{0, 1111.66831913, 4032.157942}, {1, 1110.85766462, 3242.930073}, {49, 834.76325910, 2326.756870}, {99, 798.37029261, 4032.157942}} {
		got := smooth[c.year].Of("level")
		if math.Abs(got.Mean-c.mean) > 1e-8 || math.Abs(got.Variance-c.variance) > 1e-6 {
			t.Errorf("year %d: %v, %v; want %v, %v", c.year, got.Mean, got.Variance, c.mean, c.variance)
		}
	}
	f, err := e.Filter(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{1120, 1140.927840, 1072.798530, 1117.308955} {
		got, err := f.Step(ctx, given[i])
		if err != nil {
			t.Fatal(err)
		}
		if x := got.Of("level").Mean; math.Abs(x-want) > 1e-6 {
			t.Errorf("year %d: the filtered level is %v; want %v", i, x, want)
		}
	}
}

// TestScalarKalman compares with the random walk of variance 1 that is observed with variance 1.
// Its gains are 2/3, 5/8 and 13/21.
func TestScalarKalman(t *testing.T) {
	m := &model.Model{}
	x, y := m.NewReal("x").ID, m.NewReal("y").ID
	sensor := &model.Factor{Scope: []model.VarID{x, y}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{1}}}
	m.Factors = []*model.Factor{{Scope: []model.VarID{x}, Dist: &model.Gaussian{Mean: []float64{0}, Var: []float64{1}}}, sensor}
	m.Transition = &model.Transition{Before: []model.VarID{x}, Factors: []*model.Factor{
		{Scope: []model.VarID{2, x}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{1}}}, sensor}}
	ctx := context.Background()
	e, err := infer.New(ctx, m, infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	given := []infer.Given{nil, infer.Evidence{"y": 1.0}, infer.Evidence{"y": 2.0}, infer.Evidence{"y": 3.0}}
	smooth, err := e.Smooth(ctx, given)
	if err != nil {
		t.Fatal(err)
	}
	f, err := e.Filter(ctx)
	if err != nil {
		t.Fatal(err)
	}
	near := func(what string, i int, got, want float64) {
		if !(math.Abs(got-want) <= 5e-8) {
			t.Errorf("slice %d: %s is %.7f; want %.7f", i, what, got, want)
		}
	}
	mean, variance := []float64{0, 2. / 3, 1.5, 2.4285714}, []float64{1, 2. / 3, .625, .6190476}
	smoothed, spread := []float64{.5714286, 1.1428571, 1.8571429, 2.4285714}, []float64{.6190476, .4761905, .4761905, .6190476}
	for i := range given {
		got, err := f.Step(ctx, given[i])
		if err != nil {
			t.Fatal(err)
		}
		near("the filtered mean", i, got.Of("x").Mean, mean[i])
		near("the filtered variance", i, got.Of("x").Variance, variance[i])
		near("the smoothed mean", i, smooth[i].Of("x").Mean, smoothed[i])
		near("the smoothed variance", i, smooth[i].Of("x").Variance, spread[i])
	}
	near("ln P", 3, f.LogProb(), -5.2076482)
	for range 100 {
		if _, err := f.Step(ctx, infer.Evidence{"y": 0.0}); err != nil {
			t.Fatal(err)
		}
	}
	got, err := f.Step(ctx, nil) // the golden ratio
	if err != nil {
		t.Fatal(err)
	}
	near("the steady predicted variance", 104, got.Of("x").Variance, (1+math.Sqrt(5))/2)
}
