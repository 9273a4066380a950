package formattest

import (
	"math"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
)

// SameNumbers compares two files of one network, whose variables have the same names, in any order,
// and the same states in the same order. Numbers of CPDs may differ by tol. It returns the
// variables whose parents are in another order in got than in want. It compares their numbers in
// the order of the file, so that for these variables one of the files has the wrong order of
// parents or of numbers.
func SameNumbers(t testing.TB, got, want *model.Model, tol float64) (reordered []string) {
	t.Helper()
	if len(got.Vars) != len(want.Vars) {
		t.Fatalf("%d variables; want %d", len(got.Vars), len(want.Vars))
	}
	for _, v := range got.Vars {
		w, ok := want.VarByName(v.Name)
		if !ok {
			t.Fatalf("variable %q is not in the other file", v.Name)
		}
		if g, w := got.States(v.ID), want.States(w.ID); !slices.Equal(g, w) {
			t.Errorf("states of %q are %q; want %q", v.Name, g, w)
			continue
		}
		f, g := got.CPD(v.ID), want.CPD(w.ID)
		parents, others := parentNames(got, f), parentNames(want, g)
		if !slices.Equal(parents, others) {
			reordered = append(reordered, v.Name)
			slices.Sort(parents)
			slices.Sort(others)
		}
		if !slices.Equal(parents, others) {
			t.Errorf("parents of %q are %q; want %q", v.Name, parents, others)
		} else if diff := maxDiff(t, got, want, f, g); !(diff <= tol) {
			t.Errorf("numbers of %q are up to %g off", v.Name, diff)
		}
	}
	return reordered
}

func parentNames(m *model.Model, f *model.Factor) []string {
	var names []string
	for _, v := range f.Parents() {
		names = append(names, m.Vars[v].Name)
	}
	return names
}

// maxDiff returns the largest difference between the numbers of two CPDs, whose children come last.
func maxDiff(t testing.TB, a, b *model.Model, f, g *model.Factor) (diff float64) {
	t.Helper()
	x, err := a.Tabulate(f, maxJoint)
	if err != nil {
		t.Fatal(err)
	}
	y, err := b.Tabulate(g, maxJoint)
	if err != nil {
		t.Fatal(err)
	}
	if len(x) != len(y) {
		return math.Inf(1)
	}
	for i := range x {
		diff = max(diff, math.Abs(x[i]-y[i]))
	}
	return diff
}
