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
	return randomly(t, seed, rows, missing, weighted, func(r *rand.Rand, card int) int { return r.IntN(card) })
}

// skewed is randomSet with a common first state of each variable.
func skewed(t *testing.T, seed uint64, rows int, missing, weighted bool) *data.Set {
	t.Helper()
	return randomly(t, seed, rows, missing, weighted, func(r *rand.Rand, card int) int { return r.IntN(card) * r.IntN(2) * r.IntN(2) })
}

func randomly(t *testing.T, seed uint64, rows int, missing, weighted bool, draw func(r *rand.Rand, card int) int) *data.Set {
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
			s := draw(r, len(x.States))
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

// TestAdding checks that counts of families with all but one parent in common are those of each
// family counted row by row, for few and many rows and states that are rare.
func TestAdding(t *testing.T) {
	for _, c := range []struct {
		rows              int
		missing, weighted bool
	}{{rows: 0}, {rows: 1}, {rows: 70}, {rows: 5000}, {rows: 70, missing: true}, {rows: 5000, missing: true}, {rows: 900, weighted: true}, {rows: 900, missing: true, weighted: true}} {
		s := skewed(t, 7, c.rows, c.missing, c.weighted)
		counter := data.NewCounter(s, 0)
		r := rand.New(rand.NewPCG(6, 0))
		for range 40 {
			order := r.Perm(len(s.Vars))
			k := r.IntN(4)
			child, parents, others := order[0], slices.Sorted(slices.Values(order[1:1+k])), order[1+k:]
			called := 0
			counter.Adding(child, parents, others, func(i int, n []float64) {
				called++
				family := append(slices.Sorted(slices.Values(append(slices.Clone(parents), others[i]))), child)
				if want := plainCounts(s, family); !slices.Equal(n, want) {
					t.Fatalf("%+v: the counts of %v are %v; want %v", c, family, n, want)
				}
			})
			if called != len(others) {
				t.Errorf("%+v: %d calls for %d variables", c, called, len(others))
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

// binary returns a random set, with the numbers of binary variables and rows of plants.
func binary(b *testing.B) *data.Set {
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
	return s
}

// BenchmarkPairs counts all pairs of variables.
func BenchmarkPairs(b *testing.B) {
	s := binary(b)
	for b.Loop() {
		c := data.NewCounter(s, 0)
		for i := range s.Vars {
			for j := range i {
				c.Counts(j, i)
			}
		}
	}
}

// BenchmarkAdding counts the families of a variable with two parents and one of 66 others.
func BenchmarkAdding(b *testing.B) {
	c := data.NewCounter(binary(b), 0)
	others := make([]int, 66)
	for i := range others {
		others[i] = i + 3
	}
	for b.Loop() {
		c.Adding(0, []int{1, 2}, others, func(int, []float64) {})
	}
}
