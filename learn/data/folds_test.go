package data

import (
	"reflect"
	"slices"
	"testing"
)

// TestFolds checks that each row is in one fold, that folds differ by at most one row, and that the
// seed decides.
func TestFolds(t *testing.T) {
	vars := []Var{{Name: "a", States: []string{"0", "1", "2"}}, {Name: "b", States: make([]string, 300)}}
	var rows [][]int
	var weights []float64
	for i := range 23 {
		rows, weights = append(rows, []int{i%4 - 1, 12 * i}), append(weights, float64(i+1))
	}
	s, err := New(vars, rows, weights)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{2, 5, 23} {
		folds := s.Folds(n, 7)
		var all []int
		for _, f := range folds {
			if len(f) < 23/n || len(f) > 23/n+1 {
				t.Errorf("a fold of %d has %d rows", n, len(f))
			}
			all = append(all, f...)
			part := s.Subset(f)
			got := make([]int, 2)
			for k, i := range f {
				if part.Row(k, got); !slices.Equal(got, rows[i]) || part.Weight(k) != weights[i] {
					t.Errorf("row %d of a fold is %v with weight %v; want row %d", k, got, part.Weight(k), i)
				}
			}
		}
		slices.Sort(all)
		if len(all) != 23 || len(slices.Compact(all)) != 23 {
			t.Errorf("%d folds hold %v; want each row once", n, all)
		}
		if !reflect.DeepEqual(folds, s.Folds(n, 7)) || reflect.DeepEqual(folds, s.Folds(n, 8)) {
			t.Errorf("%d folds do not go by the seed", n)
		}
	}
}
