package rate_test

import (
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// half returns rows of y and x: of each state of x, the given numbers that have y and miss it.
func half(t *testing.T, seen, missed [2]int) *data.Set {
	var rows [][]int
	for x := range 2 {
		for i := range seen[x] {
			rows = append(rows, []int{i % 2, x})
		}
		for range missed[x] {
			rows = append(rows, []int{data.Missing, x})
		}
	}
	return learnertest.New(t, learnertest.Vars("y", 2, "x", 2), rows, nil)
}

// Of 100 rows of each state of x, 10 and 40 miss y: Pearson's statistic is 24, with a p-value of
// erfc(√12). Of 4 and 4 rows, all of one state and none of the other miss it: 2 of 70 tables are as
// extreme.
func TestTestMissing(t *testing.T) {
	for _, c := range []struct {
		seen, missed [2]int
		want, tol    float64
		rejected     int
	}{
		{[2]int{90, 60}, [2]int{10, 40}, math.Erfc(math.Sqrt(12)), 1e-12, 1},
		{[2]int{50, 50}, [2]int{50, 50}, 1, 1e-12, 0},
		{[2]int{4, 0}, [2]int{0, 4}, 2. / 70, 0.005, 1},
	} {
		m, err := rate.TestMissing(half(t, c.seen, c.missed))
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Tests) != 1 {
			t.Fatalf("%v: %d tests; want 1", c, len(m.Tests))
		}
		if x := m.Tests[0]; x.Variable != "y" || x.By != "x" || math.Abs(x.PValue-c.want) > c.tol || m.Rejected() != c.rejected {
			t.Errorf("%v: got %+v, %d rejected; want %v", c, x, m.Rejected(), c.want)
		}
	}
	for _, s := range []*data.Set{half(t, [2]int{3, 3}, [2]int{}), half(t, [2]int{}, [2]int{3, 3}), half(t, [2]int{}, [2]int{})} {
		if m, err := rate.TestMissing(s); err != nil || len(m.Tests) != 0 || m.Rejected() != 0 {
			t.Errorf("%d rows: got %v, %v; want no test", s.Len(), m, err)
		}
	}
}

// Values that are missing completely at random are rejected about as rarely as the level says, also
// if real columns are among them; values that are missing above a real value are rejected.
func TestTestMissingReal(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 1))
	draw := func(missing func(x float64) bool) *data.Set {
		var rows [][]float64
		for range 60 {
			x := rng.NormFloat64()
			y := x + rng.NormFloat64()
			if missing(x) {
				y = math.NaN()
			}
			rows = append(rows, []float64{x, y, float64(rng.IntN(2))})
		}
		vars := []data.Var{{Name: "x", Real: true}, {Name: "y", Real: true}, {Name: "z", States: []string{"0", "1"}}}
		s, err := data.NewReal(vars, rows, nil)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	rejected := func(missing func(x float64) bool) (n int) {
		for range 200 {
			m, err := rate.TestMissing(draw(missing))
			if err != nil {
				t.Fatal(err)
			}
			if m.Rejected() > 0 {
				n++
			}
		}
		return n
	}
	if n := rejected(func(float64) bool { return rng.IntN(3) == 0 }); n > 20 {
		t.Errorf("%d of 200 sets are rejected though values are missing completely at random; want about 10", n)
	}
	if n := rejected(func(x float64) bool { return x > 0.5 && rng.IntN(4) > 0 }); n < 190 {
		t.Errorf("%d of 200 sets are rejected though values are missing where x is large; want almost all", n)
	}
}

// Pressure is not recorded for most of the heavy.
func ExampleTestMissing() {
	vars := []data.Var{{Name: "weight", States: []string{"light", "heavy"}}, {Name: "pressure", States: []string{"normal", "high"}}}
	rows := [][]int{{0, 0}, {0, 1}, {0, data.Missing}, {1, 0}, {1, 1}, {1, data.Missing}}
	patients, err := data.New(vars, rows, []float64{40, 10, 5, 10, 10, 25})
	if err != nil {
		log.Fatal(err)
	}
	m, err := rate.TestMissing(patients)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Tests[0].Variable, "by", m.Tests[0].By, m.Rejected() == 1)
	// Output:
	// pressure by weight true
}
