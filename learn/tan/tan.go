// Package tan learns tree-augmented naive Bayes classifiers: all variables depend on the class, and
// each on at most one other variable.
//
// Data: complete rows of discrete and real variables; the class is discrete. Guarantee: no such
// network in which a discrete variable has no real parent has a higher score, for scores that do
// not depend on the directions of edges (all except k2). Cost: the counts of all pairs with the
// class, and a maximum spanning forest.
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

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/internal/forest"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// Learner learns tree-augmented classifiers.
var Learner = learner.Learner{
	Name:  "tan",
	Doc:   "naive Bayes with the best forest among its variables",
	New:   func() learner.Instance { return NewOptions() },
	Takes: model.Reals | model.Gaussians | model.Mixed,
}

// Options holds the options of tan. A pointer to Options is the learner.
type Options struct {
	// Score is the score of structures: loglik, aic or bic, bge for real variables, k2, bdeu or
	// loocv for discrete ones; empty means loglik, or bic for data with real variables.
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
		ESS: 1, Prior: 1,
	}
}

// Bind declares the flags of the options.
func (l *Options) Bind(fs *flag.FlagSet) {
	network.Bind(fs, "loglik", &l.Score, &l.ESS, &l.EdgePrior, &l.Prior)
	fs.StringVar(&l.Class, "class", l.Class, "class variable; the default is the last one")
}

func (l *Options) common() *network.Common {
	return &network.Common{Score: l.Score, Default: "loglik", Size: l.ESS, Edge: l.EdgePrior, Each: l.Prior}
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
	n, first := len(job.Train.Vars), network.Discrete(job.Train.Vars)
	parents := forest.Direct(n, forest.Maximum(n, edges, first), first)
	for x := range parents {
		if x != class {
			parents[x] = append([]int{class}, parents[x]...)
		}
	}
	r, err := l.common().Result("tan", s, parents)
	network.NameClass(r, job.Train.Vars, class, l.Class)
	return r, err
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
		for i := range j {
			child, parent := j, i
			if job.Train.Vars[i].Real && !job.Train.Vars[j].Real {
				child, parent = i, j
			}
			if i != class && j != class && s.Fits(child, class) && s.Fits(child, parent, class) {
				edges = append(edges, forest.Edge{I: i, J: j, Weight: s.Family(child, parent, class) - s.Family(child, class)})
			}
		}
		job.ReportProgress(learner.Event{Done: j + 1, Total: n})
	}
	return edges, nil
}
