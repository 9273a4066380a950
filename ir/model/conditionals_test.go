package model_test

import (
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestDependency compares each CPD with enumeration: its row for a joint state of all other
// variables is the distribution given that state.
func TestDependency(t *testing.T) {
	trees, features := 0, 0
	for seed := range uint64(150) {
		m := irtest.RandomModel(seed, irtest.Options{MaxVars: 7, MaxStates: 3, MaxJoint: 500, NoZeros: seed%3 > 0, Kinds: []model.Kind{model.Bayes, model.Markov}})
		if list := m.Check(); list.HasErrors() {
			t.Fatal(list.Err())
		}
		j, err := brute.New(m)
		if err != nil {
			t.Fatal(err)
		}
		dn, uniform, err := m.Dependency(1 << 16)
		if err != nil {
			t.Fatal(err)
		}
		if list := dn.Check(); list.HasErrors() {
			t.Fatalf("seed %d: %v", seed, list.Err())
		}
		p := j.Conditional(brute.Evidence{})
		for n, f := range dn.Factors {
			switch f.Dist.(type) {
			case *model.Tree:
				trees++
			case *model.Features:
				features++
			}
			for i := range p {
				if state := j.State(i); state[n] == 0 {
					compareRow(t, dn, f, j, p, state)
				}
			}
		}
		if seed%3 > 0 && uniform > 0 {
			t.Errorf("%d rows are uniform, where nothing is impossible", uniform)
		}
		c := dn.Consistency(1 << 24)
		if v := c.Verdict(1e-9); seed%3 > 0 && v != model.Consistent || v == model.Inconsistent {
			t.Errorf("%v: %+v", v, c)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if trees < 20 || features < 5 {
		t.Errorf("%d trees and %d lists of features; want 20 and 5 at least", trees, features)
	}
}

// compareRow compares the CPD f in a state of all other variables, if that state has positive
// probability.
func compareRow(t *testing.T, dn *model.Model, f *model.Factor, j *brute.Joint, p []float64, state []int) {
	t.Helper()
	v := f.ChildVar()
	var want []float64
	sum := 0.0
	for s := range dn.Card(v) {
		state[v] = s
		want = append(want, p[j.Index(state)])
		sum += want[s]
	}
	for s := range want {
		if state[v] = s; sum > 0 && !irtest.Near(dn.Value(f, state), want[s]/sum, 1e-9) {
			t.Errorf("P(%s=%d|%v) is %v; want %v", dn.Vars[v].Name, s, state, dn.Value(f, state), want[s]/sum)
		}
	}
}

// TestDependencyOfTrees checks that trees keep context-specific independence: if a chooses b, no
// other variable is tested. Given a=0, x and b are adjacent, and given a=1, x and c are.
func TestDependencyOfTrees(t *testing.T) {
	m := &model.Model{Name: "multiplexer"}
	for _, name := range []string{"a", "b", "c", "x"} {
		m.NewVar(name, "0", "1")
	}
	for v := range model.VarID(3) {
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v}, Child: 0, Dist: &model.Table{Values: []float64{.5, .5}}})
	}
	m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{0, 1, 2, 3}, Child: 3, Dist: &model.Tree{Nodes: []model.TreeNode{
		{Axis: 0, Next: []int32{1, 2}},
		{Axis: 1, Next: []int32{3, 4}}, {Axis: 2, Next: []int32{4, 3}},
		{Leaf: []float64{.9, .1}}, {Leaf: []float64{.2, .8}}}}})
	if list := m.Check(); list.HasErrors() {
		t.Fatal(list.Err())
	}
	dn, _, err := m.Dependency(100)
	if err != nil {
		t.Fatal(err)
	}
	tree := dn.Factors[1].Dist.(*model.Tree) // of b: it tests a, then x, or else b is uniform
	if leaves, want := leavesOf(tree), 3; leaves != want {
		t.Errorf("the tree of b has %d leaves; want %d: %+v", leaves, want, tree.Nodes)
	}
	// P(b=0|a=0,x=0) = .9 / (.9 + .2)
	if got, want := dn.Value(dn.Factors[1], []int{0, 0, 0, 0}), .9/1.1; !irtest.Near(got, want, 1e-12) {
		t.Errorf("P(b=0|a=0,x=0) is %v; want %v", got, want)
	}
	if got := dn.Value(dn.Factors[1], []int{1, 0, 0, 0}); got != .5 {
		t.Errorf("P(b=0|a=1) is %v; want .5", got)
	}
}

func leavesOf(d *model.Tree) (n int) {
	for _, x := range d.Nodes {
		if x.Leaf != nil {
			n++
		}
	}
	return n
}

