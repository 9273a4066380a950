package boost_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/boost"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// network returns a CPD with its variables as a model.
func network(vars []data.Var, c boost.CPD) *model.Model {
	m := &model.Model{Kind: model.Dependency}
	for _, v := range vars {
		m.NewVar(v.Name, v.States...)
	}
	m.Factors = []*model.Factor{c.Factor}
	return m
}

// TestOneTree checks one tree by hand. Of 98 rows 48 have Y = 1, so that with one pseudo-count a
// state the odds begin at 49/51: p = 0.49. Where X is 1 (48 rows, 38 with Y = 1), the slope is 38 -
// 48 p and the curvature 48 p (1 - p); where it is 0, they are 10 - 50 p and 50 p (1 - p). A leaf
// is half of slope / (curvature + 1).
func TestOneTree(t *testing.T) {
	s := learnertest.New(t, learnertest.Vars("X", 2, "Y", 2), [][]int{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, []float64{40, 10, 10, 38})
	c := boost.New(s, nil).Fit(context.Background(), 1, boost.Options{Trees: 1, Depth: 3, Shrinkage: 0.5})
	m := network(s.Vars, c)
	const p = 0.49
	for x, row := range [][3]float64{{10, 50}, {38, 48}} {
		odds := math.Log(49.0/51) + 0.5*(row[0]-row[1]*p)/(row[1]*p*(1-p)+1)
		want := 1 / (1 + math.Exp(-odds))
		if got := m.Value(c.Factor, []int{x, 1}); math.Abs(got-want) > 1e-12 {
			t.Errorf("P(Y = 1 | X = %d) is %v; want %v", x, got, want)
		}
	}
	if c.Trees != 1 || c.Params != 3 || len(c.Others) != 1 {
		t.Errorf("%d trees, %d features, others %v; want 1, 3 and X", c.Trees, c.Params, c.Others)
	}
}

// TestParity checks depth. Y is the parity of A and B in nine rows of ten, and C is noise: trees
// with one test cannot represent it, and trees with two can.
func TestParity(t *testing.T) {
	s := learnertest.Expected(t, learnertest.Vars("A", 2, "B", 2, "C", 2, "Y", 2), 801, func(x []int) float64 {
		p := 0.1
		if x[3] == x[0]^x[1] {
			p = 0.9
		}
		if x[0] == 1 {
			p *= 1.002 // otherwise all first tests would have gain 0
		}
		return p / 8
	})
	fit := func(depth int) float64 {
		c := boost.New(s, nil).Fit(context.Background(), 3, boost.Options{Trees: 60, Depth: depth, Shrinkage: 0.3})
		return network(s.Vars, c).Value(c.Factor, []int{1, 0, 0, 1})
	}
	if got := fit(1); math.Abs(got-0.5) > 0.01 {
		t.Errorf("with one test, P(Y = 1 | A = 1, B = 0) is %v; want 1/2", got)
	}
	if got := fit(2); math.Abs(got-0.9) > 0.02 {
		t.Errorf("with two tests, P(Y = 1 | A = 1, B = 0) is %v; want 0.9", got)
	}
}

// random returns rows in which a variable of three states depends on others. With missing, some
// rows miss a value.
func random(t *testing.T, seed uint64, missing bool) *data.Set {
	rng := rand.New(rand.NewPCG(seed, 3))
	var rows [][]int
	for range 400 {
		a, b, c := rng.IntN(3), rng.IntN(2), rng.IntN(4)
		y := (a + b + rng.IntN(2)) % 3
		if rng.IntN(5) == 0 {
			y = rng.IntN(3)
		}
		row := []int{a, b, c, y}
		if missing && rng.IntN(5) == 0 {
			row[rng.IntN(4)] = data.Missing
		}
		rows = append(rows, row)
	}
	return learnertest.New(t, learnertest.Vars("a", 3, "b", 2, "c", 4, "y", 3), rows, nil)
}

// mean returns the mean of ln P of a variable over the complete rows.
func mean(s *data.Set, c boost.CPD) (sum float64) {
	m := network(s.Vars, c)
	row := make([]int, len(s.Vars))
	for i := range s.Len() {
		s.Row(i, row)
		sum += math.Log(m.Value(c.Factor, row))
	}
	return sum / float64(s.Len())
}

// TestFeatures checks that the list of features equals the trees in each row: the score is that of
// the model.
func TestFeatures(t *testing.T) {
	s := random(t, 1, false)
	for target := range s.Vars {
		c := boost.New(s, nil).Fit(context.Background(), target, boost.Options{Trees: 25, Depth: 3, Shrinkage: 0.3, MinCount: 5})
		if want := mean(s, c) * float64(s.Len()); math.Abs(c.Score-want) > 1e-9*math.Abs(want) {
			t.Errorf("variable %d: score %v; the model has %v", target, c.Score, want)
		}
	}
}

// TestStop checks that no other number of trees is better on the validation rows.
func TestStop(t *testing.T) {
	train, valid := random(t, 1, true), random(t, 2, false)
	o := boost.Options{Trees: 400, Depth: 3, Shrinkage: 0.2}
	best := boost.New(train, valid).Fit(context.Background(), 3, o)
	rounds := best.Trees / 3
	if rounds < 3 || rounds > 100 {
		t.Fatalf("%d rounds; want some, and not all", rounds)
	}
	plain := boost.New(train, nil)
	for n := range rounds + 20 {
		o.Trees = n
		if got, top := mean(valid, plain.Fit(context.Background(), 3, o)), mean(valid, best); got > top+1e-12 {
			t.Errorf("%d rounds have %v; %d, which were chosen, %v", n, got, rounds, top)
		}
	}
}

// TestMinCount checks that the least weight of a leaf holds on both sides of a split.
func TestMinCount(t *testing.T) {
	s := learnertest.New(t, learnertest.Vars("X", 2, "Y", 2), [][]int{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, []float64{40, 10, 1, 8})
	for _, c := range []struct {
		least  float64
		others int
	}{{9, 1}, {9.5, 0}} {
		got := boost.New(s, nil).Fit(context.Background(), 1, boost.Options{Trees: 2, Depth: 1, Shrinkage: 1, MinCount: c.least})
		if len(got.Others) != c.others {
			t.Errorf("leaves of %v rows: others %v; want %d", c.least, got.Others, c.others)
		}
	}
}
