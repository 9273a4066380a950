package pgmrt

import (
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
		g.Reset()
		g.Enter(0, 1)
		w := make([]float64, n)
		for i := range w {
			w[i] = float64(1+r.IntN(8)) / 8 // many are equal
		}
		g.Leave(w, nil)
		if g.Keep(nil) || g.Kept() != most {
			t.Fatalf("kept %d of %d; want %d, and none drawn", g.Kept(), n, most)
		}
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(i, j int) int { return int(8*w[j] - 8*w[i]) })
		want := slices.Sorted(slices.Values(order[:most]))
		for k, i := range want {
			if state, _, _, place := g.History(k); int(state) != i || place != i {
				t.Errorf("kept %d at %d, weights %v; want %v", state, k, w, want)
			}
		}
	}
}
