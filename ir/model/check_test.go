package model_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// at returns a position in the file of twoNodes.
func at(line, col int) diag.Pos { return diag.Pos{File: "m.bif", Line: line, Col: col} }

// twoNodes is the network a -> b, with two and three states. a is declared at 1:1, b at 2:1, their
// CPDs are at 3:1 and 4:1, and the rows of b's at 5:1 and 6:1. The scope of b's CPD is b, a.
func twoNodes() *model.Model {
	m := &model.Model{Name: "two", File: "m.bif"}
	m.NewVar("a", "a0", "a1").Pos = at(1, 1)
	m.NewVar("b", "b0", "b1", "b2").Pos = at(2, 1)
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{0}, Dist: &model.Table{Values: []float64{.25, .75}}, Pos: at(3, 1)},
		{Scope: []model.VarID{1, 0}, Dist: &model.Table{Values: []float64{.5, .1, .25, .6, .25, .3}}, Pos: at(4, 1), RowPos: []diag.Pos{at(5, 1), at(6, 1)}},
	}
	return m
}

// circuit turns the potential over b and a into a circuit.
func circuit(nodes ...model.CircuitNode) func(*model.Model) {
	return func(m *model.Model) {
		m.Kind, m.Factors[1].Child, m.Factors[1].Dist = model.Markov, -1, &model.Circuit{Nodes: nodes}
	}
}

// lines returns the messages of a list, one a line.
func lines(ds []diag.Diagnostic) string {
	var text []string
	for _, d := range ds {
		text = append(text, d.Error())
	}
	return strings.Join(text, "\n")
}

