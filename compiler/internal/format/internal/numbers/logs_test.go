package numbers_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/numbers"
)

// readLog reads a text of one word as a logarithm.
func readLog(text string) (float64, error) {
	r := numbers.New(&format.Source{Name: "t", Data: []byte(text)}, 0)
	r.Next()
	x, _ := r.Log("a logarithm")
	return x, r.Err()
}

// TestLog reads valid and invalid logarithms.
func TestLog(t *testing.T) {
	for text, want := range map[string]float64{"-inf": math.Inf(-1), "-Infinity": math.Inf(-1), "-0.5": -0.5, "709": 709, "-1e5": -1e5} {
		if got, err := readLog(text); err != nil || got != want {
			t.Errorf("%s: %v, %v; want %v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"inf":   `t:1:1: found "inf"; want a logarithm`,
		"nan":   `t:1:1: found "nan"; want a logarithm`,
		"709.1": `t:1:1: found "709.1"; want a logarithm of at most 709, because its exponential exceeds float64`,
		"":      `t:1:1: found end of file; want a logarithm`,
	} {
		if _, err := readLog(text); err == nil || err.Error() != want {
			t.Errorf("%s: %v; want %s", text, err, want)
		}
	}
}

// TestLogOf writes exponentials of random numbers, which must read back exactly, and numbers that
// are not the exponential of any float64.
func TestLogOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 10_000 {
		v := math.Exp(-rng.ExpFloat64() * 30)
		var text bytes.Buffer
		numbers.WriteLogOf(&text, v)
		if x, err := readLog(text.String()); err != nil || math.Exp(x) != v {
			t.Fatalf("%v is written as %s, which is %v, %v", v, text.String(), math.Exp(x), err)
		}
	}
	for v, want := range map[float64]string{
		0: "-inf", 1: "0", 0.5: "-0.6931471805599453", math.Exp(-0.11): "-0.11", math.SmallestNonzeroFloat64: "-744.4",
	} {
		var text bytes.Buffer
		if numbers.WriteLogOf(&text, v); text.String() != want {
			t.Errorf("%v is written as %s; want %s", v, text.String(), want)
		}
	}
	above := math.Nextafter(10, 11) // between e^x for neighbouring x
	if got := math.Exp(numbers.LogOf(above)); math.Abs(got-above) > 4e-15 {
		t.Errorf("%v became %v", above, got)
	}
}
