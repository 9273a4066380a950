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

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Learner learns forests.
var Learner = learner.Learner{
	Name:  "chowliu",
	Doc:   "the best forest: one parent at most (Chow and Liu)",
	New:   func() learner.Instance { return NewOptions() },
	Takes: model.Reals | model.Gaussians | model.Mixed | model.Counts,
}

// Options holds the options of chowliu. A pointer to Options is the learner.
type Options struct {
	Score string `opt:"score" help:"score of structures: loglik, aic or bic, bge for real variables, k2, bdeu or loocv for discrete ones; the default is loglik, and bic for data with real variables"`
	learner.Scoring
	learner.Constraints
}

// NewOptions returns the default options.
func NewOptions() *Options { return options.New[Options]() }

func (l *Options) common() *network.Common { return network.Of(l, "loglik") }

// Learn implements learner.Instance.
func (l *Options) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	return l.common().Canonical(ctx, job, l.learn)
}

// learn learns from data in canonical order.
func (l *Options) learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	s, rules, err := l.common().RuledForest(job)
	if err != nil {
		return nil, err
	}
	parents, err := l.common().Forest(ctx, job, s, rules, -1)
	if err != nil {
		return nil, err
	}
	return l.common().Result("chowliu", s, parents)
}
