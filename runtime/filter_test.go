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
		{pgmrt.AppendFilter(nil, model, 7, -3.5, []float64{1}), "a filter's binary form has 41 bytes; want 49"},
		{nil, "a filter's binary form has 0 bytes; want 17 or more"},
		{change(0, 1), "a filter's binary form has version 1; want 2"},
		{pgmrt.AppendFilter(nil, model+1, 7, -3.5, []float64{.25, .75}), "a filter's binary form is of another model"},
		{change(16, 0x80), "a filter's binary form is damaged: its checksum is wrong"},
		{pgmrt.AppendFilter(nil, model, -1, -3.5, []float64{.25, .75}), "a filter's binary form has 18446744073709551615 slices"},
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

// TestDamagedBinary changes each byte of the binary forms of filters in all ways, and cuts them off
// everywhere: all of that is refused.
func TestDamagedBinary(t *testing.T) {
	const model = 0xfedcba9876543210
	c := pgmrt.NewCloud(pgmrt.CloudOptions{Particles: 3, Seed: 1}, pgmrt.CloudOptions{Values: 1, States: 1})
	for _, form := range []struct {
		name string
		data []byte
		read func(data []byte) error
	}{
		{"filter", pgmrt.AppendFilter(nil, model, 7, -3.5, []float64{.25, .75}), func(data []byte) error {
			_, _, err := pgmrt.ReadFilter(data, model, make([]float64, 2), 2)
			return err
		}},
		{"histories", pgmrt.AppendHistories(nil, model, 2, -1, &pgmrt.HistoryState{Size: 1}, []float64{1, 1, .5, 2}), func(data []byte) error {
			_, _, _, err := pgmrt.ReadHistories(data, model, make([]float64, 8), 2, 3)
			return err
		}},
		{"particles", pgmrt.AppendCloud(nil, model, c), func(data []byte) error {
			_, err := pgmrt.ReadCloud(data, model, []int32{2}, pgmrt.CloudOptions{Values: 1, States: 1})
			return err
		}},
	} {
		if err := form.read(form.data); err != nil {
			t.Errorf("%s: %v", form.name, err)
		}
		for at := range form.data {
			for x := range 256 {
				bad := append([]byte(nil), form.data...)
				if bad[at] = byte(x); byte(x) != form.data[at] && !errors.Is(form.read(bad), pgmrt.ErrFilter) {
					t.Errorf("%s: byte %d is read as %d; want an error", form.name, at, x)
				}
			}
			if !errors.Is(form.read(form.data[:at]), pgmrt.ErrFilter) {
				t.Errorf("%s: %d bytes are read; want an error", form.name, at)
			}
		}
	}
}
