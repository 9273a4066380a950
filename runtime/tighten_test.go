package pgmrt

import (
	"math"
	"math/rand/v2"
	"testing"
)

// square is a cycle of four variables for TightenBound: pairs 01, 03, 12 and 23, the chord 02, and
// two triplets.
type square struct {
	card  [4]int
	ends  [5][2]int
	at    [5]int // of the tables of pairs, in s
	share [6]int // of those of the triplets
	sides [6]int
	k     []int32
	s     []float64
	t     []int32
}

// The places of the numbers of a run in the memory of a square.
const (
	squareGain = iota
	squareLeast
	squareBefore
	squareRounds
	squareResidual
	squareBound
	squareTables
)

func newSquare(r *rand.Rand, zeros bool) *square {
	q := &square{ends: [5][2]int{{0, 1}, {0, 3}, {1, 2}, {2, 3}, {0, 2}}, sides: [6]int{0, 4, 2, 4, 1, 3}, s: make([]float64, squareTables)}
	for i := range q.card {
		q.card[i] = 2 + r.IntN(2)
	}
	var rows, columns, to, tables, shares []int32
	largest := 0
	size := func(p int) int { return q.card[q.ends[p][0]] * q.card[q.ends[p][1]] }
	for p := range q.ends {
		q.at[p] = len(q.s)
		for range size(p) {
			e := 5 * r.Float64()
			if zeros && r.IntN(8) == 0 {
				e = math.Inf(1)
			}
			if p == 4 {
				e = 0
			}
			q.s = append(q.s, e)
		}
		rows, columns = append(rows, int32(q.card[q.ends[p][0]])), append(columns, int32(q.card[q.ends[p][1]]))
		to, tables, largest = append(to, -1, -1), append(tables, int32(q.at[p])), max(largest, size(p))
	}
	sides := []int32{}
	for i, p := range q.sides {
		q.share[i] = len(q.s)
		q.s = append(q.s, make([]float64, size(p))...)
		sides, shares = append(sides, int32(p)), append(shares, int32(q.share[i]))
	}
	q.k = []int32{0, 5, 2, 1, int32(largest), 1}
	for _, part := range [][]int32{rows, columns, sides, {0, 1, 1, 0}, to, {squareGain, squareLeast, squareBefore, squareRounds, int32(len(q.s)), 0, squareResidual, squareBound}, tables, shares} {
		q.k = append(q.k, part...)
	}
	q.s, q.t = append(q.s, make([]float64, 1+4*largest)...), make([]int32, 3)
	return q
}

// energies returns the energies of all joint states: of the pairs, and of the triplets.
func (q *square) energies() (list []float64) {
	var x [4]int
	for x[0] = range q.card[0] {
		for x[1] = range q.card[1] {
			for x[2] = range q.card[2] {
				for x[3] = range q.card[3] {
					sum := 0.0
					for p, ends := range q.ends {
						sum += q.s[q.at[p]+x[ends[0]]*q.card[ends[1]]+x[ends[1]]]
					}
					for i, p := range q.sides {
						sum += q.s[q.share[i]+x[q.ends[p][0]]*q.card[q.ends[p][1]]+x[q.ends[p][1]]]
					}
					list = append(list, sum)
				}
			}
		}
	}
	return list
}

// TestTightenBound checks on cycles of four that no move changes the energy of a joint state, that
// the bound rises and never exceeds the least energy, and that the cycle promises what it gains at
// least and what joining all of its pairs gains.
func TestTightenBound(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	woken, closed := 0, 0
	for n := range 400 {
		q := newSquare(r, n%2 == 1)
		before := q.energies()
		least := math.Inf(1)
		for _, e := range before {
			least = min(least, e)
		}
		if math.IsInf(least, 1) {
			continue
		}
		q.s[squareLeast] = least
		last, promise := math.Inf(-1), 0.0
		for round := range 40 {
			q.s[squareRounds], q.s[squareBound] = float64(round), 0
			TightenBound(q.k, q.s, nil, q.t, nil)
			bound := q.s[squareBound]
			if bound < last-1e-9 || bound > least+1e-9 {
				t.Fatalf("model %d: bound %v after %v; the least energy is %v", n, bound, last, least)
			}
			if round == 0 {
				promise = least - bound
			}
			if q.s[squareResidual] > 0 && math.Abs(q.s[squareResidual]-promise) > 1e-9 {
				t.Fatalf("model %d: the cycle promises %v; joining it gains %v", n, q.s[squareResidual], promise)
			}
			last, q.s[squareBefore] = bound, bound
		}
		for i, e := range q.energies() {
			if e != before[i] && !(math.Abs(e-before[i]) <= 1e-9) && before[i] < impossible {
				t.Fatalf("model %d: joint state %d has energy %v; had %v", n, i, e, before[i])
			}
		}
		if q.t[0] != 0 {
			woken++
			if last > least-1e-6 {
				closed++
			}
		}
	}
	if woken < 100 || closed < woken*8/10 {
		t.Errorf("%d cycles woke up, of which %d closed the gap; want 100 at least, and 8 of 10", woken, closed)
	}
}

func TestTightenAllocations(t *testing.T) {
	q := newSquare(rand.New(rand.NewPCG(1, 1)), false)
	q.s[squareRounds], q.s[squareLeast] = 2, 100
	if n := testing.AllocsPerRun(10, func() { TightenBound(q.k, q.s, nil, q.t, nil) }); n != 0 || q.t[0] == 0 {
		t.Errorf("%v allocations, awake %v", n, q.t[0])
	}
}
