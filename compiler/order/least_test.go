package order

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestLeastEntries compares the least cost with the costs of all orders of random graphs, of which
// some vertices are in groups and some are not eliminated, to the last bit.
func TestLeastEntries(t *testing.T) {
	for _, seed := range irtest.Cases(t, 60, 2000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		m := &model.Model{}
		for i := range 2 + rng.IntN(5) {
			m.NewVar(string(rune('a'+i)), []string{"0", "1", "2", "3", "4", "5", "6"}[:1+rng.IntN(7)]...)
		}
		g, group := NewGraph(m), make([]int, len(m.Vars))
		for v := range m.Vars {
			if rng.IntN(6) > 0 {
				g.Vertices = append(g.Vertices, v)
			}
			group[v] = rng.IntN(1 + int(seed%3))
			for u := range v {
				if rng.IntN(2) == 0 {
					g.AddClique([]model.VarID{model.VarID(u), model.VarID(v)})
				}
			}
		}
		if seed%4 == 0 {
			group = nil
		}
		want := math.Inf(1)
		var each func(order, left []int)
		each = func(order, left []int) {
			if len(left) == 0 {
				want = min(want, g.CostOf(order).Entries)
			}
			for i, v := range left {
				rest := append(append([]int(nil), left[:i]...), left[i+1:]...)
				ok := true
				for _, u := range rest {
					ok = ok && (group == nil || group[v] <= group[u])
				}
				if ok {
					each(append(order[:len(order):len(order)], v), rest)
				}
			}
		}
		each(nil, g.Vertices)
		if got := leastEntries(g, group); got != want {
			t.Errorf("seed %d: %v entries; want %v", seed, got, want)
		}
	}
}
