// Package chowliu learns the best forest: a Bayesian network in which each variable has one parent at most.
//
// Data: complete rows of discrete variables. Guarantee: no other forest has a higher score, for scores that don't depend on the directions of
// edges (all but k2). Cost: the counts of all pairs, and a maximum spanning forest.
//
// Source: Chow and Liu 1968, Approximating discrete probability distributions with dependence trees; Koller and Friedman, section
// 18.4.1, for other scores than the likelihood, by which an edge can be worth less than nothing.
package chowliu

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/network"
	"github.com/pgmc-go/pgmc/learn/score"
)

// Learner is the learner of forests.
var Learner = learner.Learner{
	Name: "chowliu",
	Doc:  "the best forest: one parent at most (Chow and Liu)",
	New:  func() learner.Instance { return &instance{} },
}

type instance struct {
	score string
	size  float64
	prior float64
}

func (l *instance) Options(fs *flag.FlagSet) {
	fs.StringVar(&l.score, "score", "loglik", "what an edge is rated by")
	fs.Float64Var(&l.size, "ess", 1, "equivalent sample size of the score")
	fs.Float64Var(&l.prior, "prior", 1, "pseudo-count of each number of a table")
}

func (l *instance) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	c := data.NewCounter(job.Train, job.MaxMem)
	s, err := score.New(l.score, c, score.Options{Size: l.size})
	if err != nil {
		return nil, err
	}
	if !s.Kind.Equivalent {
		return nil, fmt.Errorf("score %s depends on the directions of edges, of which a forest's are open; want another", l.score)
	}
	edges, err := weigh(ctx, job, s)
	if err != nil {
		return nil, err
	}
	parents := direct(len(job.Train.Vars), forest(len(job.Train.Vars), edges))
	m, err := network.Model("chowliu", c, parents, network.Estimate{Each: l.prior})
	if err != nil {
		return nil, err
	}
	r := &learner.Result{Report: network.Report(s, parents)}
	r.Models = append(r.Models, m)
	return r, nil
}

// edge joins two variables, i before j.
type edge struct {
	i, j   int
	weight float64
}

// weigh rates every pair by what one gains from the other as a parent.
func weigh(ctx context.Context, job *learner.Job, s *score.Scorer) ([]edge, error) {
	n := len(job.Train.Vars)
	alone := make([]float64, n)
	for i := range alone {
		alone[i] = s.Family(i)
	}
	var edges []edge
	for j := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i := range j {
			if w := s.Family(j, i) - alone[j]; w > 0 {
				edges = append(edges, edge{i, j, w})
			}
		}
		job.Tell(learner.Event{Done: j + 1, Total: n})
	}
	return edges, nil
}

// forest chooses the edges of a maximum spanning forest (Kruskal), the first of those with equal weights first.
func forest(n int, edges []edge) []edge {
	slices.SortStableFunc(edges, func(a, b edge) int { return cmp.Compare(b.weight, a.weight) })
	root := make([]int, n)
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	var out []edge
	for _, e := range edges {
		if a, b := find(e.i), find(e.j); a != b {
			root[max(a, b)] = min(a, b)
			out = append(out, e)
		}
	}
	return out
}

// direct turns the edges away from the first variable of each tree.
func direct(n int, edges []edge) [][]int {
	next := make([][]int, n)
	for _, e := range edges {
		next[e.i], next[e.j] = append(next[e.i], e.j), append(next[e.j], e.i)
	}
	parents, seen := make([][]int, n), make([]bool, n)
	for start := range n {
		if seen[start] {
			continue
		}
		seen[start] = true
		for queue := []int{start}; len(queue) > 0; queue = queue[1:] {
			for _, v := range next[queue[0]] {
				if !seen[v] {
					seen[v], parents[v] = true, []int{queue[0]}
					queue = append(queue, v)
				}
			}
		}
	}
	return parents
}
