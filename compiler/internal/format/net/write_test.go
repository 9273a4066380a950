package net_test

import (
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/compiler/internal/format/net"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// two returns a network of a and its child b, which has the distribution d.
func two(d model.Dist) *model.Model {
	m := &model.Model{Name: `two "words"`}
	a, b := m.NewVar("a", "x", "y z"), m.NewVar("5 b", "p", "%q", "")
	a.Latent = true
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{a.ID}, Dist: &model.Table{Values: []float64{1.0 / 3, 2.0 / 3}}},
		{Scope: []model.VarID{a.ID, b.ID}, Child: 1, Dist: d},
	}
	return m
}

const head = `net
{
    name = "two \"words\"";
}
node a
{
    states = ("x" "y z");
    pgmc_latent = "true";
}
node v5_b
{
    label = "5 b";
    pgmc_name = "5 b";
    states = ("p" "%q" "");
}
potential (a)
{
    data = (0.3333333333333333 0.6666666666666666);
}
potential (v5_b | a)
{
`

func TestWrite(t *testing.T) {
	childFirst := two(&model.Table{Values: []float64{0.5, 0.1, 0.25, 0.2, 0.25, 0.7}})
	f := childFirst.Factors[1]
	f.Scope[0], f.Scope[1], f.Child = f.Scope[1], f.Scope[0], 0
	for _, c := range []struct {
		name string
		m    *model.Model
		want string
	}{
		{"table", two(&model.Table{Values: []float64{0.5, 0.25, 0.25, 1e-300, 0.2, 0.8}}), "((0.5 0.25 0.25)\n            (1e-300 0.2 0.8))"},
		{"child first", childFirst, "((0.5 0.25 0.25)\n            (0.1 0.2 0.7))"},
		{"deterministic", two(&model.Deterministic{States: []int32{2, 0}}), "((0 0 1)\n            (1 0 0))"},
		{"tree", two(&model.Tree{Nodes: []model.TreeNode{{Axis: 0, Next: []int32{2, 1}}, {Leaf: []float64{1, 0, 0}}, {Leaf: []float64{0, 1, 0}}}}),
			"((0 1 0)\n            (1 0 0))"},
		{"noisy-max", two(&model.NoisyMax{Leak: []float64{0.5, 0.25, 0.25}, Cause: [][]float64{{0.5, 0.5, 0, 0, 0.5, 0.5}}}),
			"((0.25 0.5 0.25)\n            (0 0.375 0.625))"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := format.Encode(nil, net.Format, "out.net", c.m)
			if err != nil {
				t.Fatal(err)
			}
			want := head + "    data = " + c.want + ";\n}\n"
			if got := out.Files[0].Data.String(); got != want {
				t.Errorf("wrote\n%s\nwant\n%s", got, want)
			}
			formattest.RoundTrip(t, net.Format, c.m)
		})
	}
}

// TestNesting checks that there is a level of brackets for each parent.
func TestNesting(t *testing.T) {
	m := &model.Model{}
	a, b, c := m.NewVar("a", "0", "1"), m.NewVar("b", "0", "1"), m.NewVar("c", "0")
	d := m.NewVar("d", "0", "1")
	for _, v := range []*model.Var{a, b, c} {
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v.ID}, Dist: &model.Deterministic{States: []int32{0}}})
	}
	m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{a.ID, b.ID, c.ID, d.ID}, Child: 3,
		Dist: &model.Table{Values: []float64{0.5, 0.5, 1, 0, 0, 1, 0.25, 0.75}}})
	out, err := format.Encode(nil, net.Format, "out.net", m)
	if err != nil {
		t.Fatal(err)
	}
	want := "    data = ((((0.5 0.5))\n            ((1 0)))\n            (((0 1))\n            ((0.25 0.75))));\n}\n"
	if got := out.Files[0].Data.String(); !strings.HasSuffix(got, want) {
		t.Errorf("wrote\n%s\nwant at its end\n%s", got, want)
	}
	formattest.RoundTrip(t, net.Format, m)
}

