package decide_test

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestValueBefore compares the value of what each decision could know as well, of one variable and
// of all, with decision trees; and that of the oil wildcatter with its known answers.
func TestValueBefore(t *testing.T) {
	for seed := range uint64(irtest.Count(t, 40, 300)) {
		m := random(seed, 1+int(seed%3))
		none := make([][]float64, len(m.Vars))
		without, p := expected(m, none)
		for _, d := range m.Diagram.Decisions {
			free, err := decide.Unaffected(m, none, d.Var)
			if err != nil {
				t.Fatal(err)
			}
			for _, vars := range append(slices.Collect(slices.Chunk(free, 1)), free) {
				got, err := decide.Value(t.Context(), m, none, vars, d.Var, decide.Options{})
				if err != nil {
					t.Fatal(err)
				}
				known := d.Known
				d.Known = slices.Concat(known, slices.DeleteFunc(slices.Clone(vars), func(v model.VarID) bool { return slices.Contains(known, v) }))
				with, _ := expected(m, none)
				d.Known = known
				if want := (with - without) / p; math.Abs(got-want) > 1e-9 {
					t.Errorf("seed %d, %v before %s: %v; want %v", seed, vars, m.Vars[d.Var].Name, got, want)
				}
			}
		}
	}
	m := load(t, filepath.Join(irtest.Shared(t), "data", "decide", "oil.pgmc.json"))
	for _, c := range []struct {
		evidence, before string
		want             float64
	}{{"", "test", 32.5}, {"", "drill", 32.5}, {"test=yes", "drill", 22.5}} {
		d, _ := m.VarByName(c.before)
		oil, _ := m.VarByName("oil")
		got, err := decide.Value(t.Context(), m, likelihoods(t, m, c.evidence), []model.VarID{oil.ID}, d.ID, decide.Options{})
		if err != nil || math.Abs(got-c.want) > 1e-9 {
			t.Errorf("oil before %s given %q: %v, error %v; want %v", c.before, c.evidence, got, err, c.want)
		}
	}
}

// TestValueApart values variables of two problems in one diagram, each before its own first
// decision.
func TestValueApart(t *testing.T) {
	m := load(t, filepath.Join(irtest.Shared(t), "data", "decide", "two-oil-problems.pgmc.json"))
	none := make([][]float64, len(m.Vars))
	free, err := decide.Unaffected(m, none, decide.First)
	if err != nil || len(free) != 2 {
		t.Fatalf("variables %v, error %v; want the oil of each problem", free, err)
	}
	for _, vars := range [][]model.VarID{free[:1], free[1:], free} {
		got, err := decide.Value(t.Context(), m, none, vars, decide.First, decide.Options{})
		if want := 32.5 * float64(len(vars)); err != nil || math.Abs(got-want) > 1e-9 {
			t.Errorf("%v: %v, error %v; want %v", vars, got, err, want)
		}
	}
}
