package learnspn

import (
	"context"
	"math"
	"reflect"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/spn"
	"github.com/pgmc-go/pgmc/learn/internal/trees"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// groups returns rows in which a and c are equal with probability 4/5, and b and d with probability
// 9/10; the two pairs are independent.
func groups(t *testing.T) *data.Set {
	return learnertest.Expected(t, learnertest.Vars("a", 2, "b", 2, "c", 2, "d", 2), 4000, func(x []int) float64 {
		p := 0.25
		for _, c := range []struct {
			same  bool
			alike float64
		}{{x[0] == x[2], 0.8}, {x[1] == x[3], 0.9}} {
			if c.same {
				p *= c.alike
			} else {
				p *= 1 - c.alike
			}
		}
		return p
	})
}

// The columns split into the two pairs, and the network has the entropy of the distribution: 2 ln 2
// plus the entropies of the differences in the pairs.
func TestGroups(t *testing.T) {
	s := groups(t)
	x, err := trees.NewIndex(s, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	sp := &splitter{Options: &Options{}, t: try{alpha: 0.001}, ctx: context.Background()}
	if got, want := sp.groups(x.Count(nil)), [][]int{{0, 2}, {1, 3}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got groups %v; want %v", got, want)
	}
	want := -4000 * (2*math.Ln2 - 0.8*math.Log(0.8) - 0.2*math.Log(0.2) - 0.9*math.Log(0.9) - 0.1*math.Log(0.1))
	r := learnertest.Learn(t, Learner, &learner.Job{Train: s, Cores: 1})
	if r.Report.Total > want || r.Report.Total < want-5 {
		t.Errorf("log-likelihood %v; want %v", r.Report.Total, want)
	}
}

// Rows, complete or not, have the probabilities of independent leaves.
func TestSingles(t *testing.T) {
	vars := learnertest.Vars("a", 2, "b", 3)
	s := learnertest.New(t, vars, [][]int{{0, 2}, {1, data.Missing}, {data.Missing, 1}, {0, 0}, {data.Missing, data.Missing}}, nil)
	x, err := trees.NewIndex(s, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := x.Count(nil)
	n := spn.New(vars)
	n.Product(n.Leaf(0, c.Table(0, -1, 0.5)), n.Leaf(1, c.Table(1, -1, 0.5)))
	singles := x.Singles([]float64{1, 1, 1, 1, 1}, 0.5)
	for row, want := range spn.NewEngine(n, s, 1, 0).Rows() {
		if got := singles.LogProb(row); math.Abs(got-want) > 1e-14 {
			t.Errorf("row %d: got %v; want %v", row, got, want)
		}
	}
}

func TestErrors(t *testing.T) {
	s := groups(t)
	learnertest.Error(t, Learner, s, "level 1; want 0 or more, below 1", "-alpha", "1")
	learnertest.Error(t, Learner, s, "at most 0 clusters; want 1 to 256", "-clusters", "0")
}
