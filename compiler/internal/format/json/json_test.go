package json_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/bif"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/compiler/internal/format/json"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

func TestContract(t *testing.T) {
	formattest.Run(t, json.Format, formattest.Cases{Models: texts, Errors: broken})
}

// examples returns the models in the package documentation.
func examples(t *testing.T) (list []string) {
	t.Helper()
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for line := range strings.Lines(string(doc)) {
		rest, ok := strings.CutPrefix(line, "//\t")
		switch {
		case !ok || text.Len() == 0 && rest != "{\n":
			continue
		case rest == "}\n":
			list = append(list, text.String()+rest)
			text.Reset()
			continue
		}
		text.WriteString(rest)
	}
	return list
}

// TestDoc reads the examples of the package documentation. The writer uses their layout.
func TestDoc(t *testing.T) {
	list := examples(t)
	if len(list) != 8 {
		t.Fatalf("%d examples; want 8", len(list))
	}
	formattest.Run(t, json.Format, formattest.Cases{Models: []formattest.Model{{Name: "doc", Text: list[0], Posteriors: []formattest.Posterior{
		{Var: "burglar", State: "yes", Evidence: map[string]string{"alarm": "rings"}, Want: 0.009 / (0.009 + 0.0495), From: "by hand: 0.01*0.9, 0.99*0.05"},
	}}}})
	for _, text := range list {
		m, list := format.ReadSource(json.Format, &format.Source{Name: "doc", Data: []byte(text)}, format.ReadOptions{})
		if err := list.Err(); err != nil {
			t.Fatal(err)
		}
		if got := written(t, m); got != text && !strings.Contains(text, "plates") && !strings.Contains(text, "[\"flow\", 2]") {
			t.Errorf("wrote\n%s\nwant\n%s", got, text)
		}
	}
}

