// Package tan learns tree-augmented naive Bayes classifiers: all variables depend on the class, and
// each on at most one other variable.
//
// Data: complete rows of discrete variables. Guarantee: no such network has a higher score, for
// scores that do not depend on the directions of edges (all except k2). Cost: the counts of all
// pairs with the class, and a maximum spanning forest.
//
// The weight of a pair is the gain of one variable by the other as a second parent. Under the
// log-likelihood, it is the number of rows times the mutual information given the class. Under a
// score that penalises parameters it may be negative, and the forest need not be a tree.
//
// Source: Friedman, Geiger and Goldszmidt 1997, Bayesian network classifiers; Koller and Friedman,
// section 18.8.
package tan

import (
	"context"
	"flag"
	"fmt"

	"github.com/pgmc-go/pgmc/learn/internal/forest"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// Learner learns tree-augmented classifiers.
var Learner = learner.Learner{
	Name: "tan",
	Doc:  "naive Bayes with the best forest among its variables",
	New:  func() learner.Instance { return NewOptions() },
}

// Options holds the options of tan. A pointer to Options is the learner.
type Options struct {
	// Score is the score of structures: loglik, aic, bic, k2, bdeu, loocv.
	Score string
	ESS   float64 // equivalent sample size of the score
	// EdgePrior is added to the score for each edge: the logarithm of its prior odds.
	EdgePrior float64
	Prior     float64 // pseudo-count of each parameter
	Class     string  // the class variable; the default is the last one
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
	fs.StringVar(&l.Class, "class", l.Class, "class variable; the default is the last one")
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
	class, err := network.Class(job.Train.Vars, l.Class)
	if err != nil {
		return nil, err
	}
	edges, err := weigh(ctx, job, s, class)
	if err != nil {
		return nil, err
	}
	n := len(job.Train.Vars)
	parents := forest.Direct(n, forest.Maximum(n, edges))
	for x := range parents {
		if x != class {
			parents[x] = append([]int{class}, parents[x]...)
		}
	}
	return l.common().Result("tan", s, parents)
}

// weigh scores every pair of variables other than the class by the gain of one as a second parent
// of the other.
func weigh(ctx context.Context, job *learner.Job, s *score.Scorer, class int) ([]forest.Edge, error) {
	n := len(job.Train.Vars)
	var edges []forest.Edge
	for j := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if j == class || !s.Fits(j, class) {
			continue
		}
		alone := s.Family(j, class)
		for i := range j {
			if i != class && s.Fits(j, i, class) {
				edges = append(edges, forest.Edge{I: i, J: j, Weight: s.Family(j, i, class) - alone})
			}
		}
		job.ReportProgress(learner.Event{Done: j + 1, Total: n})
	}
	return edges, nil
}
