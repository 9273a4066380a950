package topdown

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestSimplify compiles random formulas with pairs of variables that are equal or different, and
// with factors that follow from others. The circuit has the weight of all solutions.
func TestSimplify(t *testing.T) {
	merges, loose, known := 0, 0, 0
	for _, seed := range irtest.Cases(t, 400, 2000) {
		rng := rand.New(rand.NewPCG(seed, 5))
		f := newFormula(rng)
		f.scopes, f.zeros = f.scopes[:len(f.scopes)/4], f.zeros[:len(f.zeros)/4]
		f.tie(rng)
		e := &encoded{search: f.search(), numbers: []float64{0, 1}}
		want := f.sum()
		if !e.begin(1 << 20) {
			if want != 0 {
				t.Fatalf("seed %d: nothing is possible; want %v", seed, want)
			}
			continue
		}
		by := heuristic{rank: make([]int32, len(f.cards)), weight: make([]float64, len(f.cards))}
		for v := range by.rank {
			by.rank[v] = int32(v)
			if !e.isRepresentative(int32(v)) {
				merges++
			} else if e.assigned(int32(v)) {
				known++
			}
		}
		loose += e.fixed - e.certain
		l := limits{nodes: 1 << 30, tables: 1 << 30, cache: 1 << 30, steps: 1 << 40}
		c := newCompiler(t.Context(), e, by, make([]bool, len(f.cards)), l)
		if err := c.run(); err != nil {
			t.Fatal(err)
		}
		if got := f.value(c.out.circuit(c.root, e.numbers)); math.Abs(got-want) > 1e-12*want {
			t.Errorf("seed %d: %v; want %v", seed, got, want)
		}
		if c.progress > 1+1e-9 {
			t.Errorf("seed %d: %v of the search done; want 1 at most", seed, c.progress)
		}
	}
	if merges < 60 || loose < 60 || known < 20 {
		t.Errorf("%d variables merged, %d factors detached, %d variables known; want more", merges, loose, known)
	}
}

// tie adds factors that make some variables of two states equal or different, and two clauses of
// others, a or b and not b or c, with two that follow: a or c, and a or c or d.
func (f *formula) tie(rng *rand.Rand) {
	var two []int32
	for v, n := range f.cards {
		if n == 2 {
			two = append(two, int32(v))
		}
	}
	if len(two) < 7 {
		return
	}
	rng.Shuffle(len(two), func(i, j int) { two[i], two[j] = two[j], two[i] })
	for i := range 2 {
		f.scopes = append(f.scopes, two[i:i+2])
		f.zeros = append(f.zeros, [][]int{{1, 2}, {0, 3}}[rng.IntN(2)])
	}
	a, b, c, d := two[3], two[4], two[5], two[6]
	f.scopes = append(f.scopes, []int32{a, b}, []int32{b, c}, []int32{a, c}, []int32{a, c, d})
	f.zeros = append(f.zeros, []int{0}, []int{2}, []int{0}, []int{0})
}

// sum returns the weight of all solutions.
func (f *formula) sum() (sum float64) {
	f.each(func(state []int) {
		x := 1.0
		for v, k := range state {
			x *= f.weight[v][k]
		}
		sum += x
	})
	return sum
}

// TestDiagonal compares diagonals of random tables with their numbers.
func TestDiagonal(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 6))
		shape := []int32{2 + rng.Int32N(2), 2 + rng.Int32N(2), 2 + rng.Int32N(2)}
		k, l := rng.IntN(3), rng.IntN(2)
		if l >= k {
			l++
		}
		shape[l] = shape[k]
		values := make([]int32, shape[0]*shape[1]*shape[2])
		for i := range values {
			values[i] = int32(i + 1)
		}
		tables := newTables(newSets())
		id := tables.intern([]int32{0, 1, 2}, shape, values)
		got := tables.list[tables.diagonal(id, int32(k), int32(l))].values
		var want []int32
		for i, x := range values {
			at := [3]int{i / int(shape[1]*shape[2]), i / int(shape[2]) % int(shape[1]), i % int(shape[2])}
			if at[k] == at[l] {
				want = append(want, x)
			}
		}
		if !slices.Equal(slices.Sorted(slices.Values(got)), want) {
			t.Errorf("seed %d: the diagonal has %v; want %v", seed, got, want)
		}
	}
}
