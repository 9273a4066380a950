package data_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
)

// randomSet returns a set of variables with 2 to 300 states, optionally with missing values and
// weights.
func randomSet(t *testing.T, seed uint64, rows int, missing, weighted bool) *data.Set {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 0))
	var vars []data.Var
	for i, card := range []int{2, 3, 2, 5, 300, 1, 4} {
		x := data.Var{Name: "x" + strconv.Itoa(i)}
		for k := range card {
			x.States = append(x.States, strconv.Itoa(k))
		}
		vars = append(vars, x)
	}
	var list [][]int
	var weights []float64
	for range rows {
		var row []int
		for _, x := range vars {
			s := r.IntN(len(x.States))
			if missing && r.IntN(10) == 0 {
				s = data.Missing
			}
			row = append(row, s)
		}
		list = append(list, row)
		if weighted {
			weights = append(weights, r.Float64())
		}
	}
	s, err := data.New(vars, list, weights)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// plainCounts counts row by row.
func plainCounts(s *data.Set, vars []int) []float64 {
	size := 1
	for _, v := range vars {
		size *= len(s.Vars[v].States)
	}
	out, row := make([]float64, size), make([]int, len(s.Vars))
	for i := range s.Len() {
		s.Row(i, row)
		at, whole := 0, true
		for _, v := range vars {
			whole = whole && row[v] != data.Missing
			at = at*len(s.Vars[v].States) + row[v]
		}
		if whole {
			out[at] += s.Weight(i)
		}
	}
	return out
}

// TestCounts checks that every way to count agrees with counting row by row, for any order of
// requests and any size of the cache.
func TestCounts(t *testing.T) {
	for _, c := range []struct {
		missing, weighted bool
		room              int64
	}{{}, {missing: true}, {weighted: true}, {missing: true, weighted: true}, {room: 4000}} {
		s := randomSet(t, 3, 5000, c.missing, c.weighted)
		counter := data.NewCounter(s, c.room)
		r := rand.New(rand.NewPCG(5, 0))
		for range 300 {
			vars := r.Perm(len(s.Vars))[:r.IntN(4)]
			if got, want := counter.Counts(vars...), plainCounts(s, vars); !slices.Equal(got, want) {
				t.Fatalf("%+v: counts of %v differ", c, vars)
			}
		}
	}
}

func TestCountsByMany(t *testing.T) {
	s := randomSet(t, 4, 3000, false, true)
	one, many := data.NewCounter(s, 0), data.NewCounter(s, 0)
	var wg sync.WaitGroup
	got := make([][]float64, 49)
	for i := range got {
		wg.Go(func() { got[i] = many.Counts(i%7, (i/7%6+i%7+1)%7) })
	}
	wg.Wait()
	for i := range got {
		if !slices.Equal(got[i], one.Counts(i%7, (i/7%6+i%7+1)%7)) {
			t.Errorf("question %d has another answer beside others", i)
		}
	}
}

// BenchmarkPairs counts all pairs of variables, with the numbers of binary variables and rows of
// plants.
func BenchmarkPairs(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 0))
	var vars []data.Var
	for i := range 69 {
		vars = append(vars, data.Var{Name: "x" + strconv.Itoa(i), States: []string{"0", "1"}})
	}
	rows := make([][]int, 17412)
	for i := range rows {
		rows[i] = make([]int, len(vars))
		for v := range rows[i] {
			rows[i][v] = r.IntN(2)
		}
	}
	s, err := data.New(vars, rows, nil)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		c := data.NewCounter(s, 0)
		for i := range vars {
			for j := range i {
				c.Counts(j, i)
			}
		}
	}
}
