// Package k2 learns a network under a known order of the variables: to each variable it adds the parent, among those before it, that
// improves the score most, until none does.
//
// Data: rows of discrete variables. Guarantee: none beyond that; parents that are worth something only together are not found (see
// package knownorder). Cost: for each variable and parent the scores of as many families as there are variables before it.
//
// Source: Cooper and Herskovits 1992, A Bayesian method for the induction of probabilistic networks from data.
package k2

import (
	"context"
	"flag"
	"slices"

	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// Learner is the greedy search under an order.
var Learner = learner.Learner{
	Name: "k2",
	Doc:  "greedy choice of parents under a known order (Cooper and Herskovits)",
	New:  func() learner.Instance { return &instance{} },
}

type instance struct {
	network.Common
	order string
}

func (l *instance) Options(fs *flag.FlagSet) {
	l.Bind(fs, "k2")
	l.BindMaxParents(fs, 5)
	fs.StringVar(&l.order, "order", "", "all variables, a parent before its children, with commas between; that of the data unless given")
}

func (l *instance) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	s, err := l.Scorer(job)
	if err != nil {
		return nil, err
	}
	order, err := network.Order(job.Train.Vars, l.order)
	if err != nil {
		return nil, err
	}
	search, cancel := job.Limit(ctx)
	defer cancel()
	parents, done := make([][]int, len(order)), make([]bool, len(order))
	learner.Each(job.Cores, len(order), func(i int) {
		parents[order[i]], done[i] = greedy(search, s, order[i], order[:i], l.MaxParents)
	})
	r, err := l.Result("k2", s, parents)
	if err != nil {
		return nil, err
	}
	for _, p := range parents {
		r.Report.Steps += len(p)
	}
	if slices.Contains(done, false) {
		r.Report.Stopped = true
		return r, ctx.Err()
	}
	return r, nil
}

// greedy adds parents to x, the first of equal ones; done is false where ctx ended it.
func greedy(ctx context.Context, s *score.Scorer, x int, before []int, most int) (parents []int, done bool) {
	best := s.Family(x)
	for len(parents) < most {
		if ctx.Err() != nil {
			return parents, false
		}
		add, with := -1, best
		for _, u := range before {
			family := append(slices.Clone(parents), u)
			if slices.Contains(parents, u) || !s.Fits(x, family...) {
				continue
			}
			if f := s.Family(x, family...); f > with+score.Tie {
				add, with = u, f
			}
		}
		if add < 0 {
			break
		}
		parents, best = append(parents, add), with
	}
	return parents, true
}
