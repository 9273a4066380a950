package xmlbif_test

import (
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/compiler/internal/format/xmlbif"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// two returns a network of a and its child b, which has the distribution d.
func two(d model.Dist) *model.Model {
	m := &model.Model{Name: "two & more"}
	a, b := m.NewVar("a", "x", "y z"), m.NewVar("b", "p", "<q", "")
	a.Latent = true
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{a.ID}, Dist: &model.Table{Values: []float64{1.0 / 3, 2.0 / 3}}},
		{Scope: []model.VarID{a.ID, b.ID}, Child: 1, Dist: d},
	}
	return m
}

const head = `<?xml version="1.0" encoding="UTF-8"?>
<BIF VERSION="0.3">
<NETWORK>
<NAME>two &amp; more</NAME>
<VARIABLE TYPE="nature">
<NAME>a</NAME>
<OUTCOME>x</OUTCOME>
<OUTCOME>y z</OUTCOME>
<PROPERTY>latent = true</PROPERTY>
</VARIABLE>
<VARIABLE TYPE="nature">
<NAME>b</NAME>
<OUTCOME>p</OUTCOME>
<OUTCOME>&lt;q</OUTCOME>
<OUTCOME></OUTCOME>
</VARIABLE>
<DEFINITION>
<FOR>a</FOR>
<TABLE>
0.3333333333333333 0.6666666666666666
</TABLE>
</DEFINITION>
<DEFINITION>
<FOR>b</FOR>
<GIVEN>a</GIVEN>
<TABLE>
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
		{"table", two(&model.Table{Values: []float64{0.5, 0.25, 0.25, 1e-300, 0.2, 0.7}}), "0.5 0.25 0.25\n1e-300 0.2 0.7\n"},
		{"child first", childFirst, "0.5 0.25 0.25\n0.1 0.2 0.7\n"},
		{"deterministic", two(&model.Deterministic{States: []int32{2, 0}}), "0 0 1\n1 0 0\n"},
		{"tree", two(&model.Tree{Nodes: []model.TreeNode{{Axis: 0, Next: []int32{2, 1}}, {Leaf: []float64{1, 0, 0}}, {Leaf: []float64{0, 1, 0}}}}),
			"0 1 0\n1 0 0\n"},
		{"noisy-max", two(&model.NoisyMax{Leak: []float64{0.5, 0.25, 0.25}, Cause: [][]float64{{0.5, 0.5, 0, 0, 0.5, 0.5}}}),
			"0.25 0.5 0.25\n0 0.375 0.625\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := format.Encode(nil, xmlbif.Format, "out.xmlbif", c.m)
			if err != nil {
				t.Fatal(err)
			}
			want := head + c.want + "</TABLE>\n</DEFINITION>\n</NETWORK>\n</BIF>\n"
			if got := out.Files[0].Data.String(); got != want {
				t.Errorf("wrote\n%s\nwant\n%s", got, want)
			}
			if _, noisy := c.m.Factors[1].Dist.(*model.NoisyMax); !noisy { // tables round differently
				formattest.RoundTrip(t, xmlbif.Format, c.m)
			}
		})
	}
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
	const why = ": it has a control character or a blank at an end"
	for _, c := range []struct {
		m    *model.Model
		want string
	}{
		{named("a\x00b", "v", "s"), `XMLBIF cannot hold the network name "a\x00b"` + why},
		{named("n", " a", "s"), `XMLBIF cannot hold the variable name " a"` + why},
		{named("n", "v", "a\ufffe"), `XMLBIF cannot hold the state "a\ufffe" of "v"` + why},
		{&model.Model{Kind: model.Markov}, "XMLBIF cannot hold a Markov network; want a Bayesian network"},
		{&model.Model{Kind: model.Dependency}, "format xmlbif takes no dependency networks, which have no joint distribution, and this is one"},
		{wide, `-: the table of the CPD of "` + strings.Repeat("v", 24) + `" would have e^16.6 entries; the limit is 4194304`},
	} {
		_, err := format.Encode(nil, xmlbif.Format, "out.xmlbif", c.m)
		if err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("got %v; want %s", err, c.want)
		}
	}
}

// TestExact checks numbers and names that are hard to print.
func TestExact(t *testing.T) {
	row := []float64{math.SmallestNonzeroFloat64, math.Nextafter(0.1, 1), math.MaxFloat64}
	m := two(&model.Table{Values: append(row, 0.1, 1e-7, 123456789)})
	m.Vars[0].Domain = model.Discrete{States: []string{"a\n\tb\r\nc", "\x7f\"'&lt;]]>\U0001F600"}}
	if !formattest.RoundTrip(t, xmlbif.Format, m) {
		t.Error("not written")
	}
}

// TestRowPos checks the positions for messages about rows.
func TestRowPos(t *testing.T) {
	m, list := format.ReadSource(xmlbif.Format, &format.Source{Name: "t", Data: []byte(table("1 0 0 0\n1 0"))}, format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"t:5:48", "t:5:54"} {
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
		if !formattest.RoundTrip(t, xmlbif.Format, m) {
			t.Errorf("seed %d: not written", seed)
		}
	}
}
