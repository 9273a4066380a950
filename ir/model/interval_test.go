package model

import (
	"slices"
	"testing"
)

func TestIntervals(t *testing.T) {
	cuts := []float64{-1.5, 0, 2}
	names := IntervalNames(cuts)
	if want := []string{"..-1.5", "-1.5..0", "0..2", "2.."}; !slices.Equal(names, want) {
		t.Fatalf("names %q; want %q", names, want)
	}
	if got, ok := IntervalCuts(names); !ok || !slices.Equal(got, cuts) {
		t.Errorf("bounds %v, %v; want %v", got, ok, cuts)
	}
	if got, ok := IntervalCuts(IntervalNames(nil)); !ok || len(got) > 0 {
		t.Errorf("bounds %v, %v of one state; want none", got, ok)
	}
	for _, other := range [][]string{nil, {"a", "b"}, {"..1", "2.."}, {"..2", "2..1", "1.."}, {"..x", "x.."}, {"..1", "1..2"}} {
		if _, ok := IntervalCuts(other); ok {
			t.Errorf("%q are taken for intervals", other)
		}
	}
	m := &Model{}
	m.NewVar("x", names...)
	m.NewVar("y", "0", "1")
	for text, want := range map[string]int{"-7": 0, "-1.5": 0, "-1": 1, "0": 1, "0.1": 2, "1e3": 3, "0..2": 2} {
		if got, ok := m.StateByName(0, text); !ok || got != want {
			t.Errorf("%s is in state %d, %v; want %d", text, got, ok, want)
		}
		if x, err := (Discrete{names}).Parse(text); err != nil || x.State != want {
			t.Errorf("%s parses to %v, %v; want %d", text, x, err, want)
		}
	}
	if _, ok := m.StateByName(1, "0.5"); ok {
		t.Error("0.5 is a state of y")
	}
	if _, ok := m.StateByName(0, "NaN"); ok {
		t.Error("NaN is a state of x")
	}
}
