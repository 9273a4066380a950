package rate

import (
	"math"
	"testing"
)

// TestAreaOfWeightedRows compares the area with the count of pairs by hand: of states 0.9 (weight
// 2), 0.6 and 0.6 of the one kind and 0.6 and 0.2 (weight 3) of the other, 2*4 + 2*(1/2 + 3) of 4*4
// pairs are in order.
func TestAreaOfWeightedRows(t *testing.T) {
	s := NewPredictions("a", []string{"no", "yes"})
	for _, r := range []struct {
		p      float64
		truth  int
		weight float64
	}{{.9, 1, 2}, {.6, 1, 1}, {.6, 1, 1}, {.6, 0, 1}, {.2, 0, 3}} {
		s.Add([]float64{1 - r.p, r.p}, 1, r.truth, r.weight)
	}
	if got := s.Report().AUC; got == nil || math.Abs(*got-15./16) > 1e-12 {
		t.Errorf("the area is %v; want 15/16", got)
	}
}

// Beyond maxRanks different posteriors, the area is not computed, and memory does not grow.
func TestRanksOverflow(t *testing.T) {
	s := NewPredictions("a", []string{"no", "yes"})
	for i := range maxRanks + 2 {
		p := float64(i) / (2 * maxRanks)
		s.Add([]float64{1 - p, p}, 0, i%2, 1)
		if i == 1000 && s.auc() == nil {
			t.Fatal("no area of few rows")
		}
	}
	if s.auc() != nil || s.ranks != nil {
		t.Error("ranks of too many posteriors are kept")
	}
}

// Posteriors that differ by rounding are ties.
func TestRanksTie(t *testing.T) {
	s := NewPredictions("a", []string{"no", "yes"})
	s.Add([]float64{.7, .3}, 0, 0, 1)
	s.Add([]float64{.7, .1 + .2}, 0, 1, 1)
	if auc := s.auc(); auc == nil || *auc != .5 {
		t.Errorf("the area is %v; want 0.5", auc)
	}
}

// Confidences that differ by rounding are in one bin: .3 and the sum of .1 and .2 above it, one half
// and the number below it.
func TestReliabilityTie(t *testing.T) {
	s := NewPredictions("a", []string{"no", "yes"})
	for _, p := range []float64{.5, math.Nextafter(.5, 0), .1 + .4} {
		s.Add([]float64{1 - p, p}, 1, 1, 1)
	}
	if bins := s.Report().Reliability; len(bins) != 1 || bins[0].From != .5 || bins[0].Weight != 3 {
		t.Errorf("bins %v; want one", bins)
	}
	for k := range 10 {
		for _, p := range []float64{float64(k) / 10, math.Nextafter(float64(k)/10, 0), math.Nextafter(float64(k)/10, 1)} {
			if got := binOf(max(0, p)); got != k {
				t.Errorf("%v is in bin %d; want %d", p, got, k)
			}
		}
	}
	if binOf(1) != 9 || binOf(1+1e-15) != 9 || binOf(.59) != 5 {
		t.Error("a confidence in the wrong bin")
	}
}

// A state is predicted from its threshold on, and otherwise the most probable other state.
func TestDecide(t *testing.T) {
	p := &Predictor{}
	p.Decide(0, 2, .2)
	for _, c := range []struct {
		posterior []float64
		want      int
	}{{[]float64{.7, .1, .2}, 2}, {[]float64{.3, .6, .1}, 1}, {[]float64{.35, .35, .3}, 2}, {[]float64{.405, .405, .19}, 0}} {
		if got := p.State(0, c.posterior); got != c.want {
			t.Errorf("%v predicts %d; want %d", c.posterior, got, c.want)
		}
	}
	if p.State(1, []float64{.7, .1, .2}) != 0 {
		t.Error("another target is decided too")
	}
}
