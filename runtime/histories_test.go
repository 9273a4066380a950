package pgmrt

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestDrop compares the histories that are kept with those of a sorted list.
func TestDrop(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := 2 + r.IntN(40)
		most := 1 + r.IntN(n-1)
		g := NewGrowth(HistoryOptions{Most: most, Beyond: HistoriesDrop, States: n}, n)
		w := make([]float64, n)
		for i := range w {
			w[i] = float64(1+r.IntN(8)) / 8 // many are equal
		}
		x := &HistoryProgram{Leaving: w, Run: func() (float64, error) { return 0, nil }}
		if err := g.Grow(x, nil); err != nil || g.Keep(nil) || len(g.kept) != most {
			t.Fatalf("kept %d of %d, error %v; want %d, and none drawn", len(g.kept), n, err, most)
		}
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(i, j int) int { return int(8*w[j] - 8*w[i]) })
		want := slices.Sorted(slices.Values(order[:most]))
		for k, i := range want {
			if state, _, _ := history(g.appendTo(nil), 2, k); state != i {
				t.Errorf("kept %d at %d, weights %v; want %v", state, k, w, want)
			}
		}
	}
}

// TestBackHistories checks how histories came about, in the order of histories, and the error of
// too many on the way back.
func TestBackHistories(t *testing.T) {
	g := NewGrowth(HistoryOptions{Most: 2, Beyond: HistoriesDrop, States: 3}, 9)
	g.Recall(true)
	x := &HistoryProgram{State: make([]float64, 3), Element: make([]float64, 3)}
	x.Run = func() (float64, error) {
		x.Leaving = [][]float64{{.5, .25, .25}, {0, .5, .5}}[slices.Index(x.State, 1)]
		return 0, nil
	}
	if err := g.Grow(x, []float64{0, 1, 1, 1}); err != nil {
		t.Fatal(err)
	}
	x.Run = func() (float64, error) { return 0, nil }
	g.Keep(nil) // without state 0, of the least weight
	var f HistoryFrame
	f.Copy(g)
	want := []HistoryEdge{{0, 1, .25}, {1, 1, .5}, {0, 2, .25}, {1, 2, .5}}
	if got := slices.Concat(f.Edges(0), f.Edges(1)); f.Size() != 2 || !slices.Equal(got, want) {
		t.Errorf("%d histories came about by %v; want 2, by %v", f.Size(), got, want)
	}
	for most, ok := range []bool{1: false, 2: true} {
		if most == 0 {
			continue
		}
		b := NewBackHistories(nil, most)
		b.Start(&f)
		total := 0.0
		x.Mixed = func(weight, _ float64) { total += weight }
		err := b.Over(x, &f, &f)
		if (err == nil) != ok || !ok && !errors.Is(err, ErrHistories) || ok && math.Abs(total-1) > 1e-15 {
			t.Errorf("at most %d: error %v, and edges of weight %v", most, err, total)
		}
	}
}
