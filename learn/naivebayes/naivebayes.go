// Package naivebayes learns the parameters of the classifier in which all variables depend on the
// class and on nothing else.
//
// Data: rows of discrete and real variables; the class is discrete. A row that misses a value is
// left out of the counts of that variable. Guarantee: none needed; the structure is given and
// nothing is searched. Cost: the counts of each variable with the class.
//
// Posteriors of the class tend to be too extreme if variables depend on each other, though the most
// probable class may still be right. Package tan allows each variable one further parent.
//
// Source: Koller and Friedman, section 17.2 and box 17.A.
package naivebayes

import (
	"context"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Learner learns naive Bayes classifiers.
var Learner = learner.Learner{
	Name:  "naivebayes",
	Doc:   "naive Bayes: all variables depend on a class alone",
	New:   func() learner.Instance { return NewOptions() },
	Takes: model.Reals | model.Gaussians | model.Mixed | model.Counts,
}

// Options holds the options of naivebayes. A pointer to Options is the learner.
type Options struct {
	Score string `opt:"score" help:"score of structures: loglik, aic or bic, bge for real variables, k2, bdeu or loocv for discrete ones; the default is bdeu, and bic for data with real variables"`
	learner.Scoring
	Class string `opt:"class" help:"class variable; the default is the last one"`
}

// NewOptions returns the default options.
func NewOptions() *Options { return options.New[Options]() }

func (l *Options) common() *network.Common { return network.Of(l, "bdeu") }

// Learn implements learner.Instance.
func (l *Options) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	return l.common().Canonical(ctx, job, l.learn)
}

// learn learns from data in canonical order.
func (l *Options) learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	s, err := l.common().Scorer(job)
	if err != nil {
		return nil, err
	}
	class, err := network.Class(job.Train, l.Class)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	parents := make([][]int, len(job.Train.Vars))
	for x := range parents {
		if x != class {
			parents[x] = []int{class}
		}
	}
	r, err := l.common().Result("naivebayes", s, parents)
	network.NameClass(r, job.Train.Vars, class, l.Class)
	return r, err
}
