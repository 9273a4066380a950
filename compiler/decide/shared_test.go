package decide_test

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// empty holds the diagrams without decisions and utilities, since a policy of the file makes a
// decision a chance variable. Networks in time, with names that begin with MID, are not solved.
var empty = []string{"ID-only-imposed-decision-and-chance-no-utility.pgmx", "ImposedPolicy.pgmx"}

// TestShared solves the influence diagrams of the reference collection and compares their largest
// mean utility with that which their tools assert, or with an independent enumeration; its
// answers.tsv says where each number comes from.
func TestShared(t *testing.T) {
	dir := filepath.Join(irtest.Shared(t), "data", "decision")
	file, err := os.Open(filepath.Join(dir, "answers.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	solved, variances := 0, 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		c := strings.Split(lines.Text(), "\t")
		name, evidence, quantity := c[0], c[1], c[2]
		meu := strings.HasPrefix(quantity, "MEU") || quantity == "expected utility"
		known := strings.HasPrefix(name, "ID") || strings.HasPrefix(name, "DAN") || strings.HasPrefix(name, "limid") || strings.HasPrefix(name, "agrum")
		if !meu || !known || slices.Contains(empty, name) || c[6] == "disabled" || strings.Contains(name, "7-test") && !irtest.Long(t) {
			continue // a network with 7 tests takes seconds
		}
		want, err := strconv.ParseFloat(strings.Split(c[3], ",")[0], 64)
		if err != nil {
			t.Fatal(err)
		}
		m := load(t, filepath.Join(dir, name))
		o := decide.Options{Limited: strings.Contains(quantity, "limited-memory") || strings.Contains(name, "reactive")}
		s, err := decide.Solve(t.Context(), m, likelihoods(t, m, evidence), o)
		if err != nil {
			t.Errorf("%s given %q: %v", name, evidence, err)
			continue
		}
		tol := 1e-5 * max(1, math.Abs(want))
		if strings.Contains(name, "pigs") {
			tol = .5 // printed without decimals
		}
		if math.Abs(s.Utility-want) > tol {
			t.Errorf("%s given %q: %.10g; want %v", name, evidence, s.Utility, want)
		}
		if values := strings.Split(c[3], ", "); strings.HasPrefix(quantity, "MEU mean, variance") {
			got, err := s.Moments(t.Context())
			if want := number(t, values[1]); err != nil || math.Abs(got.Variance-want) > 1e-5*max(1, want) {
				t.Errorf("%s given %q: moments %v, error %v; want variance %v", name, evidence, got, err, want)
			}
			variances++
		}
		again(t, m, name, evidence, o, s.Utility)
		solved++
	}
	if solved < 86 || variances < 4 {
		t.Errorf("%d answers and %d variances were compared; want 86 or more and 4", solved, variances)
	}
}

// again writes a diagram in the formats that hold one, and compares the utility of what they read.
func again(t *testing.T, m *model.Model, name, evidence string, o decide.Options, want float64) {
	for _, path := range []string{"a.pgmc.json", "a.bifxml"} {
		if path == "a.bifxml" && m.Diagram.Asymmetry != nil {
			continue // json alone holds it
		}
		f, err := format.Find(compiler.Formats, path, "")
		if err != nil {
			t.Fatal(err)
		}
		out, err := format.Encode(compiler.Formats, f, path, m)
		if err != nil {
			t.Errorf("%s as %s: %v", name, path, err)
			continue
		}
		x, list := format.ReadSource(f, &format.Source{Name: path, Data: out.Files[0].Data.Bytes()}, format.ReadOptions{})
		if list.HasErrors() {
			t.Fatal(list.Err())
		}
		s, err := decide.Solve(t.Context(), x, likelihoods(t, x, evidence), o)
		if err != nil || math.Abs(s.Utility-want) > 1e-12*max(1, math.Abs(want)) {
			t.Errorf("%s as %s: %v, error %v; want %v", name, path, s, err, want)
		}
	}
}

// load reads a diagram of the collection.
func load(t *testing.T, name string) *model.Model {
	t.Helper()
	if strings.HasPrefix(filepath.Base(name), "limid") {
		return limid(t, name)
	}
	m, list := format.Read(compiler.Formats, name, "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	if m.Diagram == nil {
		t.Fatalf("%s is no influence diagram: %v", name, list)
	}
	return m
}

// limid reads the plain JSON that the collection has for diagrams from programs.
func limid(t *testing.T, name string) *model.Model {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Variables json.RawMessage
	}
	type variable struct {
		Kind            string
		States, Parents []string
		Table           json.RawMessage
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	var names []string // in the order of the file
	vars := map[string]*variable{}
	dec := json.NewDecoder(strings.NewReader(string(file.Variables)))
	for dec.Token(); dec.More(); {
		key, err := dec.Token()
		if err != nil {
			t.Fatal(err)
		}
		v := &variable{}
		if err := dec.Decode(v); err != nil {
			t.Fatal(err)
		}
		names, vars[key.(string)] = append(names, key.(string)), v
	}
	m := &model.Model{Name: filepath.Base(name), Diagram: &model.Diagram{}}
	for _, n := range names {
		if v := vars[n]; v.Kind != "utility" {
			m.NewVar(n, v.States...).Given = v.Kind == "decision"
		}
	}
	for _, n := range names {
		v := vars[n]
		var parents []model.VarID
		for _, p := range v.Parents {
			x, _ := m.VarByName(p)
			parents = append(parents, x.ID)
		}
		x, _ := m.VarByName(n)
		switch v.Kind {
		case "decision":
			m.Diagram.Decisions = append(m.Diagram.Decisions, &model.Decision{Var: x.ID, Known: parents})
		case "utility":
			u := &model.Utility{Name: n, Scope: parents}
			if err := json.Unmarshal(v.Table, &u.Values); err != nil {
				t.Fatal(err)
			}
			m.Diagram.Utilities = append(m.Diagram.Utilities, u)
		default:
			var rows [][]float64
			if err := json.Unmarshal(v.Table, &rows); err != nil {
				t.Fatal(err)
			}
			m.Factors = append(m.Factors, &model.Factor{Scope: append(parents, x.ID), Child: len(parents), Dist: &model.Table{Values: slices.Concat(rows...)}})
		}
	}
	if list := m.Check(); list.HasErrors() {
		t.Fatal(list.Err())
	}
	return m
}

// likelihoods reads evidence as answers.tsv has it: "A=x, B=y", or "soft evidence A: .2, .8".
func likelihoods(t *testing.T, m *model.Model, text string) [][]float64 {
	t.Helper()
	out := make([][]float64, len(m.Vars))
	if soft, ok := strings.CutPrefix(text, "soft evidence "); ok {
		name, list, _ := strings.Cut(soft, ": ")
		v, ok := m.VarByName(name)
		if !ok {
			t.Fatalf("%q: no such variable", name)
		}
		for _, s := range strings.Split(list, ", ") {
			x, err := strconv.ParseFloat(s, 64)
			if err != nil {
				t.Fatal(err)
			}
			out[v.ID] = append(out[v.ID], x)
		}
		return out
	}
	for _, pair := range strings.Split(text, ", ") {
		if pair == "" {
			continue
		}
		name, state, _ := strings.Cut(pair, "=")
		v, ok := m.VarByName(name)
		if !ok {
			t.Fatalf("%q: no such variable", name)
		}
		k, ok := m.StateByName(v.ID, state)
		if !ok {
			t.Fatalf("%q: no such state", pair)
		}
		out[v.ID] = make([]float64, m.Card(v.ID))
		out[v.ID][k] = 1
	}
	return out
}
