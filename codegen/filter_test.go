package codegen_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/filter"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestFilters checks the packages of random templates, by each back-end, against the interpreter:
// filters, smoothing, lags and most probable paths. It also checks that nothing allocates, that a
// step that fails changes nothing, that copies go their own ways, and the binary form.
func TestFilters(t *testing.T) {
	t.Parallel()
	m := newModule(t, "")
	kinds := []struct {
		irtest.TemplateOptions
		queries string
		method  string
	}{
		{irtest.TemplateOptions{}, "filter,smooth,viterbi", ""},
		{irtest.TemplateOptions{Latent: true}, "viterbi,filter,smooth", ""},
		{irtest.TemplateOptions{Reals: true}, "filter,smooth", ""},
		{irtest.TemplateOptions{All: true}, "smooth,viterbi", ""},
		{irtest.TemplateOptions{Reals: true, Givens: true}, "smooth", ""},
		{irtest.TemplateOptions{All: true, Givens: true, Diffuse: true}, "viterbi", ""},
		{irtest.TemplateOptions{Reals: true, Mixed: true}, "filter", "gpb1"},
		{irtest.TemplateOptions{Reals: true, Mixed: true, Givens: true}, "filter", "imm"},
		{irtest.TemplateOptions{Reals: true, Mixed: true}, "filter", "gpb2"},
	}
	// A component without variables that persist, real variables of which none persists, a mixture
	// of narrow Gaussians, and loop nests in lanes.
	seeds := []uint64{19, 21, 62, 81}
	for _, seed := range irtest.Cases(t, 9, 63) {
		if !slices.Contains(seeds, seed) {
			seeds = append(seeds, seed)
		}
	}
	for _, seed := range seeds {
		kind := kinds[seed%uint64(len(kinds))]
		mod := irtest.RandomTemplate(seed, kind.TemplateOptions)
		if before := mod.Transition.Before; kind.All && seed%2 == 1 && len(before) > 0 && len(mod.Vars) > 2 {
			mod.Vars[before[0]].Latent = true
		}
		opt := compiler.Options{Queries: strings.Split(kind.queries, ",")}
		if kind.method != "" {
			opt.Method = compiler.Named(kind.method)
		}
		if kind.Reals && len(mod.Reals()) == len(mod.Vars) {
			continue
		}
		name := fmt.Sprintf("p%d", seed)
		backend := []string{"unroll", "nest", laneBatches, "tape", nestBatches, "auto", "vector"}[seed%7]
		if seed == 9 {
			backend = codegen.Assembly
		}
		m.add(t, name, backend, mod, opt, func(*compiler.Result) string {
			return filterTest(t, name, mod, opt.Method, seed, kind.queries)
		})
	}
	m.test()
}

// curve returns a walk along a curve, which is measured by a function of it.
func curve(t *testing.T) *model.Model {
	mod := &model.Model{Name: "curve"}
	x, y := mod.NewReal("x").ID, mod.NewReal("y").ID
	names := model.FuncNames{Axis: func(name string) (int, bool) { return 0, name == "x" }}
	function := func(scope []model.VarID, text string) *model.Factor {
		nodes, err := model.ParseFunc(text, names)
		if err != nil {
			t.Fatal(err)
		}
		return &model.Factor{Scope: scope, Child: 1, Dist: &model.Func{Nodes: nodes, Var: []float64{.5}}}
	}
	sensor := function([]model.VarID{x, y}, "exp(x/3) + sin(x)")
	mod.Factors = []*model.Factor{{Scope: []model.VarID{x}, Dist: &model.Gaussian{Mean: []float64{.5}, Var: []float64{1}}}, sensor}
	mod.Transition = &model.Transition{Before: []model.VarID{x}, Factors: []*model.Factor{function([]model.VarID{2, x}, "x/2 + 5*x/(1 + x^2)"), sensor}}
	return mod
}

// circle returns the curve with circular variables.
func circle(t *testing.T) *model.Model {
	mod := curve(t)
	mod.Vars[0].Domain, mod.Vars[1].Domain = model.Real{Period: 9}, model.Real{Period: 3.5}
	return mod
}

// mapped returns the curve, measured by a map.
func mapped(t *testing.T) *model.Model {
	mod := curve(t)
	names := model.FuncNames{Axis: func(name string) (int, bool) { return 0, name == "x" },
		Maps: []*model.Map{{Name: "hill", X: -3, Y: -1, Cell: 1.5, Columns: 5, Values: []float64{0, .5, 2, 1, -1, 0, 1, 3, 2, 0, 0, 0, 2.5, 1, 1}}}}
	nodes, err := model.ParseFunc("x + hill(x, x/2)/2", names)
	if err != nil {
		t.Fatal(err)
	}
	sensor := *mod.Factors[1]
	sensor.Dist = &model.Func{Nodes: nodes, Var: []float64{.5}}
	mod.Factors[1], mod.Transition.Factors[1] = &sensor, &sensor
	return mod
}

