package trees_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/spn"
	"github.com/pgmc-go/pgmc/learn/internal/trees"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// random returns rows of variables of several sizes, with weights and some missing values.
func random(t *testing.T, holes bool) *data.Set {
	rng := rand.New(rand.NewPCG(7, 8))
	vars := learnertest.Vars("a", 2, "b", 3, "c", 2, "d", 4, "e", 1)
	var rows [][]int
	var weights []float64
	for range 200 {
		a := rng.IntN(2)
		row := []int{a, a + rng.IntN(2), rng.IntN(2), min(3, a+rng.IntN(4)), 0}
		if holes && rng.IntN(2) == 0 {
			row[rng.IntN(5)] = data.Missing
		}
		rows, weights = append(rows, row), append(weights, float64(1+rng.IntN(3)))
	}
	return learnertest.New(t, vars, rows, weights)
}

// TestCounts checks counts of pairs and single variables against package data, with missing values,
// and for some rows and variables.
func TestCounts(t *testing.T) {
	for _, holes := range []bool{false, true} {
		s := random(t, holes)
		want := data.NewCounter(s, 0)
		x, err := trees.NewIndex(s, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		c := x.Count(nil)
		for j := range s.Vars {
			same(t, want.Counts(j), c.States(j), func(out []float64) { c.Single(j, out) })
			for i := range j {
				same(t, want.Counts(i, j), c.States(i)*c.States(j), func(out []float64) { c.Pair(i, j, out) })
			}
		}
		half := make([]float64, s.Len())
		for row := range half {
			half[row] = float64(row % 2)
		}
		part := x.Count(half)
		other, err := s.Reweighted(half)
		if err != nil {
			t.Fatal(err)
		}
		same(t, data.NewCounter(other, 0).Counts(1, 3), 12, func(out []float64) { part.Pair(1, 3, out) })
		rest := c.Without(part)
		for row := range half {
			half[row] = s.Weight(row) - half[row]
		}
		if other, err = s.Reweighted(half); err != nil {
			t.Fatal(err)
		}
		same(t, data.NewCounter(other, 0).Counts(1, 3), 12, func(out []float64) { rest.Pair(1, 3, out) })
	}
}

func same(t *testing.T, want []float64, n int, put func(out []float64)) {
	t.Helper()
	got := make([]float64, n)
	put(got)
	for k := range want {
		if math.Abs(got[k]-want[k]) > 1e-9 {
			t.Fatalf("got counts %v; want %v", got, want)
		}
	}
}

// TestMutual checks by hand: 40 rows, 16 in each equal pair of states 0 and 1, 4 in each other
// pair: I = 2 (0.4 ln 1.6) + 2 (0.1 ln 0.4).
func TestMutual(t *testing.T) {
	var rows [][]int
	for k, n := range []int{16, 4, 4, 16} {
		for range n {
			rows = append(rows, []int{k / 2, k % 2})
		}
	}
	x, err := trees.NewIndex(learnertest.New(t, learnertest.Vars("a", 2, "b", 2), rows, nil), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := x.Count(nil)
	if got, want := c.Mutual(0, 1, 0), 0.8*math.Log(1.6)+0.2*math.Log(0.4); math.Abs(got-want) > 1e-14 {
		t.Errorf("mutual information %v; want %v", got, want)
	}
	// G = 2 x 40 x 0.19274 = 15.4, which a chi-square variable of one degree exceeds with
	// probability 8.6e-5.
	if !c.Dependent(0, 1, 1e-4) || c.Dependent(0, 1, 8e-5) {
		t.Error("the G-test is not between 1e-4 and 8e-5")
	}
}

// TestTree checks that the likelihood predicted by Fit without a prior is that of the tree on its
// data, and that rows, complete or not, have the probabilities of the tree's network.
func TestTree(t *testing.T) {
	for _, holes := range []bool{false, true} {
		s := random(t, holes)
		x, err := trees.NewIndex(s, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		c := x.Count(nil)
		tree := c.ChowLiu(0.5)
		got := make([]float64, s.Len())
		tree.Rows(s, nil, got)
		n := spn.New(s.Vars)
		n.Tree(tree.Nodes(s.Vars))
		for row, want := range spn.NewEngine(n, s, 1, 0).Rows() {
			if math.Abs(got[row]-want) > 1e-12*math.Abs(want) {
				t.Fatalf("row %d: got %v; want %v", row, got[row], want)
			}
		}
		if holes {
			continue
		}
		total := 0.0
		c.ChowLiu(0).Rows(s, nil, got)
		for row, log := range got {
			total += s.Weight(row) * log
		}
		if fit := c.Fit(0); math.Abs(fit-total) > 1e-9*math.Abs(total) {
			t.Errorf("predicted %v; the rows have %v", fit, total)
		}
	}
}
