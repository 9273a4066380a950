package bif_test

import (
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/bif"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// two returns a network of a and its child b, which has the distribution d.
func two(d model.Dist) *model.Model {
	m := &model.Model{Name: "two words"}
	a, b := m.NewVar("a", "x", "y z"), m.NewVar("b", "p", "<q", "")
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{a.ID}, Dist: &model.Table{Values: []float64{1.0 / 3, 2.0 / 3}}},
		{Scope: []model.VarID{a.ID, b.ID}, Child: 1, Dist: d},
	}
	return m
}

const twoHead = `network "two words" {
}
variable a {
  type discrete [ 2 ] { x, "y z" };
}
variable b {
  type discrete [ 3 ] { p, <q, "" };
}
probability ( a ) {
  table 0.3333333333333333, 0.6666666666666666;
}
probability ( b | a ) {
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
		{"table", two(&model.Table{Values: []float64{0.5, 0.25, 0.25, 1e-300, 0.2, 0.7}}), "  (x) 0.5, 0.25, 0.25;\n  (\"y z\") 1e-300, 0.2, 0.7;\n}\n"},
		{"child first", childFirst, "  (x) 0.5, 0.25, 0.25;\n  (\"y z\") 0.1, 0.2, 0.7;\n}\n"},
		{"deterministic", two(&model.Deterministic{States: []int32{2, 0}}), "  (x) 0, 0, 1;\n  (\"y z\") 1, 0, 0;\n}\n"},
		{"tree", two(&model.Tree{Nodes: []model.TreeNode{{Axis: 0, Next: []int32{2, 1}}, {Leaf: []float64{1, 0, 0}}, {Leaf: []float64{0, 1, 0}}}}),
			"  (x) 0, 1, 0;\n  (\"y z\") 1, 0, 0;\n}\n"},
		{"noisy-max", two(&model.NoisyMax{Leak: []float64{0.5, 0.25, 0.25}, Cause: [][]float64{{1, 0, 0, 0, 0.5, 0.5}}}),
			"  property function max;\n  (x) 0.5, 0.25, 0.25;\n  (\"y z\") 0, 0.5, 0.5;\n}\n"},
		{"noisy-max with a cause that is never quiet", two(&model.NoisyMax{Leak: []float64{0.5, 0.25, 0.25}, Cause: [][]float64{{0.5, 0.5, 0, 0, 0.5, 0.5}}}),
			"  (x) 0.25, 0.5, 0.25;\n  (\"y z\") 0, 0.375, 0.625;\n}\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := format.Encode(nil, bif.Format, "out.bif", c.m)
			if err != nil {
				t.Fatal(err)
			}
			if got := out.Files[0].Data.String(); got != twoHead+c.want {
				t.Errorf("wrote\n%s\nwant\n%s", got, twoHead+c.want)
			}
			formattest.RoundTrip(t, bif.Format, c.m)
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
	for _, c := range []struct {
		m    *model.Model
		want string
	}{
		{named(`a"b`, "v", "s"), `out.bif: BIF cannot hold the network name "a\"b": a quote or control character`},
		{named("n", "a\nb", "s"), `out.bif: BIF cannot hold the variable name "a\nb": a quote or control character`},
		{named("n", "v", "a\x7f"), `out.bif: BIF cannot hold the state "a\x7f" of "v": a quote or control character`},
		{&model.Model{Kind: model.Markov}, "out.bif: BIF cannot hold a Markov network; want a Bayesian network"},
		{wide, `out.bif: -: the table of the CPD of "` + strings.Repeat("v", 24) + `" would have e^16.6 entries; the limit is 4194304`},
	} {
		_, err := format.Encode(nil, bif.Format, "out.bif", c.m)
		if err == nil || err.Error() != c.want {
			t.Errorf("got %v; want %s", err, c.want)
		}
	}
}

// TestNumbers checks numbers that are hard to print.
func TestNumbers(t *testing.T) {
	row := []float64{math.SmallestNonzeroFloat64, math.Nextafter(0.1, 1), math.MaxFloat64}
	m := two(&model.Table{Values: append(row, 0.1, 1e-7, 123456789)})
	if !formattest.RoundTrip(t, bif.Format, m) {
		t.Error("not written")
	}
}

// TestClaims reads short texts that declare large tables, under small limits.
func TestClaims(t *testing.T) {
	const head = "network n {}\nvariable a { type discrete[4] { 0 1 2 3 }; }\nvariable b { type discrete[4] { 0 1 2 3 }; }\n"
	const defaults = "probability (a | b) { default 1 0 0 0; }\nprobability (b | a) { default 1 0 0 0; }\n"
	for _, c := range []struct {
		name, text string
		entries    int
		want       string
	}{
		{"one table", head + defaults, 15, `one table:4:1: CPD of "a" would have 16 numbers; the limit is 15` + "\n" +
			`one table:5:1: CPD of "b" would have 16 numbers; the limit is 15`},
		{"defaults together", head + defaults, 40, `defaults together:5:31: the default of the CPD of "b" fills 4 rows, with which all defaults so far are too many numbers; the limit is 40, with 4 added for each row`},
	} {
		_, list := bif.Format.Read(&format.Source{Name: c.name, Data: []byte(c.text)}, format.ReadOptions{MaxEntries: c.entries})
		if err := list.Err(); err == nil || err.Error() != c.want {
			t.Errorf("got %v; want %s", err, c.want)
		}
	}
}

// TestRowPos checks the positions for messages about rows.
func TestRowPos(t *testing.T) {
	text := block("\n  table 0.5 0.1\n 0.25 0.2 0.25 0.7;")
	m, list := format.ReadSource(bif.Format, &format.Source{Name: "t", Data: []byte(text)}, format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"t:6:9", "t:6:13"} {
		if got := m.Factors[1].RowPos[i].String(); got != want {
			t.Errorf("row %d is at %s; want %s", i, got, want)
		}
	}
	if got := m.Vars[1].Pos.String() + " " + m.Factors[1].Pos.String(); got != "t:3:10 t:5:1" {
		t.Errorf("variable and block are at %s; want t:3:10 t:5:1", got)
	}
}