// TestNonlinearFilters checks packages of the nonlinear filters as TestFilters does.
func TestNonlinearFilters(t *testing.T) {
	t.Parallel()
	m := newModule(t, "")
	for i, name := range []string{"ekf", "ukf", "ghf", "ekfcircle", "ukfcircle", "ekfmap", "ghfmap"} {
		mod, by := curve(t), name[:3]
		switch name[3:] {
		case "circle":
			mod = circle(t)
		case "map":
			mod = mapped(t)
		}
		opt := compiler.Options{Queries: []string{"filter", "smooth"}, Method: compiler.Named(by)}
		m.add(t, name, []string{"unroll", "nest", "tape", "auto", "tape", "auto", "nest"}[i], mod, opt, func(*compiler.Result) string {
			e, err := infer.New(t.Context(), mod, infer.Options{Method: opt.Method})
			if err != nil {
				t.Fatal(err)
			}
			var cases []sequenceCase
			for _, y := range []float64{.4, 2.5, 1.2} {
				sequence := []map[string]any{{"y": y}, {"x": -y}, {}, {"y": 2.4}, {"x": 1.5, "y": y}, {}, {"y": .7}}
				cases = append(cases, sequenceAnswers(t, name, e, sequence, nil, "filter,smooth"))
			}
			data, err := json.Marshal(cases)
			if err != nil {
				t.Fatal(err)
			}
			return filterCheck(t, name, string(data), "filter,smooth")
		})
	}
	m.test()
}

// TestThermostatFilters checks packages of filters with a discrete child of real variables as
// TestFilters does.
func TestThermostatFilters(t *testing.T) {
	t.Parallel()
	mod := &model.Model{Name: "thermostat"}
	x, a, y := mod.NewReal("x").ID, mod.NewVar("a", "off", "on").ID, mod.NewReal("y").ID
	gaussian := func(mean, coef, variance []float64, scope ...model.VarID) *model.Factor {
		return &model.Factor{Scope: scope, Child: len(scope) - 1, Dist: &model.Gaussian{Mean: mean, Coef: coef, Var: variance}}
	}
	slice := []*model.Factor{{Scope: []model.VarID{x, a}, Child: 1, Dist: &model.Softmax{Bias: []float64{0, 1}, Coef: []float64{0, -2}}},
		gaussian([]float64{0}, []float64{1}, []float64{1}, x, y)}
	mod.Factors = append([]*model.Factor{gaussian([]float64{.5}, nil, []float64{2}, x)}, slice...)
	mod.Transition = &model.Transition{Before: []model.VarID{a, x}, Factors: append([]*model.Factor{gaussian([]float64{0, 1}, []float64{.9, .9}, []float64{.3, .3}, 3, 4, x)}, slice...)}
	m := newModule(t, "")
	for i, by := range []string{"gpb1", "gpb2", "imm"} {
		opt := compiler.Options{Queries: []string{"filter", "smooth"}[:min(i+1, 2)], Method: compiler.Named(by)}
		m.add(t, by, []string{"unroll", "nest", "tape"}[i], mod, opt, func(*compiler.Result) string {
			e, err := infer.New(t.Context(), mod, infer.Options{Method: opt.Method})
			if err != nil {
				t.Fatal(err)
			}
			var cases []sequenceCase
			for _, y := range []float64{.4, 2.5, 1.2} {
				sequence := []map[string]any{{"y": y}, {"a": "on"}, {}, {"y": 1.4}, {"x": .5, "y": y}, {}, {"a": "off", "y": .7}}
				cases = append(cases, sequenceAnswers(t, by, e, sequence, nil, strings.Join(opt.Queries, ",")))
			}
			data, err := json.Marshal(cases)
			if err != nil {
				t.Fatal(err)
			}
			return filterCheck(t, by, string(data), strings.Join(opt.Queries, ","))
		})
	}
	m.test()
}

// TestClusterFilters checks packages with beliefs in clusters, disjoint and overlapping ones, as
// TestFilters does.
func TestClusterFilters(t *testing.T) {
	t.Parallel()
	m := newModule(t, "")
	added := 0
	for seed := uint64(0); added < irtest.Count(t, 4, 20); seed++ {
		mod := irtest.RandomTemplate(seed, irtest.TemplateOptions{Latent: added%4 == 3})
		before := mod.Transition.Before
		if len(before) < 3 {
			continue
		}
		of := func(k int) string { return mod.Vars[before[k]].Name }
		clusters := []string{of(0) + "," + of(1) + ";" + of(2) + "," + of(1), of(2) + "," + of(0)}[added%2]
		name, by := fmt.Sprintf("p%d", seed), filter.Options{Clusters: clusters}
		m.add(t, name, []string{"unroll", "nest", "tape", "vector", "auto"}[added%5], mod, compiler.Options{Queries: []string{"filter"}, Method: by},
			func(*compiler.Result) string { return filterTest(t, name, mod, by, seed, "filter") })
		added++
	}
	m.test()
}

// sequenceCase is evidence on a sequence as JSON of a package's Evidence and Soft by slice, and the
// interpreter's answers: the numbers of each variable's posterior by slice, and logarithms.
type sequenceCase struct {
	Evidence, Soft             []json.RawMessage
	Filtered, Smoothed, Lagged [][][]float64
	FilterLogP                 []float64
	Path                       []map[string]any
	PathLogP                   float64
}

