package pgmrt

import (
	"math"
	"testing"
)

func TestDamp(t *testing.T) {
	for _, c := range []struct {
		rate, residual float64
		want           []float64
		far            float64
	}{
		{0, 0, []float64{.25, .75}, .5},
		{.5, 0, []float64{.5, .5}, .5}, // halfway from .75, .25
		{.75, .6, []float64{.625, .375}, .6},
	} {
		old := []float64{.75, .25}
		if far := Damp(old, []float64{.25, .75}, c.rate, c.residual); far != c.far || old[0] != c.want[0] || old[1] != c.want[1] {
			t.Errorf("rate %v: %v, residual %v; want %v, %v", c.rate, old, far, c.want, c.far)
		}
	}
}

// TestBoltzmann checks weights by hand: energies that differ by 2 ln 2 have weights 4 to 1.
func TestBoltzmann(t *testing.T) {
	ln2 := math.Ln2
	for _, c := range []struct {
		name     string
		weight   []float64
		energies [][]float64
		want     []float64
	}{
		{"no energies", nil, nil, []float64{.5, .5}},
		{"energies", nil, [][]float64{{ln2, 0}, {ln2, 0}}, []float64{.2, .8}},
		{"weight", []float64{4, 1}, [][]float64{{ln2, 0}, {ln2, 0}}, []float64{.5, .5}},
		{"far from zero", nil, [][]float64{{5000 + 2*ln2, 5000}}, []float64{.2, .8}},
		{"the least energy has no weight", []float64{1, 0}, [][]float64{{5000, 0}}, []float64{1, 0}},
		{"no weight", []float64{0, 0}, [][]float64{{1, 2}}, []float64{0, 0}},
	} {
		out := []float64{math.NaN(), math.NaN()}
		Boltzmann(out, c.weight, c.energies...)
		for i := range out {
			if !(math.Abs(out[i]-c.want[i]) < 1e-12) {
				t.Errorf("%s: %v; want %v", c.name, out, c.want)
				break
			}
		}
	}
}

// TestPowers checks by hand that the geometric mean of 4:1 and 1:1 is 2:1, and that 2:1 divided by
// 4:1 is 1:2. A zero stays zero, also when it is divided by zero.
func TestPowers(t *testing.T) {
	for _, c := range []struct {
		name   string
		powers []float64
		in     [][]float64
		want   []float64
	}{
		{"geometric mean", []float64{.5, .5}, [][]float64{{.8, .2}, {.5, .5}}, []float64{2. / 3, 1. / 3}},
		{"quotient", []float64{1, -1}, [][]float64{{2, 1}, {.8, .2}}, []float64{1. / 3, 2. / 3}},
		{"small numbers", []float64{-2, 1}, [][]float64{{1e-200, 2e-200}, {1e-300, 4e-300}}, []float64{.5, .5}},
		{"zero over zero", []float64{1, -1}, [][]float64{{0, 1, 2}, {0, 1, 1}}, []float64{0, 1. / 3, 2. / 3}},
		{"far apart", []float64{3}, [][]float64{{1e-300, 1}}, []float64{0x1p-200, 1}},
		{"power zero", []float64{0, 1}, [][]float64{{0, 1}, {1, 1}}, []float64{0, 1}},
		{"nothing left", []float64{1, 1}, [][]float64{{0, 1}, {1, 0}}, []float64{0, 0}},
	} {
		out := []float64{math.NaN(), math.NaN(), math.NaN()}[:len(c.want)]
		Powers(out, c.powers, c.in...)
		for i := range out {
			if !(math.Abs(out[i]-c.want[i]) <= 1e-14*c.want[i]*10) {
				t.Errorf("%s: %v; want %v", c.name, out, c.want)
				break
			}
		}
	}
}

func TestTally(t *testing.T) {
	total, alive := 1.0, 1.0
	TallySum(&total, -2, []float64{1, 2})
	if total != -5 {
		t.Errorf("a sum gives %v; want -5", total)
	}
	TallyLog(&total, &alive, 1, []float64{0, 0})
	if total != -5 || alive != 0 {
		t.Errorf("ln 0 gives %v, %v; want -5 as before, and 0", total, alive)
	}
	TallyLog(&total, &alive, 3, []float64{1.5, .5})
	if want := -5 + 3*math.Ln2; math.Abs(total-want) > 1e-15*5 || alive != 0 {
		t.Errorf("ln 2 gives %v, %v; want %v, and still 0", total, alive, want)
	}
	total = 0
	TallyEntropy(&total, 1, []float64{.5, .5, 0}, nil)
	TallyEntropy(&total, 1, []float64{.5, .5, 0}, []float64{.25, .25, 0})
	if math.Abs(total) > 1e-15 { // ln 2 and -ln 2
		t.Errorf("entropies give %v; want 0", total)
	}
}

// TestWorklist runs three items, each of which pushes the next one; item 2 pushes both others. Item
// 1 changes once, and item 2 twice.
func TestWorklist(t *testing.T) {
	push := [][]int32{{1}, {2}, {0, 1}}
	moves := []int{0, 1, 2}
	o, w := LoopOptions{Iterations: 10, Tolerance: .5}, NewWorklist(3)
	for range 2 {
		var r Report
		var order []int
		left := append([]int(nil), moves...)
		w.Start()
		for i, ok := w.Next(&o, &r); ok; i, ok = w.Next(&o, &r) {
			order = append(order, i)
			residual := .25
			if left[i] > 0 {
				left[i]--
				residual = 1
			}
			w.Ran(&o, residual, push[i])
		}
		// 1 pushes 2, which is in the queue already. 2 pushes 0 and 1, which change no more, so
		// that 2 is not pushed again.
		want := []int{0, 1, 2, 0, 1}
		for k := range max(len(order), len(want)) {
			if k >= len(order) || k >= len(want) || order[k] != want[k] {
				t.Fatalf("ran %v; want %v", order, want)
			}
		}
		if r.Status != Converged || r.Iterations != 2 || r.Residual != .25 {
			t.Errorf("%+v; want two rounds, and the last of item 1", r)
		}
	}
	var r Report
	runs := 0
	o.Iterations = 1
	w.Start()
	for i, ok := w.Next(&o, &r); ok; i, ok = w.Next(&o, &r) {
		runs++
		w.Ran(&o, 1, push[i])
	}
	if runs != 3 || r.Status != NotConverged || r.Iterations != 1 {
		t.Errorf("%d runs, %+v; want one round of three", runs, r)
	}
}
