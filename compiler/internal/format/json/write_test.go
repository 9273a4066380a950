package json_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// two returns a network of a and its child b, which has the distribution d.
func two(d model.Dist) *model.Model {
	m := &model.Model{Name: "<two>"}
	a, b := m.NewVar("a", "x", "y\n"), m.NewVar("b", "p", "\"q", "")
	a.Latent = true
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{a.ID}, Dist: &model.Table{Values: []float64{1.0 / 3, 2.0 / 3}}},
		{Scope: []model.VarID{a.ID, b.ID}, Child: 1, Dist: d},
	}
	return m
}

const firstLines = `{
  "pgmc": 1,
  "kind": "bayes",
  "name": "<two>",
  "variables": [
    {"name": "a", "states": ["x", "y\n"], "latent": true},
    {"name": "b", "states": ["p", "\"q", ""]}
  ],
  "factors": [
    {
      "scope": ["a"],
      "child": "a",
      "table": [
        0.3333333333333333, 0.6666666666666666
      ]
    },
    {
      "scope": ["a", "b"],
      "child": "b",
      `

const lastLines = `
    }
  ]
}
`

func TestWrite(t *testing.T) {
	for _, c := range []struct {
		name string
		dist model.Dist
		want string
	}{
		{"table", &model.Table{Values: []float64{0.5, 0.25, 0.25, 1e-300, 0.2, 0.8}}, `"table": [
        0.5, 0.25, 0.25,
        1e-300, 0.2, 0.8
      ]`},
		{"deterministic", &model.Deterministic{States: []int32{2, 1}}, `"deterministic": [
        "", "\"q"
      ]`},
		{"noisy-max", &model.NoisyMax{Leak: []float64{0.5, 0.25, 0.25}, Cause: [][]float64{{1, 0, 0, 0, 0.5, 0.5}}}, `"noisy-max": {
        "leak": [0.5, 0.25, 0.25],
        "causes": [
          [
            1, 0, 0,
            0, 0.5, 0.5
          ]
        ]
      }`},
		{"tree", &model.Tree{Nodes: []model.TreeNode{{Axis: 0, Next: []int32{2, 1}}, {Leaf: []float64{1, 0, 0}}, {Leaf: []float64{0, 1, 0}}}}, `"tree": [
        {"test": "a", "next": [2, 1]},
        {"leaf": [1, 0, 0]},
        {"leaf": [0, 1, 0]}
      ]`},
		{"features", &model.Features{List: []model.Feature{{Weight: math.Inf(-1)}, {Weight: 1e21, Literals: []model.Literal{{Axis: 1, State: 1}, {State: 1, Not: true}}}}},
			`"features": [
        {"weight": "-inf"},
        {"weight": 1e+21, "if": [{"var": "b", "is": "\"q"}, {"var": "a", "not": "y\n"}]}
      ]`},
		{"no features", &model.Features{}, `"features": []`},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := two(c.dist)
			if got, want := written(t, m), firstLines+c.want+lastLines; got != want {
				t.Errorf("wrote\n%s\nwant\n%s", got, want)
			}
			same(t, m)
		})
	}
}

// TestWritePotentials writes a circuit, a potential over no variables, and empty distributions.
func TestWritePotentials(t *testing.T) {
	m := &model.Model{Kind: model.Markov}
	a := m.NewVar("a", "x", "y")
	m.Factors = []*model.Factor{
		{Child: -1, Dist: &model.Table{Values: []float64{7}}},
		{Child: -1, Scope: []model.VarID{a.ID}, Dist: &model.Circuit{Nodes: []model.CircuitNode{
			{Op: model.CircuitIndicator, State: 1}, {Value: 0.5}, {Op: model.CircuitProduct, Args: []int32{0, 1}}, {Op: model.CircuitSum}}}},
	}
	const want = `{
  "pgmc": 1,
  "kind": "markov",
  "variables": [
    {"name": "a", "states": ["x", "y"]}
  ],
  "factors": [
    {
      "scope": [],
      "table": [
        7
      ]
    },
    {
      "scope": ["a"],
      "circuit": [
        {"var": "a", "is": "y"},
        {"number": 0.5},
        {"product": [0, 1]},
        {"sum": []}
      ]
    }
  ]
}
`
	if got := written(t, m); got != want {
		t.Errorf("wrote\n%s\nwant\n%s", got, want)
	}
	same(t, m)
	same(t, &model.Model{Kind: model.Dependency})
}

// TestExact checks numbers and names that are hard to print.
func TestExact(t *testing.T) {
	m := two(&model.Table{Values: []float64{math.SmallestNonzeroFloat64, math.Nextafter(0.1, 1), math.MaxFloat64, math.Copysign(0, -1), 1e-7, 123456789}})
	m.Vars[0].Domain = model.Discrete{States: []string{"a\x00\t\r\u2028", "\x7f'&\\u0041\ufffd\U0001F600"}}
	same(t, m)
}

// TestWriteForest writes an LDFM without stop weights and one with.
func TestWriteForest(t *testing.T) {
	m := &model.Model{Kind: model.Forest}
	a, b := m.NewVar("a", "x"), m.NewVar("b", "y", "z")
	m.Factors = []*model.Factor{{Child: -1, Scope: []model.VarID{a.ID, b.ID}, Dist: &model.LDFM{
		Weights: []float64{.5, .25, .25, 0, .5, .5, 1, 0, 0, 1, 0, 0}}}}
	const want = `{
  "pgmc": 1,
  "kind": "forest",
  "variables": [
    {"name": "a", "states": ["x"]},
    {"name": "b", "states": ["y", "z"]}
  ],
  "factors": [
    {
      "scope": ["a", "b"],
      "ldfm": {
        "weights": [
          0.5, 0.25, 0.25,
          0, 0.5, 0.5,
          1, 0, 0,
          1, 0, 0
        ]
      }
    }
  ]
}
`
	if got := written(t, m); got != want {
		t.Errorf("wrote\n%s\nwant\n%s", got, want)
	}
	same(t, m)
	same(t, irtest.ContextForest())

}

// TestWriteReal writes an LDFM with a real variable, and reads it back. Other formats must reject
// it with the reason.
func TestWriteReal(t *testing.T) {
	m := irtest.RandomRealForest(1, []int{2, 0, 0}, true)
	text := written(t, m)
	for _, want := range []string{`{"name": "x1", "real": true}`, `"normals": [`} {
		if !strings.Contains(text, want) {
			t.Errorf("wrote %s; want %s", text, want)
		}
	}
	same(t, m)
	for _, f := range compiler.Formats {
		if f.Write == nil || f.Takes&model.Reals != 0 {
			continue
		}
		_, err := format.Encode(nil, f, "out", m)
		var untaken *model.Untaken
		if !errors.As(err, &untaken) {
			t.Errorf("%s: %v; want it to take no such model", f.Name, err)
		}
	}
}
