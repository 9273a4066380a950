// Package chowliu learns the best forest: a Bayesian network in which each variable has at most one
// parent.
//
// Data: complete rows of discrete variables. Guarantee: no other forest has a higher score, for
// scores that do not depend on the directions of edges (all except k2). Cost: the counts of all
// pairs, and a maximum spanning forest.
//
// Source: Chow and Liu 1968, Approximating discrete probability distributions with dependence
// trees; Koller and Friedman, section 18.4.1, for scores other than the likelihood, under which an
// edge may have a negative gain.
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

// Learner learns forests.
var Learner = learner.Learner{
	Name: "chowliu",
	Doc:  "the best forest: one parent at most (Chow and Liu)",
	New:  func() learner.Instance { return NewOptions() },
}

// Options holds the options of chowliu. A pointer to Options is the learner.
type Options struct {
	// Score is the score of structures: loglik, aic, bic, k2, bdeu, loocv.
	Score string
	ESS   float64 // equivalent sample size of the score
	// EdgePrior is added to the score for each edge: the logarithm of its prior odds.
	EdgePrior float64
	Prior     float64 // pseudo-count of each parameter
}

// NewOptions returns the default options.
func NewOptions() *Options {
	return &Options{
		Score: "loglik", ESS: 1, Prior: 1,
	}
}

// Bind declares the flags of the options.
func (l *Options) Bind(fs *flag.FlagSet) {
	network.Bind(fs, &l.Score, &l.ESS, &l.EdgePrior, &l.Prior)
}

func (l *Options) common() *network.Common {
	return &network.Common{Score: l.Score, Size: l.ESS, Edge: l.EdgePrior, Each: l.Prior}
}

// Learn implements learner.Instance.
func (l *Options) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	s, err := l.common().Scorer(job)
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
	return l.common().Result("chowliu", s, forest.Direct(n, forest.Maximum(n, edges)))
}

// weigh scores every pair by the gain of one variable as the parent of the other.
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
		job.ReportProgress(learner.Event{Done: j + 1, Total: n})
	}
	return edges, nil
}
