package network

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// Near returns a function that bars, for [score.Scorer.Barring], all edges except the required ones
// and those between a variable and one of its candidates: the given number of variables that, as
// its only parent, improve its score most. It returns nil if candidates is 0.
//
// Source: Scanagatta and others 2015, Learning Bayesian networks with thousands of variables, for
// the choice by pairs.
func (r *Rules) Near(s *score.Scorer, candidates int, job *learner.Job) (bars func(x, parent int) bool, err error) {
	if candidates < 0 {
		return nil, fmt.Errorf("%d candidate parents; want 1 or more, or 0 for all", candidates)
	}
	n := len(s.Counter.Set().Vars)
	if candidates == 0 || candidates >= n-1 {
		return nil, nil
	}
	best := make([][]int, n)
	job.Each(n, func(y int) {
		others := make([]int, 0, n)
		for x := range n {
			if x != y && s.Fits(y, x) {
				others = append(others, x)
			}
		}
		scores, order := make([]float64, len(others)), make([]int, len(others))
		s.Adding(y, nil, others, scores)
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
		for _, i := range order[:min(candidates, len(order))] {
			best[y] = append(best[y], others[i])
		}
	})
	near := make([]graph.Set, n)
	for y := range near {
		near[y] = graph.NewSet(n)
	}
	join := func(x, y int) {
		near[y].Add(x)
		near[x].Add(y)
	}
	for y, list := range best {
		for _, x := range list {
			join(x, y)
		}
	}
	for _, e := range r.order {
		join(e[0], e[1])
	}
	return func(x, parent int) bool { return !near[x].Has(parent) }, nil
}
