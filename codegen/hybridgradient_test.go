package codegen_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestHybridGradient compares gradients of packages of networks with real variables, whose
// parameters can be replaced, with the interpreter, and sensitivities with differences of
// posteriors and of means. Some networks have functions.
func TestHybridGradient(t *testing.T) {
	t.Parallel()
	m := newModule(t, "")
	for _, seed := range irtest.Cases(t, 4, 60) {
		mod := irtest.RandomHybrid(seed+1, irtest.HybridOptions{NoZeros: seed%2 == 0, Zeros: .4 * float64(seed%2), Decades: 2, MaxVars: 6, NoDiscrete: seed%3 == 2})
		opt := compiler.Options{Queries: []string{"gradient", "marginals", "sensitivity"}, Params: ir.Var}
		name := fmt.Sprintf("p%d", seed)
		m.add(t, name, turn(seed), mod, opt, func(r *compiler.Result) string {
			cases := &strings.Builder{}
			for k := range uint64(3) {
				mc := eval.New(r.Program, r.Model)
				evidence := observe(mc, r.Model, irtest.HybridEvidence(10*seed+k, r.Model, float64(k)/3))
				if err := mc.Run(r.Program.Entry("gradient")); err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(cases, "{%q, %v, [][]float64{", evidence, mc.LogP())
				for i, id := range r.Program.ParamSpans() {
					out := make([]float64, r.Program.Spans[id].Len)
					mc.Gradient(i, out)
					fmt.Fprintf(cases, "{%s}, ", strings.Trim(strings.ReplaceAll(fmt.Sprint(out), " ", ", "), "[]"))
				}
				cases.WriteString("}},\n")
			}
			none := "&Evidence{}, (func(*Marginals) float64)(nil)"
			target, real := none, none
			for _, v := range r.Model.Vars {
				if name := strings.ToUpper(v.Name); r.Model.IsReal(v.ID) {
					real = fmt.Sprintf("&Evidence{%[1]s: Obs(0)}, func(m *Marginals) float64 { return m.%[1]s.Mean }", name)
				} else if !v.Given {
					target = fmt.Sprintf("&Evidence{%[1]s: 1}, func(m *Marginals) float64 { return m.%[1]s[0] }", name)
				}
			}
			return strings.NewReplacer("PACKAGE", name, "CASES", cases.String(), "TARGET", target, "EXACT", fmt.Sprint(seed%2 == 1), "REAL", real).Replace(hybridGradientText)
		})
	}
	m.test()
}

const hybridGradientText = `package PACKAGE

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"testing"
)

// numberOf returns a pointer to number k of field i.
func numberOf(p *Params, i, k int) *float64 {
	return reflect.ValueOf(p).Elem().Field(i).Index(k).Addr().Interface().(*float64)
}

func TestGradient(t *testing.T) {
	e := New()
	for n, c := range []struct {
		evidence string
		logp     float64
		want     [][]float64
	}{
CASES	} {
		var ev Evidence
		if err := json.Unmarshal([]byte(c.evidence), &ev); err != nil {
			t.Fatal(err)
		}
		var got Params
		logp, err := e.Gradient(&ev, nil, &got)
		if err != nil || math.Abs(logp-c.logp) > 1e-12*math.Max(1, math.Abs(c.logp)) {
			t.Errorf("case %d: %v, %v; want %v", n, logp, err, c.logp)
		}
		for i := range c.want {
			for k, x := range c.want[i] {
				if y := *numberOf(&got, i, k); !(math.Abs(y-x) <= 1e-12*math.Max(1, math.Abs(x))) {
					t.Errorf("case %d: derivative %d of factor %d is %v; want %v", n, k, i, y, x)
				}
			}
		}
		if n := testing.AllocsPerRun(5, func() { _, _ = e.Gradient(&ev, nil, &got) }); n != 0 {
			t.Errorf("%v allocations", n)
		}
		target, read := TARGET
		sensitive(t, e, &ev, n, target, read)
		target, read = REAL
		sensitive(t, e, &ev, n, target, read)
	}
	bad := DefaultParams()
	*numberOf(&bad, 0, 0) = math.NaN()
	if _, err := NewWith(&bad); err == nil {
		t.Error("NewWith takes NaN")
	}
}

func sensitive(t *testing.T, e *Engine, ev *Evidence, seed int, target *Evidence, read func(*Marginals) float64) {
	var got Params
	p, err := e.Sensitivity(ev, target, &got)
	if read == nil {
		if err == nil {
			t.Error("there is no target, and no error")
		}
		return
	}
	var m Marginals
	if other := e.Marginals(ev, nil, &m); err != nil || other != nil || math.Abs(p-read(&m)) > 1e-12*math.Max(1, math.Abs(p)) {
		t.Errorf("P is %v, %v; want %v", p, err, read(&m))
	}
	if n := testing.AllocsPerRun(5, func() { _, _ = e.Sensitivity(ev, target, &got) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	fields := reflect.ValueOf(got).NumField()
fields:
	for i := range fields {
		k := (seed + i) % reflect.ValueOf(got).Field(i).Len()
		var ps [2]float64
		step := 0.0
		for side, sign := range []float64{1, -1} {
			params := DefaultParams()
			x := numberOf(&params, i, k)
			if *x == 0 { // perhaps a variance, which must stay
				continue fields
			}
			step = 1e-5 * math.Max(math.Abs(*x), 1e-3)
			*x += sign * step
			other, err := NewWith(&params)
			if err != nil {
				t.Fatal(err)
			}
			err = other.Marginals(ev, nil, &m)
			if errors.Is(err, ErrImpossible) && EXACT { // observed functions of observed variables
				continue fields
			}
			if err != nil {
				t.Fatal(err)
			}
			ps[side] = read(&m)
		}
		want := (ps[0] - ps[1]) / (2 * step)
		if x := *numberOf(&got, i, k); !(math.Abs(x-want) <= 1e-4*math.Max(1, math.Abs(want))) {
			t.Errorf("sensitivity to number %d of factor %d is %v; a difference is %v", k, i, x, want)
		}
	}
}
`
