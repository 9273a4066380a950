package score_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
)

// TestGaps compares the score of a family whose parents miss values with its definition: what the
// parents gain on the rows that have them all, and the score of the variable alone on all rows.
func TestGaps(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 0))
	binary := []string{"no", "yes"}
	vars := []data.Var{{Name: "A", States: binary}, {Name: "B", States: binary}, {Name: "C", States: []string{"x", "y", "z"}}}
	var all, whole [][]int
	for range 200 {
		row := []int{r.IntN(2), r.IntN(2), r.IntN(3)}
		if row[1] == 1 && r.IntN(4) > 0 {
			row[0] = 1
		}
		if r.IntN(3) == 0 {
			row[1] = data.Missing
		}
		all = append(all, row)
		if row[1] != data.Missing {
			whole = append(whole, row)
		}
	}
	load := func(rows [][]int) *data.Set {
		s, err := data.New(vars, rows, nil)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	gaps, complete := load(all), load(whole)
	for _, name := range []string{"loglik", "aic", "k2", "bdeu", "loocv"} {
		with, same := scorer(t, gaps, name, 1), scorer(t, complete, name, 1)
		for _, parents := range [][]int{{1}, {1, 2}} {
			want := with.Family(0) + same.Family(0, parents...) - same.Family(0)
			near(t, name, with.Family(0, parents...), want, 1e-9)
		}
	}
}

// TestRealGaps is TestGaps for a real variable with a discrete and a real parent, which miss
// values.
func TestRealGaps(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 0))
	vars := []data.Var{{Name: "X", Real: true}, {Name: "Y", Real: true}, {Name: "D", States: []string{"no", "yes"}}}
	var all, whole [][]float64
	for range 200 {
		y, d := r.NormFloat64(), float64(r.IntN(2))
		row := []float64{2*y*d + r.NormFloat64(), y, d}
		if i := r.IntN(6); i > 3 {
			row[i-3] = math.NaN()
		} else {
			whole = append(whole, row)
		}
		all = append(all, row)
	}
	load := func(rows [][]float64) *data.Set {
		s, err := data.NewReal(vars, rows, nil)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	with, same := scorer(t, load(all), "loglik", 1), scorer(t, load(whole), "loglik", 1)
	want := with.Family(0) + same.Family(0, 1, 2) - same.Family(0)
	near(t, "loglik", with.Family(0, 1, 2), want, 1e-9)
}