// TestPlates reads plates that cross: a mark for each student and course.
func TestPlates(t *testing.T) {
	const text = `{"pgmc": 2, "kind": "bayes", "plates": {"course": 2, "student": 3},
"variables": [{"name": "s", "states": ["lo", "hi"], "in": ["student"]}, {"name": "c", "real": true, "in": ["course"]}, {"name": "m", "real": true, "in": ["student", "course"]}, {"name": "all", "real": true}],
"factors": [
{"scope": ["all"], "child": "all", "gaussian": {"mean": [0], "var": [1]}},
{"in": ["student"], "scope": ["s"], "child": "s", "table": [0.25, 0.75]},
{"in": ["course"], "scope": ["all", "c"], "child": "c", "func": {"mean": "all^2", "var": [1]}},
{"in": ["course", "student"], "scope": ["s", "c", "m"], "child": "m", "func": {"mean": "if(s = \"hi\", c + 1, c)", "var": [1, 2]}}]}`
	m, list := format.ReadSource(json.Format, &format.Source{Name: "plates", Data: []byte(text)}, format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	want := "s[1] s[2] s[3] c[1] c[2] m[1,1] m[1,2] m[2,1] m[2,2] m[3,1] m[3,2] all"
	var names []string
	for _, v := range m.Vars {
		names = append(names, v.Name)
	}
	if got := strings.Join(names, " "); got != want {
		t.Errorf("variables %s; want %s", got, want)
	}
	v, _ := m.VarByName("m[3,2]")
	var parents []string
	for _, u := range m.CPD(v.ID).Parents() {
		parents = append(parents, m.Vars[u].Name)
	}
	if got := strings.Join(parents, " "); got != "s[3] c[2]" {
		t.Errorf("parents of m[3,2] are %s", got)
	}
	if len(m.Factors) != 1+3+2+6 || len(m.Tied) != 3 || len(m.Tied[2]) != 6 {
		t.Errorf("%d factors, tied %v", len(m.Factors), m.Tied)
	}
	same(t, m)
}

// TestApart reads factors of crossing plates that are tied over all, one or none of the plates.
func TestApart(t *testing.T) {
	for tied, want := range map[string]string{
		`true`:                   "[[0 1 2 3 4 5]]",
		`["course", "student"]`:  "[[0 1 2 3 4 5]]",
		`["course"]`:             "[[0 2 4] [1 3 5]]",
		`["student"]`:            "[[0 1] [2 3] [4 5]]",
		`[]`:                     "[]",
		`false`:                  "[]",
		`true, "counts": [1, 1]`: "apart:3:14: found counts of a factor in a plate; want none",
	} {
		text := `{"pgmc": 2, "kind": "bayes", "plates": {"course": 3, "student": 2},
"variables": [{"name": "pass", "states": ["yes", "no"], "in": ["course", "student"]}],
"factors": [ {"in": ["course", "student"], "child": "pass", "tied": ` + tied + `, "scope": ["pass"], "table": [0.5, 0.5]}]}`
		m, list := format.ReadSource(json.Format, &format.Source{Name: "apart", Data: []byte(text)}, format.ReadOptions{})
		got := ""
		if err := list.Err(); err != nil {
			got = err.Error()
		} else {
			got = fmt.Sprint(m.Tied)
			same(t, m)
		}
		if got != want {
			t.Errorf("tied %s: %s; want %s", tied, got, want)
		}
	}
}

// TestHybrid writes Gaussian and CLG networks.
func TestHybrid(t *testing.T) {
	for seed := range uint64(100) {
		same(t, irtest.RandomHybrid(seed, irtest.HybridOptions{}))
	}
}

// same writes m and reads it back. The model must be the same, including the kinds of distribution.
func same(t *testing.T, m *model.Model) {
	t.Helper()
	if !formattest.RoundTrip(t, json.Format, m) {
		t.Fatalf("%s: not written", m.Name)
	}
	again, list := format.ReadSource(json.Format, &format.Source{Name: "again", Data: []byte(written(t, m))}, format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	if got, want := stripped(again), stripped(m); !reflect.DeepEqual(got, want) {
		t.Fatalf("%s: read back %+v; want %+v", m.Name, got, want)
	}
}

func written(t *testing.T, m *model.Model) string {
	t.Helper()
	out, err := format.Encode(nil, json.Format, "out.json", m)
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Lost) > 0 || len(out.Files) != 1 {
		t.Fatalf("%d files; lost %q", len(out.Files), out.Lost)
	}
	return out.Files[0].Data.String()
}

// stripped returns m without its dependence on the file. An empty list is nil, and a potential has
// the child -1.
func stripped(m *model.Model) *model.Model {
	out := *m
	out.File, out.Vars, out.Factors = "", nil, strippedFactors(m.Factors)
	for _, v := range m.Vars {
		w := *v
		w.Pos = diag.Pos{}
		out.Vars = append(out.Vars, &w)
	}
	if t := m.Transition; t != nil {
		out.Transition = &model.Transition{Before: t.Before, Factors: strippedFactors(t.Factors), Tied: t.Tied}
	}
	return &out
}

func strippedFactors(list []*model.Factor) (out []*model.Factor) {
	for _, f := range list {
		g := *f
		g.Pos, g.RowPos, g.Child, g.Scope = diag.Pos{}, nil, max(-1, f.Child), append([]model.VarID(nil), f.Scope...)
		switch d := f.Dist.(type) {
		case *model.Deterministic:
			g.Dist = &model.Deterministic{States: append([]int32(nil), d.States...)}
		case *model.NoisyMax:
			g.Dist = &model.NoisyMax{Leak: d.Leak, Cause: append([][]float64(nil), d.Cause...)}
		case *model.Features:
			features := &model.Features{}
			for _, x := range d.List {
				x.Literals = append([]model.Literal(nil), x.Literals...)
				features.List = append(features.List, x)
			}
			g.Dist = features
		case *model.Circuit:
			circuit := &model.Circuit{}
			for _, n := range d.Nodes {
				n.Args = append([]int32(nil), n.Args...)
				circuit.Nodes = append(circuit.Nodes, n)
			}
			g.Dist = circuit
		}
		out = append(out, &g)
	}
	return out
}

func TestFixtures(t *testing.T) {
	for _, m := range irtest.Fixtures() {
		same(t, m)
	}
}

// TestRandom writes Bayesian and Markov networks with distributions of every kind, and the Bayesian
// ones as dependency networks.
func TestRandom(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(300) {
		m := irtest.RandomModel(seed, irtest.Options{})
		m.Vars[seed%uint64(len(m.Vars))].Latent = seed%3 == 0
		same(t, m)
		seen[m.Kind.String()]++
		for _, f := range m.Factors {
			seen[reflect.TypeOf(f.Dist).String()]++
		}
		if m.Kind == model.Bayes {
			m.Kind = model.Dependency
			same(t, m)
		}
	}
	for _, what := range []string{"Bayesian network", "Markov network", "*model.Table", "*model.Deterministic", "*model.NoisyMax", "*model.Tree",
		"*model.Features", "*model.Circuit"} {
		if seen[what] < 20 {
			t.Errorf("%d of %s; want at least 20", seen[what], what)
		}
	}
}

// TestDependency writes a dependency network whose parents form a cycle.
func TestDependency(t *testing.T) {
	m := &model.Model{Name: "loop", Kind: model.Dependency}
	a, b := m.NewVar("a", "0", "1"), m.NewVar("b", "0", "1")
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{b.ID, a.ID}, Child: 1, Dist: &model.Table{Values: []float64{0.1, 0.9, 0.4, 0.6}}},
		{Scope: []model.VarID{b.ID, a.ID}, Child: 0, Dist: &model.Features{List: []model.Feature{
			{Weight: -1.5, Literals: []model.Literal{{Axis: 0, State: 1}, {Axis: 1, State: 0, Not: true}}}, {Weight: 2}}}},
	}
	same(t, m)
}

// TestOwnModels writes the models of this repository.
func TestOwnModels(t *testing.T) {
	networks(t, filepath.Join(irtest.ModuleRoot(t), "testdata", "models", "*.bif"), 5)
}

// TestNetworks writes the networks of the BIF collection.
func TestNetworks(t *testing.T) {
	networks(t, filepath.Join(irtest.Shared(t), "data", "bif", "*.bif.gz"), 18)
}

