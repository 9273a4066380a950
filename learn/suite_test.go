package learn_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/score"
)

// asGiven holds the learners that take columns and rows in the given order: learners of numbers, and
// learners of trees and circuits that break ties as Libra does.
var asGiven = map[string]bool{
	"depnet": true, "dn2mn": true, "mnweights": true, "em": true, "acbn": true, "acmn": true, "acopt": true, "mt": true, "learnspn": true, "idspn": true,
	"ldfm": true, "ldfm-s": true, "lda": true,
}

// Every learner fulfils the contract with its defaults, has a unique name, and is found by it.
func TestLearners(t *testing.T) {
	seen := map[string]bool{}
	for _, l := range learn.Learners {
		t.Run(l.Name, func(t *testing.T) {
			learnertest.Run(t, l)
			learnertest.Rules(t, l)
			if !asGiven[l.Name] {
				learnertest.Order(t, l)
			}
		})
		if seen[l.Name] {
			t.Errorf("two learners are called %q", l.Name)
		}
		seen[l.Name] = true
		if found, err := learn.Find(l.Name); err != nil || found.Name != l.Name {
			t.Errorf("%q is not found: %v", l.Name, err)
		}
	}
	var names []string
	for _, l := range learn.Learners {
		names = append(names, l.Name)
	}
	want := `unknown learner "nothing"; want one of ` + strings.Join(names, ", ")
	if _, err := learn.Find("nothing"); err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

// Under rules about edges, exact finds a network of the best score, chowliu a forest and knownorder
// a network of the order, by enumeration of all structures of four variables.
func TestRulesOptimum(t *testing.T) {
	vars := learnertest.Vars("a", 2, "b", 2, "c", 2, "d", 2)
	bound := 0 // how often the rules exclude the best structure
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 7))
		var rows [][]int
		for range 60 {
			a, b := rng.IntN(2), rng.IntN(2)
			rows = append(rows, []int{a, b, a ^ b&rng.IntN(2), (a + b + rng.IntN(3)/2) % 2})
		}
		s := learnertest.New(t, vars, rows, nil)
		sc, err := score.New("bdeu", data.NewCounter(s, 0), score.Options{Size: 1})
		if err != nil {
			t.Fatal(err)
		}
		at := rng.Perm(4) // b->d or so is required, and others are forbidden
		edge := func(u, v int) string { return vars[u].Name + "->" + vars[v].Name }
		forbid := []string{edge(at[2], at[0]), edge(at[2], at[3]), edge(at[3], at[1])}
		keeps := func(g [][]int) bool {
			for v, p := range g {
				for _, u := range p {
					if slices.Contains(forbid, edge(u, v)) || u == at[3] && v == at[0] {
						return false
					}
				}
			}
			return slices.Contains(g[at[1]], at[0])
		}
		for _, c := range []struct {
			name string
			may  func(g [][]int) bool
			args []string
		}{
			{"exact", func([][]int) bool { return true }, nil},
			{"chowliu", func(g [][]int) bool { return !slices.ContainsFunc(g, func(p []int) bool { return len(p) > 1 }) }, []string{"-score", "bdeu"}},
			{"knownorder", func(g [][]int) bool {
				for v, p := range g {
					if slices.ContainsFunc(p, func(u int) bool { return slices.Index(at, u) > slices.Index(at, v) }) {
						return false
					}
				}
				return true
			}, []string{"-order", vars[at[0]].Name + "," + vars[at[1]].Name + "," + vars[at[2]].Name + "," + vars[at[3]].Name}},
		} {
			l, err := learn.Find(c.name)
			if err != nil {
				t.Fatal(err)
			}
			best, free := math.Inf(-1), math.Inf(-1)
			for _, g := range learnertest.DAGs(4) {
				if c.may(g) {
					if free = max(free, sc.Network(g)); keeps(g) {
						best = max(best, sc.Network(g))
					}
				}
			}
			if best < free-1e-9 {
				bound++
			}
			args := append(c.args, "-require", edge(at[0], at[1]), "-forbid", strings.Join(forbid, ","), "-tiers", vars[at[0]].Name+"<"+vars[at[3]].Name)
			r := learnertest.Learn(t, *l, &learner.Job{Train: s, Cores: 1}, args...)
			if math.Abs(r.Report.Total-best) > 1e-9 {
				t.Errorf("%s %v: score %v; want %v", c.name, args, r.Report.Total, best)
			}
		}
	}
	if bound < 30 {
		t.Errorf("the rules exclude the best structure %d times of 60; want more", bound)
	}
}
