package pgmrt

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// cutWords lays out a model for CutMoves, as compiler/method/cut does: base energies from place 6
// of s on, after the numbers of the run, then work memory.
type cutWords struct {
	card, from, to []int32
	own, pairs     [][]float64 // tables of energies, by variable and by pair
	move           int32
	mirror         bool
}

// memory returns the arguments of CutMoves.
func (w *cutWords) memory() (k []int32, s, p []float64, t []int32) {
	n, m := len(w.card), len(w.from)
	labels, nodes, mirror := slices.Max(w.card), n, int32(0)
	var at, head []int32
	for e, u := range w.from {
		v, n := w.to[e], int32(n)
		at, p = append(at, int32(len(p))), append(p, w.pairs[e]...)
		head = append(head, v, u)
		if w.mirror {
			head = append(head, n+u, n+v, n+v, u, n+u, v)
		}
	}
	if w.mirror {
		nodes, mirror = 2*n, 1
	}
	at = append(at, int32(len(p)))
	most := 0.0
	for _, table := range w.pairs {
		finite := slices.DeleteFunc(slices.Clone(table), func(x float64) bool { return x >= impossible })
		most += slices.Max(append(finite, 0))
	}
	p = append(p, most)
	k = append([]int32{0, w.move, int32(n), int32(m), labels, mirror}, slices.Concat(w.card, w.from, w.to, at)...)
	first, list := []int32{0}, []int32(nil)
	for i := range nodes {
		for a := range head {
			if int(head[a^1]) == i {
				list = append(list, int32(a))
			}
		}
		first = append(first, int32(len(list)))
	}
	k = slices.Concat(k, first, list, head)
	s = append(s, 1, 0, 0, 0, 0, 0)
	for _, row := range w.own {
		k, s = append(k, int32(len(s))), append(s, row...)
	}
	k = append(k, 0, int32(len(s)), int32(n), 0, 1, 2, 3, 4, 5)
	return k, append(s, make([]float64, nodes+len(head)+(len(head)+1)*int(labels))...), p, make([]int32, n+flowInts*nodes+cutInts*n)
}

// energy returns the energy of states, by the definition.
func (w *cutWords) energy(state []int32) (sum float64) {
	for i, x := range state {
		sum += w.own[i][x]
	}
	for e, u := range w.from {
		sum += w.pairs[e][state[u]*w.card[w.to[e]]+state[w.to[e]]]
	}
	return sum
}

// each calls do for all joint states.
func (w *cutWords) each(do func(state []int32)) {
	state := make([]int32, len(w.card))
	for {
		do(state)
		i := len(state) - 1
		for ; i >= 0; i-- {
			if state[i]++; state[i] < w.card[i] {
				break
			}
			state[i] = 0
		}
		if i < 0 {
			return
		}
	}
}

// best returns the least energy and all states that have it, up to rounding.
func (w *cutWords) best() (least float64, states [][]int32) {
	least = math.Inf(1)
	w.each(func(x []int32) {
		switch e := w.energy(x); {
		case e < least-1e-9:
			least, states = e, [][]int32{slices.Clone(x)}
		case e <= least+1e-9:
			states = append(states, slices.Clone(x))
		}
	})
	return least, states
}

// randomCut returns a random model of binary variables, or of more states. Energies are integers in
// half of all models, which tie, and in some a few are infinite. If submodular is set, so are all
// pairs.
func randomCut(r *rand.Rand, states int32, submodular bool) *cutWords {
	w := &cutWords{}
	draw := func() float64 { return 4 * r.Float64() }
	if r.IntN(2) == 0 {
		draw = func() float64 { return float64(r.IntN(4)) }
	}
	table := func(n int32) (row []float64) {
		for range n {
			row = append(row, draw())
		}
		return row
	}
	n := int32(1 + r.IntN(7))
	if states > 2 {
		n = min(n, 5)
	}
	for range n {
		k := 1 + r.Int32N(states)
		w.card, w.own = append(w.card, k), append(w.own, table(k))
	}
	for range r.IntN(3 * int(n)) {
		u, v := r.Int32N(n), r.Int32N(n)
		if u == v || w.card[u] == 1 || w.card[v] == 1 {
			continue
		}
		e := table(w.card[u] * w.card[v])
		if submodular && e[0]+e[3] > e[1]+e[2] {
			e[0], e[1], e[2], e[3] = e[1], e[0], e[3], e[2]
		}
		if submodular && r.IntN(5) == 0 {
			e[1+r.IntN(2)] = math.MaxFloat64
		}
		w.from, w.to, w.pairs = append(w.from, u), append(w.to, v), append(w.pairs, e)
	}
	return w
}

