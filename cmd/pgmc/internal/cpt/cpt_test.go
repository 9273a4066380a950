package cpt_test

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cpt"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

const limit = 1 << 16

// TestRoundTrip writes every CPD of random models and reads it back, with columns and rows in
// reverse order too. Tables, noisy-max and Gaussian CPDs return as they were, and others of states
// with the same values.
func TestRoundTrip(t *testing.T) {
	kinds := map[string]int{}
	for seed := range uint64(60) {
		for _, m := range []*model.Model{
			irtest.RandomModel(seed, irtest.Options{Kinds: []model.Kind{model.Bayes}, MaxVars: 7, MaxJoint: 1 << 12}),
			irtest.RandomHybrid(seed, irtest.HybridOptions{}),
		} {
			for _, f := range m.Factors {
				kinds[f.Dist.Kind()]++
				var text bytes.Buffer
				if err := cpt.Write(&text, m, f, limit); err != nil {
					t.Fatal(err)
				}
				for _, text := range []string{text.String(), reversed(text.String())} {
					d, err := cpt.Read("cpt.csv", strings.NewReader(text), m, f, limit)
					if err != nil {
						t.Fatalf("seed %d, %s: %v\n%s", seed, m.FactorName(f), err, text)
					}
					compare(t, m, f, d)
				}
			}
		}
	}
	for _, kind := range []string{"table", "noisy-max", "tree", "deterministic", "features", "gaussian"} {
		if kinds[kind] < 10 {
			t.Errorf("%d CPDs of kind %s; want 10", kinds[kind], kind)
		}
	}
}

// reversed returns rows and columns of a CSV without quotes in reverse order, after its head.
func reversed(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range lines {
		cells := strings.Split(line, ",")
		slices.Reverse(cells)
		lines[i] = strings.Join(cells, ";")
	}
	slices.Reverse(lines[1:])
	return strings.Join(lines, "\r\n")
}

// compare compares d with the CPD f.
func compare(t *testing.T, m *model.Model, f *model.Factor, d model.Dist) {
	t.Helper()
	switch f.Dist.(type) {
	case *model.NoisyMax, *model.Gaussian:
		if !reflect.DeepEqual(d.Numbers(), f.Dist.Numbers()) || d.Kind() != f.Dist.Kind() {
			t.Fatalf("%s: got %v; want %v", m.FactorName(f), d, f.Dist)
		}
		return
	}
	g := &model.Factor{Scope: append(f.Parents(), f.ChildVar()), Child: len(f.Scope) - 1, Dist: d}
	state := make([]int, len(m.Vars))
	for more := true; more; more = m.Next(g.Scope, state) {
		if got, want := m.Value(g, state), m.Value(f, state); got != want {
			t.Fatalf("%s at %v: got %v; want %v", m.FactorName(f), state, got, want)
		}
	}
}

func TestSoftmax(t *testing.T) {
	m := &model.Model{Kind: model.Bayes}
	x, g, c := m.NewReal("x").ID, m.NewVar("g", "a", "b").ID, m.NewVar("c, d", "no", "yes").ID
	f := &model.Factor{Scope: []model.VarID{g, x, c}, Child: 2, Dist: &model.Softmax{Bias: []float64{0, .5, 1, 1.5}, Coef: []float64{1, 2, 3, 4}}}
	var text bytes.Buffer
	if err := cpt.Write(&text, m, f, limit); err != nil {
		t.Fatal(err)
	}
	want := "g,\"c, d\",bias,x\na,no,0,1\na,yes,0.5,2\nb,no,1,3\nb,yes,1.5,4\n"
	if text.String() != want {
		t.Errorf("got\n%s\nwant\n%s", text.String(), want)
	}
	d, err := cpt.Read("c.csv", &text, m, f, limit)
	if err != nil || !reflect.DeepEqual(d, f.Dist) {
		t.Errorf("got %v, %v", d, err)
	}
}

func FuzzRead(f *testing.F) {
	m := irtest.Asia()
	v, _ := m.VarByName("dysp")
	of := m.CPD(v.ID)
	var text bytes.Buffer
	if err := cpt.Write(&text, m, of, limit); err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{text.String(), "", "\ufeffa;b", "cause,state,dysp=yes,dysp=no\n(leak),,1,0\n", "either\n\"", "either,bronc,dysp=yes,dysp=no\nyes,yes,NaN,1e999\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := cpt.Read("x.csv", strings.NewReader(text), m, of, limit)
		if err == nil && d.Size() == 0 {
			t.Error("a CPD without numbers")
		}
	})
}
