package data_test

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
)

// TestFor reorders columns, leaves one out, and adds missing ones.
func TestFor(t *testing.T) {
	vars := []data.Var{{Name: "a", States: []string{"0", "1"}}, {Name: "b", States: []string{"0", "1", "2"}}, {Name: "x", Real: true}}
	s, err := data.NewReal(vars, [][]float64{{1, 2, 0.5}, {0, math.NaN(), 1.5}}, []float64{3, 4})
	if err != nil {
		t.Fatal(err)
	}
	out := s.For([]data.Var{vars[2], {Name: "y", Real: true}, vars[1], {Name: "c", States: []string{"0"}}})
	for row, want := range [][]int{{0, data.Missing, 2, data.Missing}, {0, data.Missing, data.Missing, data.Missing}} {
		states, values := make([]int, 4), make([]float64, 4)
		out.Row(row, states)
		out.Values(row, values)
		for v := range states {
			if states[v] != want[v] || values[v] != []float64{0.5 + float64(row), 0, 0, 0}[v] {
				t.Errorf("row %d: %v and %v; want %v", row, states, values, want)
			}
		}
		if out.Weight(row) != s.Weight(row) {
			t.Errorf("row %d: weight %v", row, out.Weight(row))
		}
	}
	if len(s.Vars) != 3 || out.Vars[3].Name != "c" {
		t.Errorf("variables %v and %v", s.Vars, out.Vars)
	}
}
