package infer_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
)

// irregular is an object that is slowed down and observed at irregular times, by a gauge of which
// gain and offset are known at each time.
const irregular = `{"pgmc": 2, "kind": "bayes", "variables": [{"name": "dt", "real": true, "given": true}, {"name": "gain", "real": true, "given": true},
 {"name": "x", "real": true}, {"name": "v", "real": true}, {"name": "y", "real": true}],
"factors": [{"scope": ["x"], "child": "x", "gaussian": {"mean": [1], "var": [4]}}, {"scope": ["v"], "child": "v", "diffuse": true},
 {"scope": ["gain", "x", "y"], "child": "y", "func": {"mean": "(x - 1)/gain + log(gain)", "var": [0.5]}}],
"next": {"factors": [{"scope": ["dt", ["x", 1], ["v", 1], "x"], "child": "x", "func": {"mean": "` + "`x@-1` + (1 - exp(-dt))*`v@-1`" + `", "var": [0.25]}},
 {"scope": ["dt", ["v", 1], "v"], "child": "v", "func": {"mean": "` + "-(-`v@-1`*exp(-dt)) + 0.5*dt" + `", "var": [0.1]}},
 {"scope": ["gain", "x", "y"], "child": "y", "func": {"mean": "(x - 1)/gain + log(gain)", "var": [0.5]}}]}}`

// linearised replaces functions by the linear ones that they are at the values of given variables.
func linearised(m *model.Model, given map[model.VarID]float64) {
	for _, f := range m.Factors {
		d, ok := f.Dist.(*model.Func)
		if !ok {
			continue
		}
		x, work := make([]float64, len(m.Vars)), make([]float64, len(d.Nodes))
		for v, value := range given {
			x[v] = value
		}
		at := func() float64 { return d.Eval(f, nil, x, work) }
		g := &model.Gaussian{Mean: []float64{at()}, Var: d.Var}
		for _, v := range f.Parents() {
			if m.Vars[v].Given {
				g.Coef = append(g.Coef, 0)
				continue
			}
			x[v] = 1
			g.Coef = append(g.Coef, at()-g.Mean[0])
			x[v] = 0
		}
		f.Dist = g
	}
}

// TestIrregular compares a filter and a smoother with exact ones of the unrolled network with
// numbers in place of given variables.
func TestIrregular(t *testing.T) {
	ctx := context.Background()
	m := read(t, irregular)
	e := newEngine(t, m)
	r := rand.New(rand.NewPCG(1, 2))
	const n = 5
	flat := m.Unroll(n)
	reals, values := map[model.VarID]float64{}, map[string]any{}
	var given []infer.Given
	for i := range n {
		row := infer.Evidence{"dt": r.ExpFloat64(), "gain": .5 + r.Float64()}
		if i != 2 {
			row["y"] = r.NormFloat64()
		}
		for name, x := range row {
			v, _ := flat.VarByName(fmt.Sprintf("%s@%d", name, i))
			if values[v.Name] = x; v.Given {
				reals[v.ID] = x.(float64)
			}
		}
		given = append(given, row)
	}
	linearised(flat, reals)
	smooth, err := e.Smooth(ctx, given)
	if err != nil {
		t.Fatal(err)
	}
	f, err := e.Filter(ctx)
	if err != nil {
		t.Fatal(err)
	}
	past := map[string]any{}
	for v, x := range values {
		if at, _ := flat.VarByName(v); at.Given {
			past[v] = x
		}
	}
	for i := range n {
		if y, ok := given[i].(infer.Evidence)["y"]; ok {
			past[fmt.Sprintf("y@%d", i)] = y
		}
		got, err := f.Step(ctx, given[i])
		if err != nil {
			t.Fatal(err)
		}
		h, logP := limit(t, "filtered", flat, past)
		compareLimit(t, "filtered", got, h, logP, i)
	}
	h, logP := limit(t, "smoothed", flat, values)
	for i := range smooth {
		compareLimit(t, "smoothed", &smooth[i], h, logP, i)
	}
}

// TestUndefined checks that a function without a value at a given one leaves the filter as it was.
func TestUndefined(t *testing.T) {
	ctx := context.Background()
	f, err := newEngine(t, read(t, irregular)).Filter(ctx)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Step(ctx, infer.Evidence{"dt": 1.0, "gain": -1.0})
	var undefined *infer.UndefinedError
	if !errors.As(err, &undefined) || undefined.At != "gain = -1, x = 1" || errors.Is(err, infer.ErrImpossible) || f.Len() != 0 {
		t.Errorf("error %v after %d slices; want that of a mean that is not defined", err, f.Len())
	}
	if _, err := f.Step(ctx, infer.Evidence{"dt": 1.0}); err == nil {
		t.Error("no error without a value of a given variable")
	}
	if got, err := f.Step(ctx, infer.Evidence{"dt": 1.0, "gain": 1.0, "y": 0.0}); err != nil || math.IsNaN(got.LogProb) {
		t.Errorf("%v, error %v; want posteriors", got, err)
	}
}
