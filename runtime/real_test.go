package pgmrt

import (
	"errors"
	"fmt"
	"math"
	"testing"
)

func TestRealText(t *testing.T) {
	for _, c := range []struct {
		data     string
		x        float64
		observed bool
		failure  string
	}{
		{"null", 0, false, ""},
		{"-1.5e-07", -1.5e-7, true, ""},
		{`"1"`, 0, false, `light: want the number of a real variable; got "\"1\""`},
	} {
		x, observed, err := UnmarshalReal(&light, []byte(c.data))
		if x != c.x || observed != c.observed || text(err) != c.failure || err != nil && !errors.Is(err, ErrState) {
			t.Errorf("UnmarshalReal(%s) = %v, %v, %v", c.data, x, observed, err)
		}
		if err == nil {
			if back, err := MarshalReal(&light, x, observed); string(back) != c.data || err != nil {
				t.Errorf("MarshalReal(%v, %v) = %s, %v; want %s", x, observed, back, err, c.data)
			}
		}
	}
	_, err := MarshalReal(&light, math.Inf(-1), true)
	if text(err) != "light: a real variable has the value -Inf; want a finite number" {
		t.Errorf("MarshalReal(-Inf): %v", err)
	}
	if x, observed, err := ParseReal(&light, 1, "2.5"); x != 2.5 || !observed || err != nil {
		t.Errorf("ParseReal(2.5) = %v, %v, %v", x, observed, err)
	}
	if _, observed, err := ParseReal(&light, 1, ""); observed || err != nil {
		t.Errorf("ParseReal of an empty text = %v, %v", observed, err)
	}
	if _, _, err := ParseReal(&light, 1, "red"); text(err) != `light: variable "speed": want a number; got "red"` {
		t.Errorf("ParseReal(red): %v", err)
	}
	if RealString(0, false) != "unset" || RealString(1.5, true) != "1.5" {
		t.Errorf("RealString: %q and %q", RealString(0, false), RealString(1.5, true))
	}
}

// TestRealRanges compares the ranges in messages with the constant.
func TestRealRanges(t *testing.T) {
	value := fmt.Sprintf(`light: variable "speed": want a number of a size of at most %g`, mostMeasured)
	if err := BadValue(&light, 1); text(err) != value || !errors.Is(err, ErrState) {
		t.Errorf("%v; want %s", err, value)
	}
	measurement := fmt.Sprintf(`light: variable "speed": likelihood is a measurement; want one of a size of at most %g, whose variance is between %g and %g`,
		mostMeasured, 1/mostMeasured, mostMeasured)
	if err := BadMeasurement(&light, 1); text(err) != measurement || !errors.Is(err, ErrLikelihood) {
		t.Errorf("%v; want %s", err, measurement)
	}
}

// TestNormal compares the functions with those of a mixture of one component, and with the limits.
func TestNormal(t *testing.T) {
	m := Mixture{{P: 1, Mean: 3, Var: 4}}
	for _, x := range []float64{-5, 2.5, 3, 9} {
		if got := NormalPDF(x, 3, 4); got != m.PDF(x) {
			t.Errorf("NormalPDF(%v) = %v; want %v", x, got, m.PDF(x))
		}
		p := NormalCDF(x, 3, 4)
		if p != m.CDF(x) {
			t.Errorf("NormalCDF(%v) = %v; want %v", x, p, m.CDF(x))
		}
		if got := NormalQuantile(p, 3, 4); math.Abs(got-x) > 1e-9 { // rounding of p in the tails
			t.Errorf("NormalQuantile(%v) = %v; want %v", p, got, x)
		}
	}
	for _, c := range []struct{ got, want float64 }{
		{NormalPDF(3, 3, 0), math.Inf(1)}, {NormalPDF(4, 3, 0), 0},
		{NormalCDF(3, 3, 0), 1}, {NormalCDF(2, 3, 0), 0}, {NormalCDF(4, 3, 0), 1},
		{NormalQuantile(0.1, 3, 0), 3}, {NormalQuantile(0, 3, 4), math.Inf(-1)}, {NormalQuantile(1, 3, 4), math.Inf(1)},
	} {
		if c.got != c.want {
			t.Errorf("found %v; want %v", c.got, c.want)
		}
	}
	if !math.IsNaN(NormalQuantile(2, 3, 4)) {
		t.Error("the quantile of 2 is a number")
	}
}