// filterTest returns a check of package name: evidence, and the interpreter's answers to it.
func filterTest(t *testing.T, name string, m *model.Model, by method.Options, seed uint64, queries string) string {
	t.Helper()
	e, err := infer.New(context.Background(), m, infer.Options{Method: by})
	if err != nil {
		t.Fatal(name, err)
	}
	var cases []sequenceCase
	for k := range uint64(3) {
		sequence, _ := irtest.RandomSequence(m, 7, 10*seed+k)
		var soft []map[string][]float64
		if k == 2 {
			soft = randomLikelihoods(m, len(sequence), seed)
		}
		cases = append(cases, sequenceAnswers(t, name, e, sequence, soft, queries))
	}
	data, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	return filterCheck(t, name, string(data), queries)
}

// filterCheck returns the check of a package with filters, given its cases.
func filterCheck(t *testing.T, name, cases, queries string) string {
	t.Helper()
	part := func(name string) string { return checkText(t, name) }
	text := part("sequence") + part("filter")
	switch {
	case strings.Contains(queries, "viterbi"):
		text += part("smooth") + part("viterbi")
	case strings.Contains(queries, "smooth"):
		text += part("smooth") + "func viterbi(*testing.T, *Engine, *sequence) {}\n"
	}
	steps := 2_000
	if len(name) == len("p0") { // one package of each kind
		steps = irtest.Count(t, steps, 1_000_000)
	}
	return strings.NewReplacer("PACKAGE", name, "CASES", fmt.Sprintf("%q", cases), "STEPS", fmt.Sprint(steps)).Replace(text)
}

// checkText returns a part of a check of a package.
func checkText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name + "check.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// randomLikelihoods returns likelihoods of about a third of the discrete variables of n slices.
func randomLikelihoods(m *model.Model, n int, seed uint64) (list []map[string][]float64) {
	r := rand.New(rand.NewPCG(seed, 3))
	for range n {
		slice := map[string][]float64{}
		for _, v := range m.Vars {
			if m.IsReal(v.ID) || v.Latent || v.Given || r.IntN(3) > 0 {
				continue
			}
			for range m.Card(v.ID) {
				slice[v.Name] = append(slice[v.Name], .1+r.Float64())
			}
		}
		list = append(list, slice)
	}
	return list
}

// sequenceAnswers returns the interpreter's answers about a sequence; soft may be nil.
func sequenceAnswers(t *testing.T, name string, e *infer.Engine, sequence []map[string]any, soft []map[string][]float64, queries string) (c sequenceCase) {
	t.Helper()
	ctx := context.Background()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(name, err)
		}
	}
	given := make([]infer.Given, len(sequence))
	for i, slice := range sequence {
		text, err := json.Marshal(slice)
		must(err)
		c.Evidence = append(c.Evidence, text)
		evidence := infer.Evidence{}
		for v, x := range slice {
			evidence[v] = x
		}
		if soft != nil {
			text, err := json.Marshal(soft[i])
			must(err)
			c.Soft = append(c.Soft, text)
			for v, l := range soft[i] {
				if x, ok := evidence[v]; ok {
					evidence[v] = infer.All{x, infer.Likelihood(l)}
				} else {
					evidence[v] = infer.Likelihood(l)
				}
			}
		}
		given[i] = evidence
	}
	f, err := e.Filter(ctx)
	must(err)
	for i := range given {
		got, err := f.Step(ctx, given[i])
		must(err)
		c.Filtered, c.FilterLogP = append(c.Filtered, numbersOf(got)), append(c.FilterLogP, got.LogProb)
	}
	if queries == "filter" {
		return c
	}
	l, err := e.Lagged(ctx, 2)
	must(err)
	for i := range given {
		late, err := l.Step(ctx, given[i])
		must(err)
		if late != nil {
			c.Lagged = append(c.Lagged, numbersOf(late))
		}
	}
	smooth, err := e.Smooth(ctx, given)
	must(err)
	for i := range smooth {
		c.Smoothed = append(c.Smoothed, numbersOf(&smooth[i]))
	}
	if !strings.Contains(queries, "viterbi") {
		return c
	}
	path, err := e.Viterbi(ctx, given)
	must(err)
	c.PathLogP = path.LogProb
	for _, slice := range path.Slices {
		states := map[string]any{}
		for _, s := range slice.States {
			v, _ := e.Model().VarByName(s.Var)
			if states[s.Var] = s.State; e.Model().IsReal(v.ID) {
				states[s.Var] = s.Value
			}
		}
		c.Path = append(c.Path, states)
	}
	return c
}

// numbersOf returns the numbers of each posterior. JSON has no infinite ones.
func numbersOf(m *infer.Marginals) (list [][]float64) {
	for _, d := range m.List {
		x := slices.Clone(d.Numbers())
		for i := range x {
			x[i] = min(x[i], math.MaxFloat64)
		}
		list = append(list, x)
	}
	return list
}
