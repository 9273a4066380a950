package learn_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/chowliu"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/exact"
	"github.com/pgmc-go/pgmc/learn/ges"
	"github.com/pgmc-go/pgmc/learn/hillclimb"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/score"
)

// withStructure returns a network over the variables of a set with uniform tables.
func withStructure(s *data.Set, parents [][]int) *model.Model {
	m := &model.Model{Kind: model.Bayes, File: "near.bif"}
	for _, v := range s.Vars {
		m.NewVar(v.Name, v.States...)
	}
	for x, p := range parents {
		f, size := &model.Factor{Child: len(p)}, 1
		for _, u := range append(slices.Clone(p), x) {
			f.Scope, size = append(f.Scope, model.VarID(u)), size*len(s.Vars[u].States)
		}
		n := len(s.Vars[x].States)
		f.Dist = &model.Table{Values: slices.Repeat([]float64{1 / float64(n)}, size)}
		m.Factors = append(m.Factors, f)
	}
	return m
}

// differing returns the number of edges that one structure has and the other has not.
func differing(a, b [][]int) (n int) {
	for x := range a {
		for _, u := range a[x] {
			if !slices.Contains(b[x], u) {
				n++
			}
		}
		for _, u := range b[x] {
			if !slices.Contains(a[x], u) {
				n++
			}
		}
	}
	return n
}

// Against all 25 structures of three variables: exact finds the one of the largest score less the
// distance times the logarithm of the odds, from each of them as the prior structure. Its total is
// that plus the same amount for each edge of the prior structure.
func TestPriorStructure(t *testing.T) {
	s := priorRows(t)
	sc, err := score.New("bdeu", data.NewCounter(s, 0), score.Options{Size: 1})
	if err != nil {
		t.Fatal(err)
	}
	all, moved := learnertest.DAGs(3), 0
	for _, odds := range []float64{1, 10, 1e9} {
		for _, near := range all {
			best, edges := math.Inf(-1), 0
			for _, g := range all {
				best = max(best, sc.Network(g)-float64(differing(g, near))*math.Log(odds))
			}
			for _, p := range near {
				edges += len(p)
			}
			r, err := learn.Fit(context.Background(), exact.Options{Scoring: learner.Scoring{PriorOdds: odds}}, &learner.Job{Train: s, Structure: withStructure(s, near)})
			if err != nil {
				t.Fatal(err)
			}
			got := data.Parents(r.Models[0], s.Vars)
			if want := best + float64(edges)*math.Log(odds); math.Abs(r.Report.Total-want) > 1e-9 {
				t.Errorf("odds %v, near %v: the total of %v is %v; want %v", odds, near, got, r.Report.Total, want)
			}
			if odds == 1e9 && differing(got, near) == 0 {
				moved++
			}
		}
	}
	if moved < 25 {
		t.Errorf("with odds of 1e9, %d of 25 results are the prior structure; want all", moved)
	}
}

// Learners that leave directions open take an edge of the prior structure as both directions, and
// prior odds by edge add to those of the prior structure.
func TestPriorStructureOpen(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 8))
	rows := make([][]int, 30)
	for i := range rows {
		rows[i] = []int{rng.IntN(2), rng.IntN(2), rng.IntN(2)}
	}
	s := learnertest.New(t, learnertest.Vars("a", 2, "b", 2, "c", 2), rows, nil)
	near := withStructure(s, [][]int{nil, {0}, nil})
	for _, algo := range []any{ges.Options{Scoring: learner.Scoring{PriorOdds: 1e6}}, chowliu.Options{Score: "bic", Scoring: learner.Scoring{PriorOdds: 1e6}}} {
		r, err := learn.Fit(context.Background(), algo, &learner.Job{Train: s, Structure: near})
		if err != nil {
			t.Fatal(err)
		}
		p := data.Parents(r.Models[0], s.Vars)
		if len(p[0])+len(p[1]) != 1 || len(p[2]) > 0 {
			t.Errorf("%T: got the parents %v; want an edge of a and b alone", algo, p)
		}
	}
	r, err := learn.Fit(context.Background(), hillclimb.Options{Scoring: learner.Scoring{PriorOdds: 1e3, EdgePrior: "a--b=-50"}}, &learner.Job{Train: s, Structure: near})
	if err != nil {
		t.Fatal(err)
	}
	if p := data.Parents(r.Models[0], s.Vars); len(slices.Concat(p...)) > 0 {
		t.Errorf("prior odds of -50 do not outweigh the prior structure: %v", p)
	}
}

func TestPriorStructureErrors(t *testing.T) {
	s := priorRows(t)
	near := withStructure(s, make([][]int, 3))
	other := &model.Model{Kind: model.Bayes, File: "other.bif"}
	other.NewVar("z", "0", "1")
	markov := *near
	markov.Kind = model.Markov
	for _, c := range []struct {
		m    *model.Model
		odds float64
		want string
	}{
		{near, .5, "prior odds 0.5; want a number from 1"},
		{near, math.Inf(1), "prior odds +Inf; want a number from 1"},
		{other, 10, `other.bif: the data has none of the 1 variables of the prior structure; want some`},
		{&markov, 10, fmt.Sprintf("near.bif: the prior structure is of a %v; want a Bayesian network", model.Markov)},
	} {
		_, err := learn.Fit(context.Background(), hillclimb.Options{Scoring: learner.Scoring{PriorOdds: c.odds}}, &learner.Job{Train: s, Structure: c.m})
		if err == nil || err.Error() != c.want {
			t.Errorf("got %v; want %s", err, c.want)
		}
	}
}
