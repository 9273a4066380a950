package infer_test

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestMeasurements refuses measurements that no engine takes, by what they say.
func TestMeasurements(t *testing.T) {
	e := engine(t, irtest.RandomHybrid(4, irtest.HybridOptions{NoDiscrete: true, NoGivens: true}), infer.Options{})
	v := e.Vars()[0].Name
	for _, c := range []struct {
		m    infer.Measurement
		want string
	}{
		{infer.Measurement{Mean: 1, SD: .5}, ""},
		{infer.Measurement{Mean: 1, SD: -1}, "1±-1"},
		{infer.Measurement{Mean: 1}, "1±0"},
		{infer.Measurement{Mean: math.NaN(), SD: 1}, "NaN±1"},
		{infer.Measurement{Mean: 1, SD: math.Inf(1)}, "1±+Inf"},
	} {
		_, err := e.Marginals(t.Context(), infer.Evidence{v: c.m})
		got, want := "", ""
		if err != nil {
			got = err.Error()
		}
		if c.want != "" {
			want = `the evidence on "` + v + `" is ` + c.want + " of type infer.Measurement; want one measurement of a size of at most 1e+30 with a standard deviation between 1e-15 and 1e+15"
		}
		if got != want {
			t.Errorf("%v: %q; want %q", c.m, got, want)
		}
	}
}
