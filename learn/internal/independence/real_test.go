package independence_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/independence"
)

// chain returns rows of d -> x -> y and d -> z, with a discrete d.
func chain(t *testing.T, n int) *data.Set {
	t.Helper()
	rng := rand.New(rand.NewPCG(6, 6))
	vars := []data.Var{{Name: "d", States: []string{"0", "1"}}, {Name: "x", Real: true}, {Name: "y", Real: true}, {Name: "z", Real: true}, {Name: "e", States: []string{"0", "1"}}}
	rows := make([][]float64, n)
	for i := range rows {
		d := float64(rng.IntN(2))
		x := d + rng.NormFloat64()
		rows[i] = []float64{d, x, 2*x + rng.NormFloat64(), (1 + d) * rng.NormFloat64(), float64(rng.IntN(2))}
	}
	s, err := data.NewReal(vars, rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestReal tests pairs of a chain: those that nothing separates are dependent, others independent
// given what separates them.
func TestReal(t *testing.T) {
	s := chain(t, 2000)
	for _, kind := range []string{"g", "mi"} {
		test, err := independence.New(data.NewCounter(s, 0), data.NewMoments(s, 1), independence.Options{Kind: kind, Level: .001, Threshold: .01})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			x, y  int
			given []int
			want  bool
		}{
			{1, 2, nil, false}, {1, 2, []int{0}, false}, {0, 2, nil, false}, {2, 0, []int{1}, true},
			{0, 3, nil, false}, {1, 3, []int{0}, true}, {2, 3, []int{0}, true}, {2, 3, []int{1, 0}, true},
			{4, 1, nil, true}, {1, 4, []int{0, 2}, true}, {0, 4, nil, true}, {0, 4, []int{1}, false},
		} {
			if o := test(c.x, c.y, c.given); o.Independent != c.want || o.Thin || o.Skipped {
				t.Errorf("%s of %d and %d given %v: %+v; want independence %v", kind, c.x, c.y, c.given, o, c.want)
			}
		}
	}
}

// TestFisherZ compares with the normal distribution, and finds the number of rows too small.
func TestFisherZ(t *testing.T) {
	r, n, k := .1, 103., 2
	z := .5 * math.Log((1+r)/(1-r)) * math.Sqrt(n-float64(k)-3)
	if got, want := independence.FisherZ(-r, n, k), 2*distuv.UnitNormal.Survival(z); math.Abs(got-want) > 1e-14 {
		t.Errorf("got %v; want %v", got, want)
	}
	if got := independence.FisherZ(.9, 5, 2); got != 1 {
		t.Errorf("of 5 rows given 2 variables: %v; want 1", got)
	}
	if got := independence.FisherZ(1, 50, 0); got != 0 {
		t.Errorf("of a linear function: %v; want 0", got)
	}
}

// TestLevel checks the level of the likelihood ratio: under independence, about one in twenty tests
// rejects at 0.05.
func TestLevel(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	rejected := 0
	const trials, rows = 400, 200
	for range trials {
		list := make([][]float64, rows)
		for i := range list {
			list[i] = []float64{float64(rng.IntN(3)), rng.NormFloat64(), rng.NormFloat64()}
		}
		s, err := data.NewReal([]data.Var{{Name: "d", States: []string{"0", "1", "2"}}, {Name: "x", Real: true}, {Name: "y", Real: true}}, list, nil)
		if err != nil {
			t.Fatal(err)
		}
		test, err := independence.New(data.NewCounter(s, 0), data.NewMoments(s, 1), independence.Options{Kind: "g", Level: .05})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range []independence.Outcome{test(0, 1, []int{2}), test(1, 2, []int{0})} {
			if !o.Independent {
				rejected++
			}
		}
	}
	if rejected < 20 || rejected > 70 {
		t.Errorf("%d of %d tests reject; want about %d", rejected, 2*trials, trials/10)
	}
}
