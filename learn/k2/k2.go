// Package k2 learns a network under a known order of the variables: it adds to each variable the
// predecessor that improves the score most as a parent, until none does.
//
// Data: rows of discrete and real variables. Guarantee: none; k2 misses parents that improve the
// score only together (see package knownorder). Cost: for each variable and parent, the scores of
// as many families as there are predecessors.
//
// Source: Cooper and Herskovits 1992, A Bayesian method for the induction of probabilistic networks
// from data.
package k2

import (
	"context"
	"flag"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// Learner is the greedy search under an order.
var Learner = learner.Learner{
	Name:  "k2",
	Doc:   "greedy choice of parents under a known order (Cooper and Herskovits)",
	New:   func() learner.Instance { return NewOptions() },
	Takes: model.Slices | model.Reals | model.Gaussians | model.Mixed,
}

// Options holds the options of k2. A pointer to Options is the learner.
type Options struct {
	// Score is the score of structures: loglik, aic or bic, bge for real variables, k2, bdeu or
	// loocv for discrete ones; empty means k2, or bic for data with real variables.
	Score string
	ESS   float64 // equivalent sample size of the score
	// EdgePrior is added to the score for each edge: the logarithm of its prior odds.
	EdgePrior  float64
	Prior      float64 // pseudo-count of each parameter
	MaxParents int     // most parents of a variable
	// Softmax, if not 0, is the penalty of softmax CPDs, by which real variables may be parents of
	// discrete ones.
	Softmax float64
	// Order lists all variables, parents before children, separated by commas; the default is the
	// order of the data.
	Order   string
	Require string // required edges: a->b,b->c
	Forbid  string // forbidden edges: a->b,b->c
	// Tiers lists variables from the first tier to the last, a,b<c<d: no edge leads from a later tier
	// to an earlier one.
	Tiers string
}

// NewOptions returns the default options.
func NewOptions() *Options {
	return &Options{
		ESS: 1, Prior: 1, MaxParents: 5,
	}
}

// Bind declares the flags of the options.
func (l *Options) Bind(fs *flag.FlagSet) {
	network.Bind(fs, "k2", &l.Score, &l.ESS, &l.EdgePrior, &l.Prior)
	network.BindMaxParents(fs, &l.MaxParents)
	network.BindSoftmax(fs, &l.Softmax)
	fs.StringVar(&l.Order, "order", l.Order, "all variables, parents before children, separated by commas; the default is the order of the data")
	network.BindConstraints(fs, &l.Require, &l.Forbid, &l.Tiers)
}

func (l *Options) common() *network.Common {
	return &network.Common{Score: l.Score, Default: "k2", Size: l.ESS, Edge: l.EdgePrior, Each: l.Prior, MaxParents: l.MaxParents, Softmax: l.Softmax, Constraints: network.Constraints{Require: l.Require, Forbid: l.Forbid, Tiers: l.Tiers}}
}

// Learn implements learner.Instance.
func (l *Options) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	s, rules, err := l.common().Ruled(job)
	if err == nil {
		err = rules.Fit(l.MaxParents)
	}
	if err != nil {
		return nil, err
	}
	order, err := network.Order(job.Train.Vars, l.Order)
	if err == nil {
		err = rules.Agree(order)
	}
	if err != nil {
		return nil, err
	}
	search, cancel := job.Limit(ctx)
	defer cancel()
	parents, done := make([][]int, len(order)), make([]bool, len(order))
	learner.Each(job.Cores, len(order), func(i int) {
		parents[order[i]], done[i] = greedy(search, s, order[i], order[:i], rules.ParentsOf(order[i]), l.MaxParents)
	})
	r, err := l.common().Result("k2", s, parents)
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

// greedy adds parents to x, which has some to begin with, the first of ties; done is false if ctx
// ended it.
func greedy(ctx context.Context, s *score.Scorer, x int, before, parents []int, most int) (_ []int, done bool) {
	best := s.Family(x, parents...)
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
