package rate_test

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// TestSampleSize has the number of Koller and Friedman, page 770, a network by hand, and the
// inverse.
func TestSampleSize(t *testing.T) {
	if rows, err := rate.SampleSize(.05, .01); err != nil || math.Abs(rows-1059.66) > .005 {
		t.Errorf("%v rows, %v; want 1059.66", rows, err)
	}
	m := garden() // two variables of two states, one parent, and .1 the smallest probability
	want := .5 * 1e4 * math.Pow(1.2/.2, 2) * math.Log(2*4/.05)
	rows, err := rate.NetworkSampleSize(m, .2, .05)
	if err != nil || math.Abs(rows/want-1) > 1e-12 {
		t.Errorf("%v rows, %v; want %v", rows, err, want)
	}
	if eps, err := rate.NetworkLoss(m, rows, .05); err != nil || math.Abs(eps-.2) > 1e-12 {
		t.Errorf("loss %v, %v; want .2", eps, err)
	}
	if eps, err := rate.NetworkLoss(m, 100, .05); err != nil || !math.IsInf(eps, 1) {
		t.Errorf("loss %v of 100 rows, %v; want infinity", eps, err)
	}
	m.Factors[0].Dist = &model.Table{Values: []float64{1, 0}}
	if rows, err := rate.NetworkSampleSize(m, .2, .05); err != nil || !math.IsInf(rows, 1) {
		t.Errorf("%v rows with a probability of 0, %v; want infinity", rows, err)
	}
	if _, err := rate.SampleSize(0, .1); err == nil {
		t.Error("an error of 0 is accepted")
	}
}
