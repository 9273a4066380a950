package hillclimb

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// dense returns rows of nine variables that all depend on each other.
func dense(t *testing.T) *data.Set {
	rng := rand.New(rand.NewPCG(9, 9))
	var rows [][]int
	for range 400 {
		row := make([]int, 9)
		for v := range row {
			sum := rng.IntN(2)
			for u := range v {
				if (u+v)%2 == 0 || u == v-1 {
					sum += row[u]
				}
			}
			row[v] = sum % (2 + v%2)
		}
		rows = append(rows, row)
	}
	return learnertest.New(t, learnertest.Vars("a", 2, "b", 3, "c", 2, "d", 3, "e", 2, "f", 3, "g", 2, "h", 3, "i", 2), rows, nil)
}

// The network stays within the bound in every kind of search, and wider networks score higher.
func TestWidth(t *testing.T) {
	s := dense(t)
	for _, args := range [][]string{nil, {"-tabu", "5"}, {"-restarts", "3"}, {"-restarts", "2", "-perturb", "1"}, {"-first-ascent"}} {
		last := math.Inf(-1)
		for _, bound := range []float64{math.Log2(6), 4, 5, 0} {
			r := learnertest.Learn(t, Learner, &learner.Job{Train: s, Cores: 1}, append(args, "-score", "aic", "-max-width", strconv.FormatFloat(bound, 'g', -1, 64))...)
			index := map[string]int{}
			for i, v := range s.Vars {
				index[v.Name] = i
			}
			parents := make([][]int, len(s.Vars))
			for i, f := range r.Report.Families {
				for _, u := range f.Parents {
					parents[i] = append(parents[i], index[u])
				}
			}
			w := newBound(s.Vars, 0).width(parents)
			switch {
			case bound > 0 && w > bound+1e-9:
				t.Errorf("%v: width %v; want at most %v", args, w, bound)
			case bound == 0 && w <= 5:
				t.Errorf("%v: without a bound the width is %v: the test shows nothing", args, w)
			}
			if r.Report.Total < last-1e-9 {
				t.Errorf("%v: %v with the bound %v, but %v with a smaller one", args, r.Report.Total, bound, last)
			}
			last = r.Report.Total
		}
	}
	learnertest.Error(t, Learner, s, "the search would begin with a structure of width 3.585; want at most 3: fewer required edges, or a larger max-width", "-max-width", "3", "-require", "a->b,c->b")
	learnertest.Error(t, Learner, s, "max-width -1; want 0 or more", "-max-width", "-1")
}

// By hand: a chain of two-state variables has cliques of two variables, a variable with three
// parents has one of four, and a triangulated cycle of four has some of three.
func TestWidthOf(t *testing.T) {
	b := newBound(learnertest.Vars("a", 2, "b", 2, "c", 2, "d", 2, "e", 4), 0)
	for _, c := range []struct {
		parents [][]int
		want    float64
	}{
		{[][]int{{}, {0}, {1}, {2}, {}}, 2},
		{[][]int{{}, {}, {}, {0, 1, 2}, {}}, 4},
		{[][]int{{}, {0}, {0}, {1, 2}, {}}, 3},
		{[][]int{{}, {0}, {1}, {2}, {3}}, 3}, // 2 times 4 states
	} {
		if got := b.width(c.parents); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%v: width %v; want %v", c.parents, got, c.want)
		}
	}
}
