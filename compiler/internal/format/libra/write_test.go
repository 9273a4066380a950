package libra_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/libra"
	"github.com/pgmc-go/pgmc/ir/model"
)

// allKinds returns a Bayesian network with a CPD of every kind.
func allKinds() *model.Model {
	m := &model.Model{Name: "all"}
	two := []string{"no", "yes"}
	a, b := m.NewVar("a", "low", "mid", "high"), m.NewVar("b", two...)
	c, d, e, f := m.NewVar("c", two...), m.NewVar("d", two...), m.NewVar("e", "0", "1", "2"), m.NewVar("f", two...)
	f.Latent = true
	ab := []model.VarID{a.ID, b.ID}
	m.Factors = []*model.Factor{
		{Scope: ab[:1], Dist: &model.Table{Values: []float64{0.1, 0.2, 0.7}}},
		{Scope: []model.VarID{b.ID, a.ID}, Dist: &model.Table{Values: []float64{0.1, 0.3, 0, 0.9, 0.7, 1}}}, // the child first
		{Scope: append(ab, c.ID), Child: 2, Dist: &model.Deterministic{States: []int32{0, 1, 1, 1, 0, 1}}},
		{Scope: append(ab, d.ID), Child: 2, Dist: &model.NoisyMax{Leak: []float64{0.9, 0.1}, Cause: [][]float64{{1, 0, 0.5, 0.5, 0.25, 0.75}, {1, 0, 0.5, 0.5}}}},
		{Scope: append(ab, e.ID), Child: 2, Dist: &model.Tree{Nodes: []model.TreeNode{
			{Axis: 0, Next: []int32{1, 2, 3}}, // a test with three outcomes, two of them shared
			{Axis: 1, Next: []int32{2, 3}},
			{Leaf: []float64{0.5, 0.25, 0.25}},
			{Leaf: []float64{0.125, 0.875, 0}},
		}}},
		{Scope: append(ab, f.ID), Child: 2, Dist: &model.Features{List: []model.Feature{
			{Weight: 0.5, Literals: []model.Literal{{Axis: 2, State: 1}}},
			{Weight: -1.5, Literals: []model.Literal{{Axis: 2, State: 1}, {Axis: 0, State: 2, Not: true}, {Axis: 1, State: 0}}},
		}}},
	}
	return m
}

// TestWriteAllKinds writes every kind of CPD to every format that can hold it, and compares the
// joint distribution.
func TestWriteAllKinds(t *testing.T) {
	names := []string{"names of variables", "names of states", "marks of latent variables", "name of the network"}
	for _, c := range []struct {
		f    format.Format
		lost []string
	}{
		{libra.BN, names},
		{libra.MN, append([]string{"which factor is the CPD of which variable"}, names...)},
		{libra.XMOD, names[2:3]},
	} {
		m := allKinds()
		out, err := format.Encode(nil, c.f, "x"+c.f.Exts[0], m)
		if err != nil {
			t.Fatal(err)
		}
		for _, lost := range c.lost {
			if !slices.ContainsFunc(out.Lost, func(s string) bool { return strings.HasPrefix(s, lost+": ") }) {
				t.Errorf("%s does not say that it lost the %s", c.f.Name, lost)
			}
		}
		if len(out.Lost) != len(c.lost) {
			t.Errorf("%s lost %q", c.f.Name, out.Lost)
		}
		again, list := format.ReadSource(c.f, &format.Source{Name: "x", Data: out.Files[0].Data.Bytes()}, format.ReadOptions{})
		if err := list.Err(); err != nil {
			t.Fatalf("%s: %v", c.f.Name, err)
		}
		state := make([]int, len(m.Vars))
		all := []model.VarID{0, 1, 2, 3, 4, 5}
		for more := true; more; more = m.Next(all, state) {
			got, want := math.Exp(logValue(again, state)), math.Exp(logValue(m, state))
			if math.Abs(got-want) > 1e-15 {
				t.Fatalf("%s: P(%v) is %v after writing; want %v\n%s", c.f.Name, state, got, want, out.Files[0].Data.String())
			}
		}
	}
}

// TestWriteText compares the texts of files.
func TestWriteText(t *testing.T) {
	m := &model.Model{Kind: model.Markov}
	v := []model.VarID{m.NewVar("v0", "0", "1").ID, m.NewVar("v1", "0", "1", "2").ID}
	m.Factors = []*model.Factor{
		{Scope: v, Child: -1, Dist: &model.Features{List: []model.Feature{{Weight: 0.25, Literals: []model.Literal{{Axis: 0, State: 1}, {Axis: 1, State: 2, Not: true}}}}}},
		{Scope: v[:1], Child: -1, Dist: &model.Table{Values: []float64{1, 0}}},
		{Scope: v, Child: -1, Dist: &model.Tree{Nodes: []model.TreeNode{
			{Axis: 1, Next: []int32{2, 1, 2}},
			{Axis: 0, Next: []int32{3, 4}},
			{Leaf: []float64{math.Exp(-1.5)}},
			{Leaf: []float64{math.Exp(2)}},
			{Leaf: []float64{0}},
		}}},
	}
	const want = `2,3
MN {
0.25 +v0_1 -v1_2
table {
0 +v0_0
-inf +v0_1
}
tree {
(v1_1
    (v0_0
        2
        -inf)
    -1.5)
}
}
`
	out, err := format.Encode(nil, libra.MN, "x.mn", m)
	if err != nil {
		t.Fatal(err)
	}
	if got := out.Files[0].Data.String(); got != want {
		t.Errorf("written:\n%s\nwant:\n%s", got, want)
	}
}