func TestCheck(t *testing.T) {
	b := func(m *model.Model) *model.Factor { return m.Factors[1] }
	for _, c := range []struct {
		name string
		edit func(m *model.Model)
		want string
	}{
		{"good", func(m *model.Model) {}, ""},
		{"no variables", func(m *model.Model) { *m = model.Model{} }, ""},
		{"id", func(m *model.Model) { m.Vars[1].ID = 7 }, `m.bif:2:1: variable "b" has id 7; want 1, its place in the list`},
		{"declared twice", func(m *model.Model) { m.Vars[1].Name = "a" }, `m.bif:2:1: variable "a" is declared twice; first at m.bif:1:1`},
		{"file of the model where a position has none", func(m *model.Model) { m.Vars[1].Name, m.Vars[0].Pos, m.Vars[1].Pos = "a", diag.Pos{}, diag.Pos{} },
			`m.bif: variable "a" is declared twice; first at m.bif`},
		{"no domain", func(m *model.Model) { m.Vars[0].Domain = nil }, `m.bif:1:1: variable "a" has no domain`},
		{"no states", func(m *model.Model) { m.Vars[0].Domain = model.Discrete{} }, `m.bif:1:1: variable "a" has no states; want at least one`},
		{"too many states", func(m *model.Model) {
			states := make([]string, model.MaxStates+1)
			for i := range states {
				states[i] = fmt.Sprint(i)
			}
			m.Vars[0].Domain = model.Discrete{States: states}
		}, `m.bif:1:1: variable "a" has 65536 states; want at most 65535`},
		{"state twice", func(m *model.Model) { m.Vars[0].Domain = model.Discrete{States: []string{"x", "x"}} },
			`m.bif:1:1: variable "a" has two states called "x"`},
		{"unknown variable", func(m *model.Model) { b(m).Scope[1] = 2 }, `m.bif:4:1: factor names variable number 2; there are 2 variables`},
		{"negative variable", func(m *model.Model) { b(m).Scope[1] = -1 }, `m.bif:4:1: factor names variable number -1; there are 2 variables`},
		{"variable twice in a scope", func(m *model.Model) { b(m).Scope[1] = 1 }, `m.bif:4:1: factor names "b" twice`},
		{"potential in a Bayesian network", func(m *model.Model) { b(m).Child = -1 },
			`m.bif:4:1: factor has no child; a Bayesian network is made of CPDs only`},
		{"child outside the scope", func(m *model.Model) { b(m).Child = 2 },
			`m.bif:4:1: factor has no child; a Bayesian network is made of CPDs only`},
		{"potential that needs a child", func(m *model.Model) {
			m.Kind, b(m).Child, b(m).Dist = model.Markov, -1, &model.Deterministic{}
		}, `m.bif:4:1: potential over "b", "a" is of kind deterministic; want that in a CPD`},
		{"CPD that is a circuit", func(m *model.Model) { b(m).Dist = &model.Circuit{} },
			`m.bif:4:1: CPD of "b" is of kind circuit; want that in a potential`},
		{"leaf of a potential", func(m *model.Model) {
			m.Kind, b(m).Child, b(m).Dist = model.Markov, -1, &model.Tree{Nodes: []model.TreeNode{{Leaf: []float64{1, 2}}}}
		}, `m.bif:4:1: potential over "b", "a" has a leaf with 2 numbers; want 1`},
		{"weight", func(m *model.Model) { b(m).Dist = &model.Features{List: []model.Feature{{}, {Weight: math.NaN()}}} },
			`m.bif:6:1: CPD of "b" has a feature of weight NaN; want a number or minus infinity`},
		{"weights too large", func(m *model.Model) {
			m.Kind, b(m).Child, b(m).Dist = model.Markov, -1, &model.Features{List: []model.Feature{{Weight: 400}, {Weight: -1}, {Weight: 400}}}
		}, `m.bif:4:1: potential over "b", "a" has positive weights that sum to 800; want at most 700, so that its values are finite`},
		{"position of a literal", func(m *model.Model) {
			b(m).Dist = &model.Features{List: []model.Feature{{Literals: []model.Literal{{Axis: 2}}}}}
		}, `m.bif:5:1: CPD of "b" tests position 2 of its scope; want 0 to 1`},
		{"state of a literal", func(m *model.Model) {
			b(m).Dist = &model.Features{List: []model.Feature{{Literals: []model.Literal{{Axis: 1, State: 2}}}}}
		}, `m.bif:5:1: CPD of "b" tests state number 2 of "a"; want 0 to 1`},
		{"circuit without nodes", circuit(), `m.bif:4:1: potential over "b", "a" is a circuit without nodes`},
		{"number of a circuit", circuit(model.CircuitNode{Value: -1}),
			`m.bif:5:1: potential over "b", "a": node 0 is the number -1; want one of at least 0`},
		{"operand of a circuit", circuit(model.CircuitNode{Op: model.CircuitSum}, model.CircuitNode{Op: model.CircuitProduct, Args: []int32{0, 1}}),
			`m.bif:6:1: potential over "b", "a": node 1 has operand 1; want a node before it`},
		{"position of an indicator", circuit(model.CircuitNode{Op: model.CircuitIndicator, Axis: -1}),
			`m.bif:5:1: potential over "b", "a": node 0 tests position -1 of the scope; want 0 to 1`},
		{"state of an indicator", circuit(model.CircuitNode{Op: model.CircuitIndicator, State: 3}),
			`m.bif:5:1: potential over "b", "a": node 0 tests state number 3 of "b"; want 0 to 2`},
		{"operation of a circuit", circuit(model.CircuitNode{Op: 9}), `m.bif:5:1: potential over "b", "a": node 0 has unknown operation 9`},
		{"constant potential", func(m *model.Model) {
			m.Kind = model.Markov
			*b(m) = model.Factor{Child: -1, Dist: &model.Table{Values: []float64{1, 2}}, Pos: at(9, 1)}
		}, `m.bif:9:1: constant potential has 2 numbers; want 1, one for each joint state`},
		{"length of a table", func(m *model.Model) { b(m).Dist = &model.Table{Values: make([]float64, 5)} },
			`m.bif:4:1: CPD of "b" has 5 numbers; want 6, one for each joint state`},
		{"negative number, at its row", func(m *model.Model) { b(m).Dist.(*model.Table).Values[1] = -1 },
			`m.bif:6:1: CPD of "b" holds -1; want a number of at least 0`},
		{"NaN", func(m *model.Model) { m.Factors[0].Dist.(*model.Table).Values[1] = math.NaN() },
			`m.bif:3:1: CPD of "a" holds NaN; want a number of at least 0`},
		{"infinity", func(m *model.Model) { m.Factors[0].Dist.(*model.Table).Values[1] = math.Inf(1) },
			`m.bif:3:1: CPD of "a" holds +Inf; want a number of at least 0`},
		{"length of a deterministic CPD", func(m *model.Model) { b(m).Dist = &model.Deterministic{States: []int32{0}} },
			`m.bif:4:1: CPD of "b" has 1 states; want 2, one for each joint state of the parents`},
		{"state of a deterministic CPD", func(m *model.Model) { b(m).Dist = &model.Deterministic{States: []int32{0, 3}} },
			`m.bif:4:1: CPD of "b" names state number 3; want 0 to 2`},
		{"negative state of a deterministic CPD", func(m *model.Model) { b(m).Dist = &model.Deterministic{States: []int32{0, -1}} },
			`m.bif:4:1: CPD of "b" names state number -1; want 0 to 2`},
		{"leak", func(m *model.Model) { b(m).Dist = &model.NoisyMax{Leak: []float64{1, 0}} },
			`m.bif:4:1: CPD of "b" is a noisy-max with 2 leak numbers and 0 causes; want 3 and 1`},
		{"cause", func(m *model.Model) {
			b(m).Dist = &model.NoisyMax{Leak: []float64{1, 0, 0}, Cause: [][]float64{{1, 0, 0}}}
		}, `m.bif:4:1: CPD of "b" has 3 noisy-max numbers for "a"; want 6`},
		{"empty tree", func(m *model.Model) { b(m).Dist = &model.Tree{} }, `m.bif:4:1: CPD of "b" is an empty tree`},
		{"leaf", func(m *model.Model) { b(m).Dist = &model.Tree{Nodes: []model.TreeNode{{Leaf: []float64{1}}}} },
			`m.bif:4:1: CPD of "b" has a leaf with 1 numbers; want 3`},
		{"test of the child", func(m *model.Model) { b(m).Dist = &model.Tree{Nodes: []model.TreeNode{{Axis: 0}}} },
			`m.bif:4:1: CPD of "b" tests position 0 of its scope; want one of its parents`},
		{"test outside the scope", func(m *model.Model) { b(m).Dist = &model.Tree{Nodes: []model.TreeNode{{Axis: 2}}} },
			`m.bif:4:1: CPD of "b" tests position 2 of its scope; want one of its parents`},
		{"branches", func(m *model.Model) { b(m).Dist = &model.Tree{Nodes: []model.TreeNode{{Axis: 1, Next: []int32{1}}}} },
			`m.bif:4:1: CPD of "b" has a test of "a" with 1 branches; want 2`},
		{"branch to itself", func(m *model.Model) { b(m).Dist = &model.Tree{Nodes: []model.TreeNode{{Axis: 1, Next: []int32{0, 1}}}} },
			`m.bif:4:1: CPD of "b" has node 0 under node 0; want a later one of 1`},
		{"branch to nowhere", func(m *model.Model) { b(m).Dist = &model.Tree{Nodes: []model.TreeNode{{Axis: 1, Next: []int32{9, 9}}}} },
			`m.bif:4:1: CPD of "b" has node 9 under node 0; want a later one of 1`},
		{"no numbers", func(m *model.Model) { b(m).Dist = nil }, `m.bif:4:1: CPD of "b" has no numbers`},
		{"second CPD", func(m *model.Model) { b(m).Child = 1 },
			"m.bif:4:1: variable \"a\" has a second probability block; the first is at m.bif:3:1\n" +
				`m.bif:2:1: variable "b" has no probability block`},
		{"no CPD", func(m *model.Model) { m.Factors = m.Factors[:1] }, `m.bif:2:1: variable "b" has no probability block`},
		{"cycle", func(m *model.Model) {
			*m.Factors[0] = model.Factor{Scope: []model.VarID{1, 0}, Child: 1, Dist: &model.Table{Values: make([]float64, 6)}, Pos: at(3, 1)}
		}, `m.bif:4:1: the parents form a cycle: b -> a -> b`},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := twoNodes()
			c.edit(m)
			list := m.Check()
			if got := lines(list.Errors()); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestTableTooLarge(t *testing.T) {
	m := &model.Model{Kind: model.Markov}
	f := &model.Factor{Child: -1, Dist: &model.Table{}}
	for i := range 32 {
		f.Scope = append(f.Scope, m.NewVar(fmt.Sprint(i), "0", "1").ID)
	}
	m.Factors = append(m.Factors, f)
	list := m.Check()
	if err := list.Err(); err == nil || !strings.Contains(err.Error(), "has 0 numbers; want 4294967296, one for each joint state") {
		t.Errorf("got %v; want a table of 2^32 refused", err)
	}
}

// graph returns a Bayesian network of binary variables. Each string lists a variable's parents, by
// letter.
func graph(parents ...string) *model.Model {
	m := &model.Model{}
	for i := range parents {
		m.NewVar(string(rune('a'+i)), "0", "1")
	}
	for i, ps := range parents {
		f := &model.Factor{Scope: []model.VarID{model.VarID(i)}}
		for _, p := range ps {
			f.Scope = append(f.Scope, model.VarID(p-'a'))
		}
		f.Dist = &model.Table{Values: make([]float64, 1<<len(f.Scope))}
		m.Factors = append(m.Factors, f)
	}
	return m
}

func TestTopological(t *testing.T) {
	for _, c := range []struct {
		name    string
		parents []string
		want    string
		cycle   string
	}{
		{"empty", nil, "", ""},
		{"declared in order", []string{"", "a", "ab"}, "abc", ""},
		{"declared backwards", []string{"b", "c", ""}, "cba", ""},
		{"as early as declared", []string{"", "d", "", "a"}, "adbc", ""},
		{"diamond", []string{"", "a", "a", "bc"}, "abcd", ""},
		{"own parent is refused as a scope", []string{"", "c", "b"}, "", "the parents form a cycle: c -> b -> c"},
		{"long cycle, reached from outside", []string{"b", "d", "b", "c"}, "", "the parents form a cycle: c -> d -> b -> c"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := graph(c.parents...)
			list := m.Check()
			if c.cycle != "" {
				if err := list.Err(); err == nil || !strings.HasSuffix(err.Error(), c.cycle) {
					t.Errorf("got %v; want %s", err, c.cycle)
				}
				return
			}
			got := ""
			for _, v := range m.Topological() {
				got += m.Vars[v].Name
			}
			if got != c.want || list.HasErrors() {
				t.Errorf("got %s, %v; want %s", got, list.Err(), c.want)
			}
		})
	}
}

// A path as long as that of a large network must not exhaust the stack.
func TestTopologicalLongChain(t *testing.T) {
	m := &model.Model{}
	const n = 50000
	for i := range n {
		m.NewVar(fmt.Sprint(i), "0")
		f := &model.Factor{Scope: []model.VarID{model.VarID(i)}, Dist: &model.Table{Values: []float64{1}}}
		if i+1 < n {
			f.Scope = append(f.Scope, model.VarID(i+1))
		}
		m.Factors = append(m.Factors, f)
	}
	order := m.Topological()
	slices.Reverse(order)
	if !slices.IsSorted(order) || len(order) != n {
		t.Error("a chain declared from its end is not turned round")
	}
}