// TestDependencyTooLarge checks that the error names the variable whose blanket is too large.
func TestDependencyTooLarge(t *testing.T) {
	_, _, err := irtest.Student().Dependency(20)
	if err == nil || !strings.Contains(err.Error(), `the Markov blanket of "`) || !strings.Contains(err.Error(), "the limit is 20 for all conditionals together") {
		t.Errorf("%v; want a refusal", err)
	}
}

// pairNetwork returns a dependency network of two binary variables, by P(a=0|b=0), P(a=0|b=1),
// P(b=0|a=0) and P(b=0|a=1).
func pairNetwork(a0, a1, b0, b1 float64) *model.Model {
	m := &model.Model{Name: "pair", Kind: model.Dependency}
	for _, name := range []string{"a", "b"} {
		m.NewVar(name, "0", "1")
	}
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{1, 0}, Child: 1, Dist: &model.Table{Values: []float64{a0, 1 - a0, a1, 1 - a1}}},
		{Scope: []model.VarID{0, 1}, Child: 1, Dist: &model.Table{Values: []float64{b0, 1 - b0, b1, 1 - b1}}},
	}
	return m
}

// TestConsistency compares with odds ratios computed by hand. The third pair is the one on which
// mean field oscillates: a follows b, and b is the opposite of a. In the fourth both follow each
// other, but impossible states could have any CPD.
func TestConsistency(t *testing.T) {
	for _, c := range []struct {
		m       *model.Model
		largest float64
		verdict model.Verdict
	}{
		{pairNetwork(.8, .3, .6, .1), math.Log(.6 / .4 * .9 / .1 / (.8 / .2 * .7 / .3)), model.Inconsistent},
		{pairNetwork(.8, .3, 8./11, 2./9), 0, model.Consistent}, // P(b=0) = 1/2
		{pairNetwork(1, 0, 0, 1), math.Inf(1), model.Inconsistent},
		{pairNetwork(1, 0, 1, 0), 0, model.Open},
	} {
		if list := c.m.Check(); list.HasErrors() {
			t.Fatal(list.Err())
		}
		got := c.m.Consistency(1000)
		if got.Pairs != 1 || got.Partly != 0 || !(irtest.Near(got.Largest, c.largest, 1e-12) || got.Largest == c.largest) || got.Verdict(1e-9) != c.verdict {
			t.Errorf("%+v, %v; want %v, %v", got, got.Verdict(1e-9), c.largest, c.verdict)
		}
	}
}

// TestConsistencyInContext checks that the one state of a third variable in which two CPDs disagree
// is found.
func TestConsistencyInContext(t *testing.T) {
	m := &model.Model{Name: "context", Kind: model.Dependency}
	for _, name := range []string{"a", "b", "c"} {
		m.NewVar(name, "0", "1")
	}
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{2, 1, 0}, Child: 2, Dist: &model.Table{Values: []float64{.5, .5, .5, .5, .8, .2, .3, .7}}},
		{Scope: []model.VarID{1}, Child: 0, Dist: &model.Table{Values: []float64{.5, .5}}},
		{Scope: []model.VarID{2}, Child: 0, Dist: &model.Table{Values: []float64{.5, .5}}},
	}
	if list := m.Check(); list.HasErrors() {
		t.Fatal(list.Err())
	}
	got := m.Consistency(1000)
	// Given c=1, a depends on b by an odds ratio of 28/3, and b on a by a ratio of 1; a and c
	// disagree less, given b=0 by ln 4.
	if want := math.Log(28. / 3); !irtest.Near(got.Largest, want, 1e-12) || got.Vars != [2]model.VarID{0, 1} || got.Given[2] != 1 || got.Pairs != 2 {
		t.Errorf("%+v; want a and b given c=1, %v", got, want)
	}
}

// TestConsistencyStops checks that a network too large to enumerate is reported as partly compared.
func TestConsistencyStops(t *testing.T) {
	m := &model.Model{Name: "wide", Kind: model.Dependency}
	const n = 18
	var scope []model.VarID
	for i := range n {
		m.NewVar(string(rune('a'+i)), "0", "1")
		scope = append(scope, model.VarID(i))
	}
	for i := range n {
		if i == 0 {
			values := make([]float64, 1<<n)
			for k := range values {
				values[k] = .5
			}
			m.Factors = append(m.Factors, &model.Factor{Scope: scope, Child: 0, Dist: &model.Table{Values: values}})
			continue
		}
		m.Factors = append(m.Factors, &model.Factor{Scope: scope[i : i+1], Child: 0, Dist: &model.Table{Values: []float64{.5, .5}}})
	}
	if got := m.Consistency(100_000); got.Partly != n-1 || got.Verdict(1e-9) != model.Open {
		t.Errorf("%+v, %v; want all pairs in part", got, got.Verdict(1e-9))
	}
}
