package model_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
)

// listingText joins the parts of a listing: heads, rows and lines, separated by semicolons.
func listingText(l *model.Listing) string {
	var parts []string
	if l.Heads != nil {
		parts = append(parts, strings.Join(l.Heads, " "))
	}
	for _, row := range l.Rows {
		parts = append(parts, strings.Join(row, " "))
	}
	return strings.Join(append(parts, l.Lines...), "; ")
}

// TestListDiscrete lists CPDs of c with parents a and b.
func TestListDiscrete(t *testing.T) {
	for _, c := range []struct {
		name, scope string
		dist        model.Dist
		want        string
	}{
		{"table, child first", "ca", &model.Table{Values: []float64{.5, 1. / 3, .25, 1. / 3, .25, 1. / 3}},
			"a c=0 c=1 c=2; 0 0.5 0.25 0.25; 1 0.333333 0.333333 0.333333"},
		{"root", "c", &model.Table{Values: []float64{.5, .25, .25}}, "c probability; 0 0.5; 1 0.25; 2 0.25"},
		{"deterministic", "ac", &model.Deterministic{States: []int32{2, 0}}, "a c; 0 2; 1 0"},
		{"noisy-max", "ac", &model.NoisyMax{Leak: []float64{.5, .5, 0}, Cause: [][]float64{{1, 0, 0, .5, .25, .25}}},
			"cause state c=0 c=1 c=2; (leak)  0.5 0.5 0; a 0 1 0 0; a 1 0.5 0.25 0.25; c is the maximum of the contributions, in the order of its states."},
		{"tree", "acb", &model.Tree{Nodes: []model.TreeNode{
			{Axis: 0, Next: []int32{1, 4}},
			{Axis: 2, Next: []int32{2, 3, 2}}, {Leaf: []float64{1, 0, 0}}, {Leaf: []float64{0, 1, 0}},
			{Leaf: []float64{.5, .25, .25}},
		}}, "a=0:;   b=0|2: 0 1, 1 0, 2 0;   b=1: 0 0, 1 1, 2 0; a=1: 0 0.5, 1 0.25, 2 0.25"},
		{"features", "ac", &model.Features{List: []model.Feature{
			{Weight: -1.5, Literals: []model.Literal{{Axis: 0, State: 1, Not: true}, {Axis: 1, State: 2}}}, {Weight: 4}}},
			"weight if; -1.5 a!=1, c=2; 4 (always); A state has the exponential of the sum of the weights of the rows that hold, divided by the sum over all states."},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, f := family(c.dist, c.scope)
			if got := listingText(m.List(f, 100)); got != c.want {
				t.Errorf("found %s\nwant  %s", got, c.want)
			}
		})
	}
}

// TestListLimit checks that rows beyond the limit are counted.
func TestListLimit(t *testing.T) {
	m, f := family(&model.Table{Values: make([]float64, 18)}, "abc")
	if l := m.List(f, 4); len(l.Rows) != 4 || l.More != 2 {
		t.Errorf("found %d rows and %d more; want 4 and 2", len(l.Rows), l.More)
	}
	m, f = family(&model.Circuit{}, "abc")
	if l := m.List(f, 4); l != nil {
		t.Errorf("found %v for a circuit; want nil", l)
	}
}

// TestListReal lists distributions of real variables: y and z are real, d has two states.
func TestListReal(t *testing.T) {
	for _, c := range []struct {
		name   string
		scope  string
		child  int
		dist   model.Dist
		expect string
	}{
		{"gaussian", "yz", 1, &model.Gaussian{Mean: []float64{0}, Coef: []float64{-.5}, Var: []float64{0}}, "z = -0.5·y, exactly"},
		{"gaussian without parents", "y", 0, &model.Gaussian{Mean: []float64{0}, Var: []float64{4}}, "y = 0, variance 4"},
		{"clg", "dyz", 2, &model.Gaussian{Mean: []float64{1, -1}, Coef: []float64{2, 0}, Var: []float64{.25, 4}},
			"d mean of z variance; 0 1 + 2·y 0.25; 1 -1 4"},
		{"softmax", "yd", 1, &model.Softmax{Bias: []float64{0, 1}, Coef: []float64{0, -2}},
			"ln weight(d=0) = 0; ln weight(d=1) = 1 - 2·y; A state has its weight divided by the sum of the weights."},
		{"func", "yz", 1, &model.Func{Nodes: []model.FuncNode{{Op: model.FuncVar, Axis: 0}, {Op: model.FuncSin, A: 0}}, Var: []float64{.5}},
			"z = sin(y), variance 0.5"},
		{"canonical", "yz", -1, &model.Canonical{K: []float64{2, -1, 4}, H: []float64{0, 3}, G: []float64{-1}},
			"ln value = -1 + 3·z - 1·y·y + 1·y·z - 2·z·z"},
		{"impossible", "dy", -1, &model.Canonical{K: []float64{2, 2}, H: []float64{0, 3}, G: []float64{math.Inf(-1), 0}},
			"d ln value; 0 -Inf - 1·y·y; 1 3·y - 1·y·y"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := &model.Model{}
			m.NewVar("d", "0", "1")
			m.NewReal("y")
			m.NewReal("z")
			f := &model.Factor{Child: c.child, Dist: c.dist}
			for _, r := range c.scope {
				f.Scope = append(f.Scope, model.VarID(slices.Index([]rune("dyz"), r)))
			}
			if got := listingText(m.List(f, 100)); got != c.expect {
				t.Errorf("found %s\nwant  %s", got, c.expect)
			}
		})
	}
}
