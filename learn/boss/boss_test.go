package boss_test

import (
	"math"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/learn/boss"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/exact"
	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/score"
)

// Of 20 random sets with 5 to 12 variables, the search finds the best score for at least 18, and
// never a higher one. Its report has the score of the structure, and of any of the class.
func TestExact(t *testing.T) {
	for _, kind := range []string{"bic", "bdeu"} {
		found := 0
		for seed := range uint64(20) {
			s := learnertest.Drawn(t, seed, 5+int(seed)*7/19)
			job := &learner.Job{Train: s, Cores: 2}
			args := []string{"-score", kind, "-max-parents", "4"}
			want := learnertest.Learn(t, exact.Learner, job, args...).Report.Total
			r := learnertest.Learn(t, boss.Learner, job, args...)
			if r.Report.Total > want+1e-7 {
				t.Errorf("%s, seed %d: %v exceeds the best score %v", kind, seed, r.Report.Total, want)
			}
			if r.Report.Total > want-1e-7 {
				found++
			}
			sc, err := score.New(kind, data.NewCounter(s, 0), score.Options{})
			if err != nil {
				t.Fatal(err)
			}
			g := structure(r)
			other, forced := graph.Of(g).Extend()
			if a, b := sc.Network(g), sc.Network(other); forced > 0 || math.Abs(a-r.Report.Total) > 1e-7 || math.Abs(b-r.Report.Total) > 1e-7 {
				t.Errorf("%s, seed %d: the structure has %v and another of the class %v; the report says %v", kind, seed, a, b, r.Report.Total)
			}
		}
		t.Logf("%s: %d of 20", kind, found)
		if found < 18 {
			t.Errorf("%s: the best score for %d sets of 20; want 18", kind, found)
		}
	}
}

// structure returns the parents in a report.
func structure(r *learner.Result) [][]int {
	number := map[string]int{}
	for i, f := range r.Report.Families {
		number[f.Variable] = i
	}
	parents := make([][]int, len(r.Report.Families))
	for i, f := range r.Report.Families {
		for _, u := range f.Parents {
			parents[i] = append(parents[i], number[u])
		}
	}
	return parents
}

// Searches that are stopped and resumed have the result of one that is not, with rules and without.
func TestResume(t *testing.T) {
	job := learner.Job{Train: learnertest.Drawn(t, 4, 9), Seed: 3}
	damaged := []learnertest.Damage{
		{State: `{"start":9,"order":[],"best":[]}`, Want: "a number is out of range"},
		{State: `{"order":[1,1]}`, Want: "the order repeats a variable"},
		{State: `{"order":[0,99]}`, Want: "the order repeats a variable"},
		{State: `{"start":1,"order":[],"best":[[1],[0],[],[],[],[],[],[],[]]}`, Want: "the best structure is none of this search"},
		{State: `{"start":1}`, Want: "the best structure is none of this search"},
	}
	learnertest.Resume(t, boss.Learner, job, damaged, "-restarts", "2", "-max-parents", "3")
	learnertest.Resume(t, boss.Learner, job, damaged, "-restarts", "2", "-require", "a->b,b->c", "-forbid", "d->e", "-tiers", "a<i")
}

// With the room for a few trees, a search has the same result.
func TestRoom(t *testing.T) {
	s := learnertest.Drawn(t, 7, 12)
	want := learnertest.Learn(t, boss.Learner, &learner.Job{Train: s, Cores: 1}, "-restarts", "3")
	got := learnertest.Learn(t, boss.Learner, &learner.Job{Train: s, Cores: 1, MaxMem: 2000}, "-restarts", "3")
	if got.Report.Total != want.Report.Total || !slices.EqualFunc(structure(got), structure(want), slices.Equal) {
		t.Errorf("got %v with %s; want %v with %s", got.Report.Total, learnertest.Parents(got), want.Report.Total, learnertest.Parents(want))
	}
}

// The diamond in which hill climbing and GES stop early, from the expected counts of 4,000 rows.
// The score was computed independently, by enumeration. An exclusive or has no single parent that
// improves the score, so that no order does; a required edge shows the way.
func TestPlaces(t *testing.T) {
	diamond := learnertest.Diamond(t)
	xor := learnertest.ExclusiveOr(t)
	for _, c := range []struct {
		name  string
		set   *data.Set
		total float64
		args  []string
	}{
		{"diamond", diamond, -10244.5069, nil},
		{"exclusive or", xor, -2089.8032, nil},
		{"exclusive or with an edge", xor, -1732.1006, []string{"-require", "A->C"}},
	} {
		r := learnertest.Learn(t, boss.Learner, &learner.Job{Train: c.set, Cores: 1}, append(c.args, "-score", "bic")...)
		if math.Abs(r.Report.Total-c.total) > 5e-5 {
			t.Errorf("%s: got %.4f with %s; want %.4f", c.name, r.Report.Total, learnertest.Parents(r), c.total)
		}
	}
	learnertest.Error(t, boss.Learner, xor, "restarts -2; want a number from 0, or -1", "-restarts", "-2")
}