// TestIdentifiers writes names that are not identifiers, and that collide after conversion.
func TestIdentifiers(t *testing.T) {
	m := &model.Model{}
	names := []string{"a b", "a.b", "a_b", "a_b_2", "a:b", "", "v", "node", "vnode", "été", "9", "_x", "a\n\"b\\"}
	want := []string{"a_b_3", "a_b_4", "a_b", "a_b_2", "a_b_5", "v_2", "v", "vnode_2", "vnode", "__t__", "v9", "_x", "a__b_"}
	for _, name := range names {
		v := m.NewVar(name, "x", "a\tb\r\n\"\\n")
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v.ID}, Dist: &model.Table{Values: []float64{1, 0}}})
	}
	out, err := format.Encode(nil, net.Format, "out.net", m)
	if err != nil {
		t.Fatal(err)
	}
	text := out.Files[0].Data.String()
	for i, id := range want {
		if !strings.Contains(text, "\nnode "+id+"\n") {
			t.Errorf("no node %s for %q", id, names[i])
		}
	}
	formattest.RoundTrip(t, net.Format, m)
}

func TestWriteRefuses(t *testing.T) {
	named := func(network, variable, state string) *model.Model {
		m := &model.Model{Name: network}
		v := m.NewVar(variable, state)
		m.Factors = []*model.Factor{{Scope: []model.VarID{v.ID}, Dist: &model.Table{Values: []float64{1}}}}
		return m
	}
	wide := &model.Model{}
	scope := make([]model.VarID, 24)
	for i := range scope {
		v := wide.NewVar(strings.Repeat("v", i+1), "0", "1")
		scope[i] = v.ID
		wide.Factors = append(wide.Factors, &model.Factor{Scope: []model.VarID{v.ID}, Dist: &model.Table{Values: []float64{1, 0}}})
	}
	wide.Factors[23] = &model.Factor{Scope: scope, Child: 23, Dist: &model.Tree{Nodes: []model.TreeNode{{Leaf: []float64{1, 0}}}}}
	for _, c := range []struct {
		m    *model.Model
		want string
	}{
		{named("a\x00b", "v", "s"), `NET cannot hold the network name "a\x00b": a control character`},
		{named("n", "a\x01b", "s"), `NET cannot hold the variable name "a\x01b": a control character`},
		{named("n", "v", "a\x7f"), `NET cannot hold the state "a\x7f" of "v": a control character`},
		{&model.Model{Kind: model.Markov}, "NET cannot hold a Markov network; want a Bayesian network"},
		{&model.Model{Kind: model.Dependency}, "format net takes no dependency networks, which have no joint distribution, and this is one"},
		{wide, `-: the table of the CPD of "` + strings.Repeat("v", 24) + `" would have e^16.6 entries; the limit is 4194304`},
	} {
		_, err := format.Encode(nil, net.Format, "out.net", c.m)
		if err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("got %v; want %s", err, c.want)
		}
	}
}

// TestExact checks numbers that are hard to print, in rows whose sum is one except for rounding.
func TestExact(t *testing.T) {
	m := two(&model.Table{Values: []float64{math.SmallestNonzeroFloat64, math.Nextafter(0.1, 1), 0.9, 0.333, 0.333, 0.333}})
	if !formattest.RoundTrip(t, net.Format, m) {
		t.Error("not written")
	}
}

// TestRowPos checks the positions for messages about rows.
func TestRowPos(t *testing.T) {
	m, list := format.ReadSource(net.Format, &format.Source{Name: "t", Data: []byte(ofB("data = ((1 0 0) % a\n (0 1 0));"))}, format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"t:5:29", "t:6:3"} {
		if got := m.Factors[1].RowPos[i].String(); got != want {
			t.Errorf("row %d is at %s; want %s", i, got, want)
		}
	}
}

// TestRandom writes networks with CPDs of every kind, the child anywhere in the scope, and reads
// them back.
func TestRandom(t *testing.T) {
	for seed := range uint64(200) {
		m := irtest.RandomModel(seed, irtest.Options{Kinds: []model.Kind{model.Bayes}})
		if !formattest.RoundTrip(t, net.Format, m) {
			t.Errorf("seed %d: not written", seed)
		}
	}
}
