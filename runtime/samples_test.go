package pgmrt

import (
	"errors"
	"slices"
	"testing"
)

// TestSamples checks which function draws each sample. Another query runs before the third, and the
// fifth fails.
func TestSamples(t *testing.T) {
	runs, fails := uint(7), false
	sample := func(out *string) error {
		if fails {
			return errors.New("failed")
		}
		runs++
		*out = "sample"
		return nil
	}
	var got []string
	for out := range Samples(&runs, sample, func(out *string) { *out = "next" }) {
		got = append(got, *out)
		switch len(got) {
		case 2:
			runs++
		case 4:
			runs++
			fails = true
		}
	}
	if want := []string{"sample", "next", "sample", "next"}; !slices.Equal(got, want) {
		t.Errorf("%v; want %v", got, want)
	}
	for range Samples(&runs, func(*string) error { return nil }, nil) {
		return
	}
	t.Error("there is no sample")
}

func TestCloned(t *testing.T) {
	x := 3
	if y := Cloned(&x); y == &x || *y != 3 {
		t.Error("no copy")
	}
	if Cloned[int](nil) != nil {
		t.Error("nil has a copy")
	}
}