// TestRefused writes models that a format cannot hold.
func TestRefused(t *testing.T) {
	markov := func(dists ...model.Dist) *model.Model {
		m := &model.Model{Kind: model.Markov}
		a := m.NewVar("v0", "0", "1")
		for _, d := range dists {
			m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{a.ID}, Child: -1, Dist: d})
		}
		return m
	}
	table := &model.Table{Values: []float64{1, 3}}
	circuit := &model.Circuit{Nodes: []model.CircuitNode{{Op: model.CircuitIndicator}}}
	none := &model.Circuit{Nodes: []model.CircuitNode{{}}}
	wide := markov(circuit)
	wide.NewVar("v1", "0", "1")
	acyclic := allKinds()
	acyclic.Kind = model.Dependency
	badName := allKinds()
	badName.Vars[0].Name = "a\x00"
	huge := markov(&model.Table{Values: []float64{1e308, 0}})
	deep := &model.Tree{}
	for i := range int32(10001) {
		deep.Nodes = append(deep.Nodes, model.TreeNode{Next: []int32{i + 1, i + 1}}) // the children are equal, but each node adds a level
	}
	for i := range int32(40) {
		deep.Nodes = append(deep.Nodes, model.TreeNode{Next: []int32{10001 + 2*i + 1, 10001 + 2*i + 2}}, model.TreeNode{Next: []int32{10001 + 2*i + 2, 10001 + 2*i + 2}})
	}
	deep.Nodes = append(deep.Nodes, model.TreeNode{Leaf: []float64{1}})
	for _, c := range []struct {
		name string
		f    format.Format
		m    *model.Model
		want string
	}{
		{"Markov", libra.BN, markov(table), "x.bn: a file of Libra's .bn format cannot hold a Markov network; want a Bayesian network"},
		{"Bayes", libra.DN, allKinds(), "x.dn: a file of Libra's .dn format cannot hold a Bayesian network; want a dependency network"},
		{"dependency", libra.MN, acyclic, "format mn takes no dependency networks, which have no joint distribution, and this is one"},
		{"large", libra.MN, huge, `x.mn: potential over "v0": the value 1e+308 is too large for Libra, which has logarithms; want at most e^709`},
		{"shared", libra.MN, markov(deep), `x.mn: potential over "v0": the tree would have more than 10000 levels or 4194304 nodes`},
		{"Markov", libra.XMOD, markov(table), "x.xmod: an .xmod file cannot hold a Markov network; want a Bayesian or dependency network"},
		{"acyclic", libra.XMOD, acyclic, "x.xmod: an .xmod file without a cycle is a Bayesian network, and this is a dependency network; write .dn"},
		{"name", libra.XMOD, badName, `x.xmod: XML cannot hold the name "a\x00": a control character`},
		{"Bayes", libra.AC, allKinds(), "x.ac: a file of Libra's .ac format cannot hold a Bayesian network; want a Markov network of one circuit, as learners of circuits such as acbn and acmn give"},
		{"table", libra.AC, markov(circuit, table), `x.ac: potential over "v0": a file of Libra's .ac format holds one circuit and nothing else`},
		{"two", libra.AC, markov(circuit, circuit), `x.ac: potential over "v0": a file of Libra's .ac format holds one circuit and nothing else`},
		{"no circuit", libra.AC, markov(), "x.ac: there is no circuit; a file of Libra's .ac format holds one"},
		{"part", libra.AC, wide, `x.ac: potential over "v0": the circuit is over 1 of 2 variables; want all`},
		{"zero", libra.SPN, markov(none), "x.spn: the circuit sums to 0 over all states; a leaf of an .spn folder is a distribution"},
	} {
		if _, err := format.Encode(nil, c.f, "x"+c.f.Exts[0], c.m); err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v; want %s", c.name, err, c.want)
		}
	}
}

// TestConstants writes a circuit times a constant.
func TestConstants(t *testing.T) {
	m := &model.Model{Kind: model.Markov}
	a := m.NewVar("v0", "0", "1")
	m.Factors = []*model.Factor{
		{Child: -1, Dist: &model.Table{Values: []float64{3}}},
		{Scope: []model.VarID{a.ID}, Child: -1, Dist: &model.Circuit{Nodes: []model.CircuitNode{
			{Op: model.CircuitIndicator, State: 1}, {Op: model.CircuitNumber, Value: 1e-7}, {Op: model.CircuitProduct, Args: []int32{0, 1}},
		}}},
	}
	out, err := format.Encode(nil, libra.AC, "x.ac", m)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := out.Files[0].Data.String(), "(2)\nv 0 1\nn 1.0e-07\n* 0 1\nn 3\n* 2 3\nEOF\n"; got != want {
		t.Errorf("written:\n%s\nwant:\n%s", got, want)
	}
}