// TestCutCapacities checks that a cut and the constant are the energy of a choice, for every
// choice.
func TestCutCapacities(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for n := range 300 {
		w := randomCut(r, 2, n%2 == 0)
		w.mirror = n%2 == 1
		k, s, p, ints := w.memory()
		c, _ := cutOf(k, s, p, ints)
		c.least()
		for i := range c.keep {
			c.keep[i], c.change[i] = 0, w.card[i]-1
		}
		constant := c.capacities()
		w.each(func(x []int32) {
			want, got := c.energy(x), 0.0
			beyond := func(i int32) bool {
				if int(i) < c.n {
					return x[i] == 1
				}
				return x[int(i)-c.n] == 0
			}
			for i, room := range c.terminal {
				if beyond(int32(i)) == (room > 0) {
					got += math.Abs(room)
				}
			}
			for a, room := range c.left {
				if !beyond(c.head[a^1]) && beyond(c.head[a]) {
					got += room
				}
			}
			if w.mirror {
				got /= 2
			}
			// A variable with one state has a node without capacities.
			if got += constant; math.Abs(got-want) > 1e-9 {
				t.Fatalf("model %d, %v: a cut of %v; the energy is %v", n, x, got, want)
			}
		})
	}
}

// TestCutSubmodular compares the states of one cut with enumeration: they are the first of the best
// ones, and the bound is their energy.
func TestCutSubmodular(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	ties := 0
	for n := range 1000 {
		w := randomCut(r, 2, true)
		k, s, p, ints := w.memory()
		CutMoves(k, s, p, ints, nil)
		least, states := w.best()
		got := ints[:len(w.card)]
		if !slices.Equal(got, states[0]) || math.Abs(s[1]-least) > 1e-9 || math.Abs(s[2]-least) > 1e-9 || s[3] != 0 {
			t.Fatalf("model %d: %v with energy %v, bound %v and residual %v; want the first of %v with %v", n, got, s[1], s[2], s[3], states, least)
		}
		if len(states) > 1 {
			ties++
		}
	}
	if ties < 100 {
		t.Errorf("%d models with several best states; want 100 at least", ties)
	}
}

// TestCutRoofDuality checks networks that are not submodular: no bound exceeds the least energy,
// what is proven is best, and all best states agree with the variables that the cut decides.
func TestCutRoofDuality(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	proven, decided, variables := 0, 0, 0
	for n := range 1000 {
		w := randomCut(r, 2, false)
		w.mirror = true
		k, s, p, ints := w.memory()
		CutMoves(k, s, p, ints, nil)
		least, states := w.best()
		got := ints[:len(w.card)]
		if s[2] > least+1e-9 || math.Abs(s[1]-w.energy(got)) > 1e-9 {
			t.Fatalf("model %d: bound %v of energy %v, for states of %v; the least is %v", n, s[2], s[1], w.energy(got), least)
		}
		if s[3] == 0 {
			proven++
			if s[1] > least+1e-7 {
				t.Fatalf("model %d: energy %v is called the least; that is %v", n, s[1], least)
			}
		}
		c, _ := cutOf(k, s, p, ints)
		for i, x := range c.fixed {
			variables++
			if x < 0 {
				continue
			}
			decided++
			if got[i] != x || slices.ContainsFunc(states, func(best []int32) bool { return best[i] != x }) {
				t.Fatalf("model %d: variable %d is decided to be %d; the best states are %v", n, i, x, states)
			}
		}
	}
	if proven < 500 || decided < variables/3 || decided > variables*9/10 {
		t.Errorf("%d of 1000 are proven, and %d of %d variables decided", proven, decided, variables)
	}
}

