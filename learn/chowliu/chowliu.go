// Package chowliu learns the best forest: a Bayesian network in which each variable has at most one
// parent.
//
// Data: complete rows of discrete and real variables. Guarantee: no other forest in which a
// discrete variable has no real parent has a higher score, for scores that do not depend on the
// directions of edges (all except k2). Cost: the counts of all pairs, and a maximum spanning
// forest.
//
// Source: Chow and Liu 1968, Approximating discrete probability distributions with dependence
// trees; Koller and Friedman, section 18.4.1, for scores other than the likelihood, under which an
// edge may have a negative gain.
package chowliu

import (
	"context"
	"fmt"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/internal/forest"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// Learner learns forests.
var Learner = learner.Learner{
	Name:  "chowliu",
	Doc:   "the best forest: one parent at most (Chow and Liu)",
	New:   func() learner.Instance { return NewOptions() },
	Takes: model.Reals | model.Gaussians | model.Mixed,
}

// Options holds the options of chowliu. A pointer to Options is the learner.
type Options struct {
	Score     string  `opt:"score" help:"score of structures: loglik, aic or bic, bge for real variables, k2, bdeu or loocv for discrete ones; the default is loglik, and bic for data with real variables"`
	ESS       float64 `opt:"ess" default:"1" help:"equivalent sample size of the score"`
	EdgePrior float64 `opt:"edge-prior" help:"log prior odds of an edge, added to the score for each edge"`
	Prior     float64 `opt:"prior" default:"1" help:"pseudo-count of each parameter"`
	Require   string  `opt:"require" help:"required edges: a->b,b->c"`
	Forbid    string  `opt:"forbid" help:"forbidden edges: a->b,b->c"`
	Tiers     string  `opt:"tiers" help:"tiers of variables, from first to last: a,b<c<d; no edge leads from a later tier to an earlier one, and variables of no tier are free"`
}

// NewOptions returns the default options.
func NewOptions() *Options { return options.New[Options]() }

func (l *Options) common() *network.Common { return network.Of(l, "loglik") }

// Learn implements learner.Instance.
func (l *Options) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	s, rules, err := l.common().Ruled(job)
	if err != nil {
		return nil, err
	}
	if !s.Kind.Equivalent {
		return nil, fmt.Errorf("score %s depends on the directions of edges, of which a forest's are open; want another", s.Kind.Name)
	}
	if l.common().Constraints != (network.Constraints{}) {
		parents, err := rules.Forest(-1, func(u, x int) (float64, bool) {
			if ctx.Err() != nil || !s.Fits(x, u) {
				return 0, false
			}
			return s.Family(x, u) - s.Family(x), true
		})
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		return l.common().Result("chowliu", s, parents)
	}
	edges, err := weigh(ctx, job, s)
	if err != nil {
		return nil, err
	}
	n, first := len(job.Train.Vars), network.Discrete(job.Train.Vars)
	return l.common().Result("chowliu", s, forest.Direct(n, forest.Maximum(n, edges, first), first))
}

// weigh scores every pair by the gain of one variable as the parent of the other.
func weigh(ctx context.Context, job *learner.Job, s *score.Scorer) ([]forest.Edge, error) {
	n := len(job.Train.Vars)
	var edges []forest.Edge
	for j := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i := range j {
			child, parent := j, i
			if job.Train.Vars[i].Real && !job.Train.Vars[j].Real {
				child, parent = i, j
			}
			if s.Fits(child, parent) {
				edges = append(edges, forest.Edge{I: i, J: j, Weight: s.Family(child, parent) - s.Family(child)})
			}
		}
		job.ReportProgress(learner.Event{Done: j + 1, Total: n})
	}
	return edges, nil
}
