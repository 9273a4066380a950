// Package chowliu learns the best forest: a Bayesian network in which each variable has one parent at most.
//
// Data: complete rows of discrete variables. Guarantee: no other forest has a higher score, for scores that don't depend on the directions of
// edges (all but k2). Cost: the counts of all pairs, and a maximum spanning forest.
//
// Source: Chow and Liu 1968, Approximating discrete probability distributions with dependence trees; Koller and Friedman, section
// 18.4.1, for other scores than the likelihood, by which an edge can be worth less than nothing.
package chowliu

import (
	"context"
	"flag"
	"fmt"

	"github.com/pgmc-go/pgmc/learn/internal/forest"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// Learner is the learner of forests.
var Learner = learner.Learner{
	Name: "chowliu",
	Doc:  "the best forest: one parent at most (Chow and Liu)",
	New:  func() learner.Instance { return &instance{} },
}

type instance struct{ network.Common }

func (l *instance) Options(fs *flag.FlagSet) { l.Bind(fs, "loglik") }

func (l *instance) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	s, err := l.Scorer(job)
	if err != nil {
		return nil, err
	}
	if !s.Kind.Equivalent {
		return nil, fmt.Errorf("score %s depends on the directions of edges, of which a forest's are open; want another", s.Kind.Name)
	}
	edges, err := weigh(ctx, job, s)
	if err != nil {
		return nil, err
	}
	n := len(job.Train.Vars)
	return l.Result("chowliu", s, forest.Direct(n, forest.Maximum(n, edges)))
}

// weigh rates every pair by what one gains from the other as a parent.
func weigh(ctx context.Context, job *learner.Job, s *score.Scorer) ([]forest.Edge, error) {
	n := len(job.Train.Vars)
	var edges []forest.Edge
	for j := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		alone := s.Family(j)
		for i := range j {
			if s.Fits(j, i) {
				edges = append(edges, forest.Edge{I: i, J: j, Weight: s.Family(j, i) - alone})
			}
		}
		job.Tell(learner.Event{Done: j + 1, Total: n})
	}
	return edges, nil
}
