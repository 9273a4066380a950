package independence_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/independence"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// TestTea has the p-value of Fisher's tea tasting by hand: of the tables with sums of 4, those with
// 0, 1, 3 and 4 right ones have 1, 16, 16 and 1 of 70 ways.
func TestTea(t *testing.T) {
	for _, kind := range []string{"g", "chi2", "mi"} {
		if p, ok := independence.ExactPValue(kind, []float64{3, 1, 1, 3}, 2, 2); !ok || math.Abs(p-34./70) > 1e-12 {
			t.Errorf("%s: %v, %v; want %v", kind, p, ok, 34./70)
		}
	}
	if _, ok := independence.ExactPValue("g", []float64{.5, 1, 1, 3}, 2, 2); ok {
		t.Error("fractions have an exact p-value")
	}
	many := make([]float64, 25)
	for i := range many {
		many[i] = 40
	}
	if _, ok := independence.ExactPValue("g", many, 5, 5); ok {
		t.Error("a table of 1,000 rows in 25 cells has an exact p-value")
	}
}

// TestPermutations compares exact p-values with all permutations of the second variable within the
// states of a third, and estimates with both.
func TestPermutations(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 18))
	for range 30 {
		cardX, cardY := 2+rng.IntN(2), 2+rng.IntN(2)
		var x, y [2][]int
		count := func(y [2][]int) []float64 {
			n := make([]float64, 2*cardX*cardY)
			for z := range x {
				for i := range x[z] {
					n[(z*cardX+x[z][i])*cardY+y[z][i]]++
				}
			}
			return n
		}
		for z := range x {
			for range 3 + rng.IntN(2) {
				a := rng.IntN(cardX)
				x[z], y[z] = append(x[z], a), append(y[z], (a*rng.IntN(2)+rng.IntN(2))%cardY)
			}
		}
		n := count(y)
		observed, _, _ := independence.Statistic("g", n, cardX, cardY)
		large, all := 0, 0
		permutations(y[0], func(first []int) {
			permutations(y[1], func(second []int) {
				all++
				if s, _, _ := independence.Statistic("g", count([2][]int{first, second}), cardX, cardY); s >= observed-1e-9 {
					large++
				}
			})
		})
		want := float64(large) / float64(all)
		p, ok := independence.ExactPValue("g", n, cardX, cardY)
		if !ok || math.Abs(p-want) > 1e-12 {
			t.Errorf("%v: exact p-value %v, %v; want %v", n, p, ok, want)
		}
		const draws = 4000
		if q := independence.PermutedPValue("g", n, cardX, cardY, draws); math.Abs(q-want) > 5*math.Sqrt(want*(1-want)/draws)+2./draws {
			t.Errorf("%v: permuted p-value %v; want about %v", n, q, want)
		}
	}
}

// TestManyRows checks that counts of so many rows that none can be drawn have the p-value of the
// chi-square distribution.
func TestManyRows(t *testing.T) {
	rows := [][]int{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	s := learnertest.New(t, learnertest.Vars("a", 2, "b", 2), rows, []float64{3e12, 3e12 + 1e6, 3e12, 3e12 - 1e6})
	var p []float64
	for _, how := range []string{independence.Asymptotic, independence.Exact, independence.Permuted} {
		oracle, err := independence.New(data.NewCounter(s, 0), nil, independence.Options{Kind: "chi2", Level: .05, PValues: how, Permutations: 100})
		if err != nil {
			t.Fatal(err)
		}
		p = append(p, oracle(0, 1, nil).PValue)
	}
	if !(p[0] > .3 && p[0] < .9) || p[1] != p[0] || p[2] != p[0] {
		t.Errorf("p-values %v; want three equal ones", p)
	}
}

// permutations calls f for each order of a list.
func permutations(list []int, f func([]int)) {
	var from func(i int)
	from = func(i int) {
		if i == len(list) {
			f(list)
			return
		}
		for k := i; k < len(list); k++ {
			list[i], list[k] = list[k], list[i]
			from(i + 1)
			list[i], list[k] = list[k], list[i]
		}
	}
	from(0)
}