// networks writes the networks in the text format that match pattern, of which there must be at
// least n.
func networks(t *testing.T, pattern string, n int) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) < n {
		t.Fatalf("found %d files, %v; want at least %d", len(paths), err, n)
	}
	for _, path := range paths {
		m, list := format.Read([]format.Format{bif.Format}, path, "", format.ReadOptions{})
		if err := list.Err(); err != nil {
			t.Fatal(err)
		}
		same(t, m)
	}
}

// TestRowPos checks the positions for messages about rows: the first number of each row, leaf,
// feature or node.
func TestRowPos(t *testing.T) {
	for _, c := range []struct {
		name, dist string
		want       []string
	}{
		{"table", ofB("\"table\": [0.5, 0.25, 0.25,\n 0.1, 0.2, 0.7]"), []string{"t:6:47", "t:7:2"}},
		{"child first", ofScope("[\"b\", \"a\"]", "\"table\": [\n0.5, 0.1,\n0.25, 0.2, 0.25, 0.7]"), []string{"t:7:1", "t:7:6"}},
		{"noisy-max", ofB("\"noisy-max\": {\n\"leak\": [1, 0, 0],\n\"causes\": [[1, 0, 0,\n0.5, 0.5, 0]]}"), []string{"t:7:10", "t:8:13", "t:9:1"}},
		{"tree", ofB("\"tree\": [{\"test\": \"a\", \"next\": [1, 1]},\n{\"leaf\": [1, 0, 0]}]"), []string{"t:7:1"}},
	} {
		m, list := format.ReadSource(json.Format, &format.Source{Name: "t", Data: []byte(c.dist)}, format.ReadOptions{})
		if err := list.Err(); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, pos := range m.Factors[1].RowPos {
			got = append(got, pos.String())
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: rows are at %q; want %q", c.name, got, c.want)
		}
	}
}

// TestLimit checks that too many numbers are rejected: those of a large table before they are read,
// with the memory that would do.
func TestLimit(t *testing.T) {
	for _, c := range []struct {
		table string
		opt   format.ReadOptions
		want  string
	}{
		{`[0.5, "what"]`, format.ReadOptions{MaxEntries: 5}, `t:6:46: CPD of "b" would have 6 numbers; the limit is 5`},
		{"[0.5, 0.25, 0.25, 0.1, 0.2, 0.7, 1]", format.ReadOptions{MaxEntries: 6}, "t:6:79: found more than 6 numbers; the limit is 6"},
		{`[0.5, "what"]`, format.ReadOptions{MaxMem: 5 * 48, MaxBytes: 1000},
			`t:6:46: CPD of "b" would have 6 numbers; the limit is 5, one for 48 bytes of max-mem; want max-mem 1MiB or more`},
	} {
		_, list := format.ReadSource(json.Format, &format.Source{Name: "t", Data: []byte(ofB(`"table": ` + c.table))}, c.opt)
		if list.Err() == nil || list.Err().Error() != c.want {
			t.Errorf("got %v; want %s", list.Err(), c.want)
		}
	}
}

// TestLarge checks that deeply nested files, or those with excessive sizes, are rejected quickly.
func TestLarge(t *testing.T) {
	const n = 1 << 20
	deep := strings.Repeat("[", n)
	for _, c := range []struct{ text, want string }{
		{deep, `t:1:1: found "["; want {`},
		{`{"pgmc": 1, "kind": ` + deep, `t:1:1048597: found the end of the file; want a value`},
		{`{"pgmc": 1, "kind": ` + deep + strings.Repeat("]", n) + "}", `t:1:21: found "["; want the kind of network`},
		{strings.Repeat(`{"pgmc": `, n), `t:1:9437185: found the end of the file; want a value`},
	} {
		_, list := format.ReadSource(json.Format, &format.Source{Name: "t", Data: []byte(c.text)}, format.ReadOptions{})
		if list.Err() == nil || list.Err().Error() != c.want {
			t.Errorf("got %v; want %s", list.Err(), c.want)
		}
	}
}

// TestDescriptions checks that descriptions return as they were, without control characters, and
// that they need version 2.
func TestDescriptions(t *testing.T) {
	m := irtest.Asia()
	m.Description, m.Vars[3].Description = "Chest clinic <\"asia\">", "has lung cancer"
	same(t, m)
	text := written(t, m)
	if !strings.Contains(text, `{"name": "lung", "description": "has lung cancer", "states"`) {
		t.Errorf("got\n%s", text)
	}
	lines := readText(t, strings.Replace(text, "has lung", `has\n lung`, 1))
	if got := lines.Vars[3].Description; got != "has  lung cancer" {
		t.Errorf("got %q; want one line", got)
	}
	_, list := format.ReadFrom([]format.Format{json.Format}, "old.json", strings.NewReader(strings.Replace(text, `"pgmc": 2`, `"pgmc": 1`, 1)), format.ReadOptions{})
	if err := list.Err(); err == nil || !strings.HasSuffix(err.Error(), "found version 1 of the format; want 2, since it has a description") {
		t.Errorf("got %v", err)
	}
}
