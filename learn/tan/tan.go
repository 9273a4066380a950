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
	Score     string  `opt:"score" help:"score of structures: loglik, aic or bic, bge for real variables, k2, bdeu or loocv for discrete ones; the default is loglik, and bic for data with real variables"`
	ESS       float64 `opt:"ess" default:"1" help:"equivalent sample size of the score"`
	EdgePrior float64 `opt:"edge-prior" help:"log prior odds of an edge, added to the score for each edge"`
	Prior     float64 `opt:"prior" default:"1" help:"pseudo-count of each parameter"`
	Class     string  `opt:"class" help:"class variable; the default is the last one"`
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
	class, err := network.Class(job.Train.Vars, l.Class)
	if err != nil {
		return nil, err
	}
	parents, err := l.forest(ctx, job, s, rules, class)
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

// forest returns the best forest of the variables other than the class.
func (l *Options) forest(ctx context.Context, job *learner.Job, s *score.Scorer, rules *network.Rules, class int) ([][]int, error) {
	vars := job.Train.Vars
	if l.common().Constraints == (network.Constraints{}) {
		edges, err := weigh(ctx, job, s, class)
		if err != nil {
			return nil, err
		}
		n, first := len(vars), network.Discrete(vars)
		return forest.Direct(n, forest.Maximum(n, edges, first), first), nil
	}
	for x, v := range vars {
		if rules.Forbidden[[2]int{class, x}] {
			return nil, fmt.Errorf("edge %s->%s is forbidden, and all variables depend on the class; want another class, or another learner", vars[class].Name, v.Name)
		}
		if rules.Required[[2]int{x, class}] {
			return nil, fmt.Errorf("edge %s->%s is required, and the class has no parents; want another class, or another learner", v.Name, vars[class].Name)
		}
	}
	parents, err := rules.Forest(class, func(u, x int) (float64, bool) {
		if ctx.Err() != nil || !s.Fits(x, class) || !s.Fits(x, u, class) {
			return 0, false
		}
		return s.Family(x, u, class) - s.Family(x, class), true
	})
	if err == nil {
		err = ctx.Err()
	}
	return parents, err
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
