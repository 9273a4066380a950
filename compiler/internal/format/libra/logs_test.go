package libra

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
)

// roundTrip writes v and reads it back.
func roundTrip(t *testing.T, v float64) float64 {
	t.Helper()
	var buf bytes.Buffer
	writeLogOf(&buf, v)
	x, ok := parseLog(buf.String())
	if !ok {
		t.Fatalf("%v was written as %q, which is no logarithm", v, buf.String())
	}
	return math.Exp(x)
}

// TestLogs writes numbers as logarithms. Those that are the exponential of a float64 read back
// exactly, others as closely as the spacing of logarithms allows.
func TestLogs(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range irtest.Count(t, 20_000, 100_000) {
		v := math.Exp(rng.NormFloat64() * 20)
		if got := roundTrip(t, v); got != v {
			t.Fatalf("%v became %v", v, got)
		}
		v = math.Float64frombits(rng.Uint64() &^ (1 << 63))
		if math.IsNaN(v) || math.IsInf(v, 0) || v < 0x1p-1022 || v > maxValue {
			continue
		}
		off := math.Abs(roundTrip(t, v)-v) / v
		if limit := math.Max(1, math.Abs(math.Log(v))) * 0x1p-52; !(off <= limit) {
			t.Fatalf("%v is off by %v; want at most %v", v, off, limit)
		}
	}
	for _, v := range []float64{0, 1, 0.5, math.SmallestNonzeroFloat64, 4.47628622567513e-309, math.Exp(709), math.Exp(-744.4)} {
		if got := roundTrip(t, v); got != v {
			t.Errorf("%v became %v", v, got)
		}
	}
	for v, want := range map[float64]string{0: "-inf", 1: "0", math.Exp(-1.590647e-01): "-0.1590647", math.Exp(2.5e-7): "2.5e-07"} {
		var buf bytes.Buffer
		if writeLogOf(&buf, v); buf.String() != want {
			t.Errorf("%v is written as %s; want %s", v, buf.String(), want)
		}
	}
}
