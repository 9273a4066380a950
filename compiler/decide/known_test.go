package decide_test

import (
	"bufio"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// table returns the fields of the lines after the first of a file.
func table(t *testing.T, name string) (rows [][]string) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan(); lines.Scan(); {
		rows = append(rows, strings.Split(lines.Text(), "\t"))
	}
	return rows
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestBuiltIn compares the models of the command with the answers of Netica's tutorial (77 with a
// forecast; 70 and 35 without one) and of an enumeration of all cases in another language.
func TestBuiltIn(t *testing.T) {
	for _, c := range []struct {
		name    string
		blind   bool // decisions know nothing
		want    float64
		options []float64
	}{
		{"oil", false, 22.5, []float64{22.5, 20}},
		{"weather", false, 77, nil},
		{"weather", true, 70, []float64{35, 70}},
		{"hospital", false, 96.77589598625, nil},
		{"hospital", true, 94.16548, []float64{83.3793, 94.16548}},
	} {
		m := load(t, filepath.Join("..", "..", "testdata", "models", c.name+".pgmc.json"))
		for _, d := range m.Diagram.Decisions {
			if c.blind {
				d.Known = nil
			}
		}
		s, err := decide.Solve(t.Context(), m, make([][]float64, len(m.Vars)), decide.Options{})
		if err != nil || math.Abs(s.Utility-c.want) > 1e-9 {
			t.Errorf("%s: %v, error %v; want utility %v", c.name, s, err, c.want)
			continue
		}
		if c.options == nil {
			continue
		}
		got, err := s.Options(t.Context(), 0)
		if err != nil || !slices.EqualFunc(got, c.options, func(x, y float64) bool { return math.Abs(x-y) < 1e-9 }) {
			t.Errorf("%s: options %v, error %v; want %v", c.name, got, err, c.options)
		}
	}
}

// TestKnown compares the diagrams of the collection with its answers: the oil wildcatter, the tiger
// of Kaelbling, Littman and Cassandra (1998), a machine that wears out, and random diagrams, which
// were solved by enumeration of all strategies.
func TestKnown(t *testing.T) {
	dir := filepath.Join(irtest.Shared(t), "data", "decide")
	want := map[string]float64{"oil": 22.5, "two-oil-problems": 45, "tiger1": -1, "tiger2": -2, "tiger3": 2.72, "tiger4": 2.42125, "tiger5": 3.60915,
		"machine3": 25.58, "machine10": 78.3632019043, "machine10-discount.9.pgmc.json": 51.4863449196, "machine200": 1510.2032, "mau.xdsl": 10.8, "decision.net": 2, "umbrella.dne": 70}
	for _, row := range table(t, filepath.Join(dir, "random-diagrams", "answers.tsv")) {
		want["random-diagrams/"+row[0]] = number(t, row[3])
	}
	for name, u := range want {
		if !slices.Contains([]string{".xdsl", ".net", ".dne", ".json"}, filepath.Ext(name)) {
			name += ".pgmc.json"
		}
		m := load(t, filepath.Join(dir, name))
		s, err := decide.Solve(t.Context(), m, make([][]float64, len(m.Vars)), decide.Options{})
		if err != nil || math.Abs(s.Utility-u) > 1e-9*max(1, math.Abs(u)) {
			t.Errorf("%s: %v, error %v; want utility %v", name, s, err, u)
		}
	}
	for _, row := range table(t, filepath.Join(dir, "random-diagrams", "information.tsv")) {
		m := load(t, filepath.Join(dir, "random-diagrams", row[0]+".pgmc.json"))
		v, _ := m.VarByName(row[1])
		got, err := decide.Value(t.Context(), m, make([][]float64, len(m.Vars)), []model.VarID{v.ID}, decide.First, decide.Options{})
		if want := number(t, row[2]); err != nil || math.Abs(got-want) > 1e-9*max(1, math.Abs(want)) {
			t.Errorf("%s, %s: worth %v, error %v; want %v", row[0], row[1], got, err, want)
		}
	}
}