// TestCutMoves checks that no round raises the energy, and the bound.
func TestCutMoves(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for n := range 400 {
		w := randomCut(r, 4, false)
		w.move = int32(cutExpand + n%2)
		k, s, p, ints := w.memory()
		last := math.Inf(1)
		for range 50 {
			CutMoves(k, s, p, ints, nil)
			if e := w.energy(ints[:len(w.card)]); e > last || math.Abs(e-s[1]) > 1e-9 {
				t.Fatalf("model %d: energy %v, said to be %v, after %v", n, e, s[1], last)
			}
			if s[3] == 0 {
				break
			}
			last = s[1]
		}
		if least, _ := w.best(); s[3] != 0 || s[2] > least+1e-9 || s[1] < least-1e-9 {
			t.Fatalf("model %d: energy %v, bound %v, residual %v; the least is %v", n, s[1], s[2], s[3], least)
		}
	}
}

// TestCutLocal checks that with Potts energies no expansion, or swap, improves the last states, by
// enumerating the moves.
func TestCutLocal(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for n := range 200 {
		w := randomCut(r, 4, false)
		w.move = int32(cutExpand + n%2)
		for e, table := range w.pairs {
			far := 3 * r.Float64()
			for i := range table {
				if table[i] = far; int32(i)/w.card[w.to[e]] == int32(i)%w.card[w.to[e]] {
					table[i] = 0
				}
			}
		}
		k, s, p, ints := w.memory()
		for s[3] = 1; s[3] > 0; {
			CutMoves(k, s, p, ints, nil)
		}
		last := ints[:len(w.card)]
		w.each(func(x []int32) {
			var to []int32 // the states that variables changed between
			for i, now := range last {
				if x[i] != now {
					to = append(to, x[i])
					if w.move == cutSwap {
						to = append(to, now)
					}
				}
			}
			slices.Sort(to)
			if to = slices.Compact(to); len(to) > int(w.move) {
				return
			}
			if e := w.energy(x); e < s[1]-1e-9 {
				t.Fatalf("model %d: one move leads from %v with %v to %v with %v", n, last, s[1], x, e)
			}
		})
	}
}

// TestCutExample is example 13.17 of Koller and Friedman (figure 13.5). Its node energies alone
// would choose 1, 0, 0, 0.
func TestCutExample(t *testing.T) {
	potts := func(x float64) []float64 { return []float64{0, x, x, 0} }
	w := &cutWords{card: []int32{2, 2, 2, 2}, own: [][]float64{{7, 0}, {0, 2}, {0, 1}, {0, 6}},
		from: []int32{0, 1, 2, 0}, to: []int32{1, 2, 3, 3}, pairs: [][]float64{potts(6), potts(6), potts(2), potts(1)}}
	for _, w.mirror = range []bool{false, true} {
		k, s, p, ints := w.memory()
		CutMoves(k, s, p, ints, nil)
		if got := ints[:4]; !slices.Equal(got, []int32{1, 1, 1, 0}) || s[1] != 6 || s[2] != 6 || s[3] != 0 {
			t.Errorf("%v with energy %v, bound %v and residual %v; want 1 1 1 0 with 6", got, s[1], s[2], s[3])
		}
	}
}

// TestCutImpossible has variables, and pairs of them, without a possible state.
func TestCutImpossible(t *testing.T) {
	big := math.MaxFloat64
	for _, w := range []*cutWords{
		{card: []int32{2, 2}, own: [][]float64{{1, 2}, {math.Inf(1), math.Inf(1)}}},
		{card: []int32{2, 2}, own: [][]float64{{0, math.Inf(1)}, {math.Inf(1), 0}}, from: []int32{0}, to: []int32{1}, pairs: [][]float64{{0, big, 0, 0}}},
	} {
		k, s, p, ints := w.memory()
		CutMoves(k, s, p, ints, nil)
		if s[0] != 0 || s[3] != 0 {
			t.Errorf("alive %v, residual %v; want 0 and 0", s[0], s[3])
		}
	}
}

// TestCutAllocations checks that no move allocates memory.
func TestCutAllocations(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for move := range int32(3) {
		w := randomCut(r, 2+move%2, false)
		w.move, w.mirror = move, move == 0
		k, s, p, ints := w.memory()
		if n := testing.AllocsPerRun(10, func() { CutMoves(k, s, p, ints, nil) }); n != 0 {
			t.Errorf("move %d: %v allocations", move, n)
		}
	}
}
