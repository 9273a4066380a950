package pgmrt

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// polishMemory returns the arguments of PolishStates for a model of cuts, after a number of rounds,
// and the place of the energy in s.
func (w *cutWords) polishMemory(rounds float64, state []int32) (k []int32, s, p []float64, t []int32) {
	n, m := len(w.card), len(w.from)
	row, scope := []int32{0}, []int32{0}
	var vars, stride, factor, tables []int32
	for _, x := range w.card {
		row = append(row, row[len(row)-1]+x)
	}
	most := 0.0
	for e, u := range w.from {
		vars, stride = append(vars, u, w.to[e]), append(stride, w.card[w.to[e]], 1)
		factor, scope = append(factor, int32(e), int32(e)), append(scope, int32(2*e+2))
		tables, p = append(tables, int32(len(p))), append(p, w.pairs[e]...)
		finite := slices.DeleteFunc(slices.Clone(w.pairs[e]), func(x float64) bool { return x >= impossible })
		most += slices.Max(append(finite, 0))
	}
	first, list := []int32{0}, []int32(nil)
	for i := range n {
		for e, v := range vars {
			if int(v) == i {
				list = append(list, int32(e))
			}
		}
		first = append(first, int32(len(list)))
	}
	all := row[n]
	k = append([]int32{0, int32(n), int32(m), int32(2 * m), 2, 100}, slices.Concat(w.card, row, scope, vars, stride, first, list, factor)...)
	s = []float64{math.Inf(1), rounds}
	for _, own := range w.own {
		k, s = append(k, int32(len(s))), append(s, own...)
	}
	k = append(append(k, tables...), int32(len(p)), 1, int32(len(s)), int32(n), 0)
	t = append(slices.Clone(state), make([]int32, n+int(all))...)
	return k, append(s, make([]float64, all)...), append(p, most), t
}

// TestPolishStates checks that the states are no worse than before, that their energy is right,
// that no change of one variable improves them, and that tabu search mostly finds the best.
func TestPolishStates(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	found, searches := 0, 0
	for n := range 600 {
		w := randomCut(r, 4, false)
		for range r.IntN(2) * len(w.pairs) {
			table := w.pairs[r.IntN(len(w.pairs))]
			table[r.IntN(len(table))] = math.MaxFloat64
		}
		start := make([]int32, len(w.card))
		rounds := float64(2 + n%2) // a search after 2, and none after 3
		k, s, p, ints := w.polishMemory(rounds, start)
		PolishStates(k, s, p, ints, nil)
		got := ints[:len(start)]
		value := w.energy(got)
		if value < impossible && math.Abs(value-s[0]) > 1e-9 || value >= impossible && !math.IsInf(s[0], 1) || value > w.energy(start) {
			t.Fatalf("model %d: %v with energy %v, said to be %v, from %v", n, got, value, s[0], w.energy(start))
		}
		least, _ := w.best()
		if rounds == 2 && least < impossible {
			searches++
			if value <= least+1e-9 {
				found++
			}
		}
		w.each(func(x []int32) {
			changed := 0
			for i := range x {
				if x[i] != got[i] {
					changed++
				}
			}
			if changed == 1 && w.energy(x) < value-1e-6 && value < impossible {
				t.Fatalf("model %d: %v with %v is one change from %v with %v", n, got, value, x, w.energy(x))
			}
		})
	}
	if found < searches*9/10 || searches < 200 {
		t.Errorf("%d of %d searches find the best states; want nine in ten", found, searches)
	}
}

func TestPolishAllocations(t *testing.T) {
	w := randomCut(rand.New(rand.NewPCG(8, 8)), 4, false)
	k, s, p, ints := w.polishMemory(0, make([]int32, len(w.card)))
	if n := testing.AllocsPerRun(10, func() { PolishStates(k, s, p, ints, nil) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
