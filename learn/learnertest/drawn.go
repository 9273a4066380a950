package learnertest

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
)

// Drawn returns 300 rows of a random network of n discrete variables with up to three parents.
func Drawn(t testing.TB, seed uint64, n int) *data.Set {
	rng := rand.New(rand.NewPCG(seed, 36))
	var vars []data.Var
	parents := make([][]int, n)
	for x := range n {
		vars = append(vars, Vars(string(rune('a'+x)), 2+rng.IntN(2))...)
		parents[x] = rng.Perm(x)[:min(x, rng.IntN(4))]
	}
	tables := make([]map[int][]float64, n)
	rows := make([][]int, 300)
	for i := range rows {
		rows[i] = make([]int, n)
		for x := range n {
			k := 0
			for _, u := range parents[x] {
				k = 3*k + rows[i][u]
			}
			if tables[x] == nil {
				tables[x] = map[int][]float64{}
			}
			if tables[x][k] == nil {
				for range vars[x].States {
					tables[x][k] = append(tables[x][k], math.Pow(rng.Float64(), 3))
				}
			}
			rows[i][x] = draw(rng, tables[x][k])
		}
	}
	// The order of the columns says nothing.
	order := rng.Perm(n)
	for i, row := range rows {
		rows[i] = make([]int, n)
		for x, v := range order {
			rows[i][x] = row[v]
		}
	}
	shuffled := make([]data.Var, n)
	for x, v := range order {
		shuffled[x] = vars[v]
	}
	return New(t, shuffled, rows, nil)
}

// draw draws a state with probability in proportion to its weight.
func draw(rng *rand.Rand, weights []float64) int {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	at := sum * rng.Float64()
	for k, w := range weights {
		if at -= w; at < 0 {
			return k
		}
	}
	return len(weights) - 1
}

// Diamond returns the expected counts of 4,000 rows of A, which has two bits, B and C, which are
// noisy copies of one each, and D, which depends on both. Hill climbing and greedy search over
// classes stop early there.
func Diamond(t testing.TB) *data.Set {
	return Expected(t, Vars("A", 4, "B", 2, "C", 2, "D", 2), 4000, func(x []int) float64 {
		flip := []float64{0.9, 0.1}
		d := []float64{0.1, 0.5, 0.5, 0.9}[2*x[1]+x[2]]
		return 0.25 * flip[x[0]>>1^x[1]] * flip[x[0]&1^x[2]] * []float64{1 - d, d}[x[3]]
	})
}

// ExclusiveOr returns the expected counts of 1,000 rows of two fair coins and a noisy exclusive or
// of them, in which no single parent improves a score.
func ExclusiveOr(t testing.TB) *data.Set {
	return Expected(t, Vars("A", 2, "B", 2, "C", 2), 1000, func(x []int) float64 {
		return 0.25 * []float64{0.9, 0.1}[x[0]^x[1]^x[2]]
	})
}
