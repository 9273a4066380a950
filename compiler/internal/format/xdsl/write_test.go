package xdsl_test

import (
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/compiler/internal/format/xdsl"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// two returns a network of a and its child b, which has the distribution d.
func two(d model.Dist) *model.Model {
	m := &model.Model{Name: "two"}
	a, b := m.NewVar("a", "x", "y"), m.NewVar("b", "p", "q", "r")
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{a.ID}, Dist: &model.Table{Values: []float64{1.0 / 3, 2.0 / 3}}},
		{Scope: []model.VarID{a.ID, b.ID}, Child: 1, Dist: d},
	}
	return m
}

const head = `<?xml version="1.0" encoding="UTF-8"?>
<smile version="1.0" id="two">
	<nodes>
		<cpt id="a">
			<state id="x" />
			<state id="y" />
			<probabilities>0.3333333333333333 0.6666666666666666</probabilities>
		</cpt>
`

// cptB and deterministicB are formats of node b with any text as the list of its numbers or states.
const (
	statesB = `			<state id="p" />
			<state id="q" />
			<state id="r" />
			<parents>a</parents>
`
	cptB           = "\t\t<cpt id=\"b\">\n" + statesB + "\t\t\t<probabilities>LIST</probabilities>\n\t\t</cpt>\n"
	deterministicB = "\t\t<deterministic id=\"b\">\n" + statesB + "\t\t\t<resultingstates>LIST</resultingstates>\n\t\t</deterministic>\n"
	tail           = "\t</nodes>\n</smile>\n"
)

func TestWrite(t *testing.T) {
	childFirst := two(&model.Table{Values: []float64{0.5, 0.1, 0.25, 0.2, 0.25, 0.7}})
	f := childFirst.Factors[1]
	f.Scope[0], f.Scope[1], f.Child = f.Scope[1], f.Scope[0], 0
	for _, c := range []struct {
		name string
		m    *model.Model
		node string
		list string
	}{
		{"table", two(&model.Table{Values: []float64{0.5, 0.25, 0.25, 1e-300, 0.2, 0.7}}), cptB, "0.5 0.25 0.25 1e-300 0.2 0.7"},
		{"child first", childFirst, cptB, "0.5 0.25 0.25 0.1 0.2 0.7"},
		{"deterministic", two(&model.Deterministic{States: []int32{2, 0}}), deterministicB, "r p"},
		{"tree", two(&model.Tree{Nodes: []model.TreeNode{{Axis: 0, Next: []int32{2, 1}}, {Leaf: []float64{1, 0, 0}}, {Leaf: []float64{0, 1, 0}}}}),
			cptB, "0 1 0 1 0 0"},
		{"noisy-max", two(&model.NoisyMax{Leak: []float64{0.5, 0.25, 0.25}, Cause: [][]float64{{0.5, 0.5, 0, 0, 0.5, 0.5}}}),
			cptB, "0.25 0.5 0.25 0 0.375 0.625"},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := head + strings.Replace(c.node, "LIST", c.list, 1) + tail
			if got := written(t, c.m); got != want {
				t.Errorf("wrote\n%s\nwant\n%s", got, want)
			}
			if !formattest.RoundTrip(t, xdsl.Format, c.m) {
				t.Error("not written")
			}
		})
	}
}

// TestNames writes names that are not identifiers, in an order with a child before its parent.
func TestNames(t *testing.T) {
	m := &model.Model{Name: "1 < 2"}
	c, p, q := m.NewVar("a b", "a"), m.NewVar("a-b", "<", "a", ""), m.NewVar("a_b", "\x00 \ufffe")
	p.Latent = true
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{q.ID}, Dist: &model.Table{Values: []float64{1}}},
		{Scope: []model.VarID{c.ID, p.ID}, Dist: &model.Table{Values: []float64{1, 1, 1}}},
		{Scope: []model.VarID{p.ID}, Dist: &model.Deterministic{States: []int32{1}}},
	}
	want := `<?xml version="1.0" encoding="UTF-8"?>
<smile version="1.0" id="x1___2">
	<nodes>
		<deterministic id="a_b_3">
			<state id="x_" />
			<state id="a" />
			<state id="x" />
			<resultingstates>a</resultingstates>
			<property id="pgmc_name">&#34;a-b&#34;</property>
			<property id="pgmc_states">[&#34;&lt;&#34;,&#34;a&#34;,&#34;&#34;]</property>
			<property id="pgmc_latent">true</property>
			<property id="pgmc_order">1 2</property>
		</deterministic>
		<cpt id="a_b_2">
			<state id="a" />
			<parents>a_b_3</parents>
			<probabilities>1 1 1</probabilities>
			<property id="pgmc_name">&#34;a b&#34;</property>
			<property id="pgmc_order">0 1</property>
		</cpt>
		<cpt id="a_b">
			<state id="x_____" />
			<probabilities>1</probabilities>
			<property id="pgmc_states">[&#34;\u0000 \ufffe&#34;]</property>
			<property id="pgmc_order">2 0</property>
		</cpt>
	</nodes>
	<extensions>
		<pgmc>
			<property id="pgmc_name">&#34;1 &lt; 2&#34;</property>
		</pgmc>
	</extensions>
</smile>
`
	if got := written(t, m); got != want {
		t.Errorf("wrote\n%s\nwant\n%s", got, want)
	}
	if !formattest.RoundTrip(t, xdsl.Format, m) {
		t.Error("not written")
	}
}

func TestWriteRefuses(t *testing.T) {
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
		{&model.Model{Kind: model.Markov}, "XDSL cannot hold a Markov network; want a Bayesian network"},
		{&model.Model{Kind: model.Dependency}, "format xdsl takes no dependency networks, which have no joint distribution, and this is one"},
		{wide, `-: the table of the CPD of "` + strings.Repeat("v", 24) + `" would have e^16.6 entries; the limit is 4194304`},
	} {
		_, err := format.Encode(nil, xdsl.Format, "out.xdsl", c.m)
		if err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("got %v; want %s", err, c.want)
		}
	}
}

// TestExact checks numbers that are hard to print.
func TestExact(t *testing.T) {
	row := []float64{math.SmallestNonzeroFloat64, math.Nextafter(0.1, 1), math.MaxFloat64}
	if !formattest.RoundTrip(t, xdsl.Format, two(&model.Table{Values: append(row, 0.1, 1e-7, 123456789)})) {
		t.Error("not written")
	}
}

// TestRandom writes networks with CPDs of every kind, the child anywhere in the scope, and reads
// them back.
func TestRandom(t *testing.T) {
	for seed := range uint64(200) {
		m := irtest.RandomModel(seed, irtest.Options{Kinds: []model.Kind{model.Bayes}})
		if !formattest.RoundTrip(t, xdsl.Format, m) {
			t.Errorf("seed %d: not written", seed)
		}
	}
}

// written returns the text of m.
func written(t *testing.T, m *model.Model) string {
	t.Helper()
	out, err := format.Encode(nil, xdsl.Format, "out.xdsl", m)
	if err != nil {
		t.Fatal(err)
	}
	return out.Files[0].Data.String()
}
