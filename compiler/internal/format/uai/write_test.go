package uai_test

import (
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/compiler/internal/format/uai"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// two returns a network of x0 and its child x1, which has the distribution d.
func two(d model.Dist) *model.Model {
	m := &model.Model{}
	a, b := m.NewVar("x0", "0", "1"), m.NewVar("x1", "0", "1", "2")
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{a.ID}, Dist: &model.Table{Values: []float64{1.0 / 3, 2.0 / 3}}},
		{Scope: []model.VarID{a.ID, b.ID}, Child: 1, Dist: d},
	}
	return m
}

const twoHead = "BAYES\n2\n2 3\n2\n1 0\n2 0 1\n\n2\n0.3333333333333333 0.6666666666666666\n\n6\n"

func TestWrite(t *testing.T) {
	childFirst := two(&model.Table{Values: []float64{0.5, 0.1, 0.25, 0.2, 0.25, 0.7}})
	f := childFirst.Factors[1]
	f.Scope[0], f.Scope[1], f.Child = f.Scope[1], f.Scope[0], 0
	named := two(&model.Deterministic{States: []int32{2, 0}})
	named.Name, named.Vars[0].Name, named.Vars[1].Latent = "n", "a", true
	named.Vars[1].Domain = model.Discrete{States: []string{"0", "1", "many"}}
	constant := &model.Model{Kind: model.Markov}
	constant.NewVar("x0", "0")
	constant.Factors = []*model.Factor{{Child: -1, Dist: &model.Table{Values: []float64{2e-300}}}}
	for _, c := range []struct {
		name string
		m    *model.Model
		want string
		lost string
	}{
		{"child last", two(&model.Table{Values: []float64{0.5, 0.25, 0.25, 1e-300, 0.2, 0.8}}), twoHead + "0.5 0.25 0.25\n1e-300 0.2 0.8\n", ""},
		{"child first", childFirst, strings.Replace(twoHead, "2 0 1", "2 1 0", 1) + "0.5 0.1\n0.25 0.2\n0.25 0.7\n", ""},
		{"names", named, twoHead + "0 0 1\n1 0 0\n",
			"name of the network: UAI has none\nnames of variables: UAI numbers them\nnames of states: UAI numbers them\nmarks of latent variables: UAI has none"},
		{"noisy-max", two(&model.NoisyMax{Leak: []float64{0.5, 0.25, 0.25}, Cause: [][]float64{{1, 0, 0, 0, 0.5, 0.5}}}), twoHead + "0.5 0.25 0.25\n0 0.375 0.625\n", ""},
		{"tree", two(&model.Tree{Nodes: []model.TreeNode{{Axis: 0, Next: []int32{2, 1}}, {Leaf: []float64{1, 0, 0}}, {Leaf: []float64{0, 1, 0}}}}), twoHead + "0 1 0\n1 0 0\n", ""},
		{"constant", constant, "MARKOV\n1\n1\n1\n0\n\n1\n2e-300\n", ""},
		{"no variables", &model.Model{Kind: model.Markov}, "MARKOV\n0\n\n0\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := format.Encode(nil, uai.Format, "out.uai", c.m)
			if err != nil {
				t.Fatal(err)
			}
			if got := out.Files[0].Data.String(); got != c.want {
				t.Errorf("wrote\n%s\nwant\n%s", got, c.want)
			}
			if got := strings.Join(out.Lost, "\n"); got != c.lost {
				t.Errorf("lost\n%s\nwant\n%s", got, c.lost)
			}
			if !formattest.RoundTrip(t, uai.Format, c.m) {
				t.Error("not written")
			}
		})
	}
}

// TestFixtures writes networks of every kind with names.
func TestFixtures(t *testing.T) {
	for _, m := range irtest.Fixtures() {
		if !formattest.RoundTrip(t, uai.Format, m) {
			t.Errorf("%s: not written", m.Name)
		}
	}
}

// TestNumbers checks numbers that are hard to print.
func TestNumbers(t *testing.T) {
	m := two(&model.Table{Values: []float64{math.SmallestNonzeroFloat64, math.Nextafter(0.1, 1), math.MaxFloat64, 0.1, 1e-7, 123456789}})
	m.Kind, m.Factors[0].Child, m.Factors[1].Child = model.Markov, -1, -1
	if !formattest.RoundTrip(t, uai.Format, m) {
		t.Error("not written")
	}
}

// TestTooLarge checks that a distribution that would become an excessive table cannot be written.
func TestTooLarge(t *testing.T) {
	m := &model.Model{}
	var scope []model.VarID
	for range 23 {
		v := m.NewVar("v"+strings.Repeat("v", len(m.Vars)), "0", "1")
		scope = append(scope, v.ID)
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v.ID}, Dist: &model.Table{Values: []float64{1, 0}}})
	}
	m.Factors[22] = &model.Factor{Scope: scope, Child: 22, Dist: &model.Tree{Nodes: []model.TreeNode{{Leaf: []float64{1, 0}}}}}
	_, err := format.Encode(nil, uai.Format, "out.uai", m)
	if want := `out.uai: -: the table of the CPD of "` + strings.Repeat("v", 23) + `" would have e^15.9 entries; the limit is 4194304`; err == nil || err.Error() != want {
		t.Errorf("got %v; want %s", err, want)
	}
}

// TestClaims reads a table beyond a small limit.
func TestClaims(t *testing.T) {
	_, list := uai.Format.Read(&format.Source{Name: "t", Data: []byte("MARKOV 1 4 1 1 0 4 1 1 1 1")}, format.ReadOptions{MaxEntries: 3})
	if got, want := message(&list), "t:1:18: found a count of 4 values for function 0; the limit is 3"; got != want {
		t.Errorf("got %s; want %s", got, want)
	}
}

// TestPositions checks the positions for later messages.
func TestPositions(t *testing.T) {
	m, list := format.ReadSource(uai.Format, &format.Source{Name: "t", Data: []byte("BAYES\n2\n2 3\n2\n1 0\n2 1 0\n2\n .5 .5\n6\n .5 .1\n .25 .2\n .25 .7")}, format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	f := m.Factors[1]
	got := m.Vars[1].Pos.String() + " " + f.Pos.String() + " " + f.RowPos[0].String() + " " + f.RowPos[1].String()
	if want := "t:3:3 t:6:1 t:10:2 t:10:5"; got != want || len(f.RowPos) != 2 {
		t.Errorf("variable, function and rows are at %s; want %s", got, want)
	}
}
