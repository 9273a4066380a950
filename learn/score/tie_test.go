package score_test

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/learn/score"
)

// A chain of candidates, each of which ties with the next, has the same best score in any order, and
// the first one that ties with it is chosen.
func TestBest(t *testing.T) {
	for _, c := range []struct {
		scores []float64
		want   int // -1 for none
	}{
		{nil, -1},
		{[]float64{-5}, -1},
		{[]float64{1, 1.8, 2.6, 3.4}, 2},
		{[]float64{3.4, 2.6, 1.8, 1}, 0},
		{[]float64{1, 2.6, 3.4, 1.8, 2.5}, 1},
		{[]float64{2.6, 9, 3.4, 8.5}, 1},
		{[]float64{math.Inf(-1), math.NaN(), 0}, 2},
	} {
		b := score.Best[int]{Over: -1, Tie: 1}
		for i, x := range c.scores {
			b.Add(i, x)
		}
		got, at, ok := b.First()
		if ok != (c.want >= 0) || ok && (got != c.want || at != c.scores[got]) {
			t.Errorf("%v: chose %d of score %v, %v; want %d", c.scores, got, at, ok, c.want)
		}
		if b.Clear(); b.Most() != -1 {
			t.Errorf("%v: the most is %v after Clear; want -1", c.scores, b.Most())
		}
	}
	if got := score.Tie(-3e5, math.Inf(-1), 7e5); got != 1e-6 {
		t.Errorf("scores of a million tie at %v; want 1e-6", got)
	}
}
