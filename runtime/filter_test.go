package pgmrt_test

import (
	"errors"
	"math"
	"testing"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// TestFilter checks that a filter survives its binary form, and what is refused.
func TestFilter(t *testing.T) {
	const model = 0xfedcba9876543210
	data := pgmrt.AppendFilter([]byte("x"), model, 7, -3.5, []float64{.25, .75})[1:]
	belief := make([]float64, 2)
	n, logP, err := pgmrt.ReadFilter(data, model, belief, 2)
	if n != 7 || logP != -3.5 || belief[0] != .25 || belief[1] != .75 || err != nil {
		t.Errorf("read %d, %v, %v, %v", n, logP, belief, err)
	}
	change := func(at int, x byte) []byte {
		other := append([]byte(nil), data...)
		other[at] = x
		return other
	}
	for _, c := range []struct {
		data []byte
		want string
	}{
		{data[:40], "a filter's binary form has 40 bytes; want 41"},
		{nil, "a filter's binary form has 0 bytes; want 41"},
		{change(0, 9), "a filter's binary form has version 9; want 1"},
		{change(1, 9), "a filter's binary form is of another model"},
		{change(16, 0x80), "a filter's binary form has 9223372036854775815 slices"},
		{pgmrt.AppendFilter(nil, model, 7, math.NaN(), []float64{.25, .75}), "a filter's binary form has a log-probability that is not finite"},
		{pgmrt.AppendFilter(nil, model, 7, 0, []float64{.25, math.Inf(1)}), "a filter's binary form has the number +Inf in its belief"},
		{pgmrt.AppendFilter(nil, model, 7, 0, []float64{1.25, -.25}), "a filter's binary form has the number -0.25 in its belief"},
		{pgmrt.AppendFilter(nil, model, 7, 0, []float64{.5, .25}), "a filter's binary form has probabilities that sum to 0.75; want 1"},
	} {
		if _, _, err := pgmrt.ReadFilter(c.data, model, belief, 2); err == nil || err.Error() != c.want || !errors.Is(err, pgmrt.ErrFilter) {
			t.Errorf("error %v; want %s", err, c.want)
		}
	}
	if _, _, err := pgmrt.ReadFilter(pgmrt.AppendFilter(nil, model, 1, 0, []float64{-2, 9}), model, belief, 0); err != nil {
		t.Errorf("numbers that are no probabilities: %v", err)
	}
}
