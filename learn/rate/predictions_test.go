package rate

import (
	"math"
	"testing"
)

// TestAreaOfWeightedRows compares the area with the count of pairs by hand: of states 0.9 (weight
// 2), 0.6 and 0.6 of the one kind and 0.6 and 0.2 (weight 3) of the other, 2*4 + 2*(1/2 + 3) of 4*4
// pairs are in order.
func TestAreaOfWeightedRows(t *testing.T) {
	s := newPredictions("a", []string{"no", "yes"})
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
	s := newPredictions("a", []string{"no", "yes"})
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
	s := newPredictions("a", []string{"no", "yes"})
	s.Add([]float64{.7, .3}, 0, 0, 1)
	s.Add([]float64{.7, .1 + .2}, 0, 1, 1)
	if auc := s.auc(); auc == nil || *auc != .5 {
		t.Errorf("the area is %v; want 0.5", auc)
	}
}
