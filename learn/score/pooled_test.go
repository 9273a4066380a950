package score_test

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/score"
)

// TestPooled compares variables that share a CPD with one variable whose rows are stacked, and one
// variable with its family. A row that misses a parent counts without it, for all of them together.
func TestPooled(t *testing.T) {
	m := data.Missing
	rows := [][]int{{0, 0, 1}, {1, 1, 0}, {1, 1, 1}, {0, 1, 0}, {1, 0, 1}, {m, 1, 1}}
	var stacked [][]int
	for _, row := range rows {
		stacked = append(stacked, []int{row[0], row[1]}, []int{row[0], row[2]})
	}
	two := data.NewCounter(learnertest.New(t, learnertest.Vars("u", 2, "x", 2, "y", 2), rows, nil), 0)
	one := data.NewCounter(learnertest.New(t, learnertest.Vars("u", 2, "x", 2), stacked, nil), 0)
	for _, kind := range []string{"loglik", "aic", "bic", "k2", "bdeu", "loocv"} {
		a, err := score.New(kind, two, score.Options{Size: 2})
		if err != nil {
			t.Fatal(err)
		}
		b, err := score.New(kind, one, score.Options{Size: 2})
		if err != nil {
			t.Fatal(err)
		}
		for _, parents := range [][]int{nil, {0}} {
			if got, want := a.Pooled([]int{1}, parents...), a.Family(1, parents...); math.Abs(got-want) > 1e-12 {
				t.Errorf("%s given %v: one variable %v; its family %v", kind, parents, got, want)
			}
			want := b.Family(1, parents...)
			if kind == "bic" { // its price is by rows, which are half as many
				want += math.Log(2) / 2 * float64(1+len(parents))
			}
			if got := a.Pooled([]int{1, 2}, parents...); math.Abs(got-want) > 1e-12 {
				t.Errorf("%s given %v: %v; one variable with the rows of both %v", kind, parents, got, want)
			}
		}
	}
}
