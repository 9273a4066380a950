package codegen_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method/filter"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestInnovation compares what packages say that slices differ from their prediction by with the
// interpreter, which package infer compares with the unrolled network: of random templates of real
// variables, the local level of the Nile, whose prior is diffuse, and a nonlinear filter.
func TestInnovation(t *testing.T) {
	t.Parallel()
	m := newModule(t, "")
	add := func(name, backend string, mod *model.Model, opt compiler.Options, sequence []map[string]any) {
		m.add(t, name, backend, mod, opt, func(*compiler.Result) string { return innovationCheck(t, name, mod, opt, sequence) })
	}
	opt := compiler.Options{Queries: []string{"innovation"}}
	for _, seed := range irtest.Cases(t, 3, 60) {
		mod := irtest.RandomTemplate(seed, irtest.TemplateOptions{All: true, Givens: seed%2 == 0})
		sequence, _ := irtest.RandomSequence(mod, 5, seed)
		add(fmt.Sprint("t", seed), []string{"auto", "nest", "tape"}[seed%3], mod, opt, sequence)
	}
	flows := []map[string]any{{"flow": 1120.0}, {}, {"flow": 1160.0}, {"flow": 963.0}}
	for _, b := range []string{"auto", "unroll", "nest", "tape"} {
		add("nile"+b, b, nile(), opt, flows)
	}
	opt.Method = compiler.Named("ekf")
	add("curve", "auto", curve(t), opt, []map[string]any{{"y": .4}, {}, {"y": 2.5}})
	add("circle", "auto", circle(t), opt, []map[string]any{{"y": 3.9}, {}, {"y": -2.5, "x": 10.}})
	m.test()
}

// innovationCase is evidence on a slice as JSON of a package's Evidence, and the interpreter's
// answer: residuals and their covariances by variable, 0 if one is not observed.
type innovationCase struct {
	Evidence  json.RawMessage
	Observed  []bool
	Residual  []float64
	Cov       [][]float64
	Distance  float64
	Pass, Not float64 // shares by which the slice passes, and does not
}

// innovationCheck returns a check of package name with the interpreter's answers.
func innovationCheck(t *testing.T, name string, mod *model.Model, opt compiler.Options, sequence []map[string]any) string {
	t.Helper()
	e, err := infer.New(t.Context(), mod, infer.Options{Method: opt.Method})
	if err != nil {
		t.Fatal(err)
	}
	f, err := e.Filter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var cases []innovationCase
	for _, slice := range sequence {
		x, err := f.Innovation(t.Context(), infer.Evidence(slice))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Step(t.Context(), infer.Evidence(slice)); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, innovationOf(t, mod, slice, x))
	}
	data, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer("PACKAGE", name, "CASES", string(data)).Replace(checkText(t, "innovation"))
}

// innovationOf returns the answer x to evidence on a slice.
func innovationOf(t *testing.T, mod *model.Model, slice map[string]any, x *infer.Innovation) innovationCase {
	t.Helper()
	data, err := json.Marshal(slice)
	if err != nil {
		t.Fatal(err)
	}
	vars := filter.Predicted(mod)
	place := map[string]int{}
	for i, v := range vars {
		place[mod.Vars[v].Name] = i
	}
	c := innovationCase{Evidence: data, Observed: make([]bool, len(vars)), Residual: make([]float64, len(vars)), Distance: x.Distance, Pass: 1}
	for range vars {
		c.Cov = append(c.Cov, make([]float64, len(vars)))
	}
	for k, v := range x.Vars {
		i := place[v]
		c.Observed[i], c.Residual[i] = true, x.Residual[k]
		for l, w := range x.Vars {
			c.Cov[i][place[w]] = x.Cov[k][l]
		}
	}
	for _, share := range []float64{.01, .1, .5, .9, .99} {
		if x.Passes(share) {
			c.Pass = min(c.Pass, share)
		} else {
			c.Not = max(c.Not, share)
		}
	}
	return c
}
