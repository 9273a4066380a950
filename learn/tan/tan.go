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
	"fmt"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Learner learns tree-augmented classifiers.
var Learner = learner.Learner{
	Name:  "tan",
	Doc:   "naive Bayes with the best forest among its variables",
	New:   func() learner.Instance { return NewOptions() },
	Takes: model.Reals | model.Gaussians | model.Mixed | model.Counts,
}

// Options holds the options of tan. A pointer to Options is the learner.
type Options struct {
	Score string `opt:"score" help:"score of structures: loglik, aic or bic, bge for real variables, k2, bdeu or loocv for discrete ones; the default is loglik, and bic for data with real variables"`
	learner.Scoring
	Class string `opt:"class" help:"class variable; the default is the last one"`
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
	class, err := network.Class(job.Train, l.Class)
	if err != nil {
		return nil, err
	}
	if err := allowsClass(rules, job.Train.Vars, class); err != nil {
		return nil, err
	}
	parents, err := l.common().Forest(ctx, job, s, rules, class)
	if err != nil {
		return nil, err
	}
	for x := range parents {
		if x != class {
			parents[x] = append([]int{class}, parents[x]...)
		}
	}
	r, err := l.common().Result("tan", s, parents)
	network.NameClass(r, job.Train.Vars, class, l.Class)
	return r, err
}

// allowsClass refuses rules by which the class has a parent, or a variable has not the class as
// one.
func allowsClass(rules *network.Rules, vars []data.Var, class int) error {
	for x, v := range vars {
		if rules.Forbidden[[2]int{class, x}] {
			return fmt.Errorf("edge %s->%s is forbidden, and all variables depend on the class; want another class, or another learner", vars[class].Name, v.Name)
		}
		if rules.Required[[2]int{x, class}] {
			return fmt.Errorf("edge %s->%s is required, and the class has no parents; want another class, or another learner", v.Name, vars[class].Name)
		}
	}
	return nil
}
