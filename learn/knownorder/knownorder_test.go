package knownorder_test

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/learn/knownorder"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// The expected counts of 4,000 rows of A, uniform on four states, B and C, its bits, flipped with
// probability 0.15, and D, which depends on B and C. The scores were computed independently: the
// causal order gives the truth, and its reverse a network with one edge more.
func TestDiamond(t *testing.T) {
	s := learnertest.Expected(t, learnertest.Vars("A", 4, "B", 2, "C", 2, "D", 2), 4000, func(x []int) float64 {
		keep := map[bool]float64{true: 0.85, false: 0.15}
		d := []float64{0.1, 0.2, 0.2, 0.9}[2*x[1]+x[2]]
		return 0.25 * keep[x[0]>>1 == x[1]] * keep[x[0]&1 == x[2]] * []float64{1 - d, d}[x[3]]
	})
	for _, c := range []struct {
		order, parents string
		total          float64
	}{
		{"A,B,C,D", "A| B|A C|A D|BC", -10640.0263},
		{"", "A| B|A C|A D|BC", -10640.0263},
		{"D, C, \"B\"\nA", "A|BC B|CD C|D D|", -10656.6144},
	} {
		r := learnertest.Learn(t, knownorder.Learner, &learner.Job{Train: s, Cores: 1}, "-order", c.order, "-score", "bic", "-max-parents", "2")
		if got := learnertest.Parents(r); got != c.parents || math.Abs(r.Report.Total-c.total) > 5e-5 {
			t.Errorf("order %q: got %s, %.4f; want %s, %.4f", c.order, got, r.Report.Total, c.parents, c.total)
		}
	}
	learnertest.Error(t, knownorder.Learner, s, `order: found 3 of 4 variables; "D" is missing`, "-order", "A,B,C")
	learnertest.Error(t, knownorder.Learner, s, `order: "A" stands there twice`, "-order", "A,B,C,A")
	learnertest.Error(t, knownorder.Learner, s, `order: the data has no variable "E"; the first of its 4 is "A"`, "-order", "A,E")
}

// Exclusive or, flipped with probability 0.1: the best parents are both, which a greedy choice does
// not find.
func TestXor(t *testing.T) {
	s := learnertest.Expected(t, learnertest.Vars("A", 2, "B", 2, "C", 2), 1000, func(x []int) float64 {
		return 0.25 * []float64{0.9, 0.1}[x[0]^x[1]^x[2]]
	})
	for _, c := range []struct {
		learner.Learner
		parents string
		total   float64
	}{
		{knownorder.Learner, "A| B| C|AB", -1732.1006},
		{knownorder.K2, "A| B| C|", -2089.8032},
	} {
		r := learnertest.Learn(t, c.Learner, &learner.Job{Train: s, Cores: 1}, "-score", "bic")
		if got := learnertest.Parents(r); got != c.parents || math.Abs(r.Report.Total-c.total) > 5e-5 {
			t.Errorf("%s: got %s, %.4f; want %s, %.4f", c.Name, got, r.Report.Total, c.parents, c.total)
		}
	}
}

// Ten variables with up to three parents have 385 families. Five variables have 31 nonempty
// subsets.
func TestFamilies(t *testing.T) {
	if got := knownorder.Families(10, 3); got != 385 {
		t.Errorf("10 variables, 3 parents: %v families; want 385", got)
	}
	n := 0
	for size := 1; size <= 5; size++ {
		for range knownorder.Subsets([]int{0, 1, 2, 3, 4}, size) {
			n++
		}
	}
	if n != 31 {
		t.Errorf("%d subsets; want 31", n)
	}
}
