package knownorder

import (
	"context"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// K2 is the greedy search under an order of Cooper and Herskovits 1992, A Bayesian method for the
// induction of probabilistic networks from data: it adds to each variable the predecessor that
// improves the score most as a parent, until none does. Guarantee: none; k2 misses parents that
// improve the score only together. Cost: for each variable and parent, the scores of as many
// families as there are predecessors.
var K2 = learner.Learner{
	Name:  "k2",
	Doc:   "greedy choice of parents under a known order (Cooper and Herskovits)",
	New:   func() learner.Instance { return NewK2Options() },
	Takes: model.Slices | model.Reals | model.Gaussians | model.Mixed | model.Counts,
}

// K2Options holds the options of k2. A pointer to K2Options is the learner.
type K2Options struct {
	Score string `opt:"score" help:"score of structures: loglik, aic or bic, bge for real variables, k2, bdeu or loocv for discrete ones; the default is k2, and bic for data with real variables"`
	learner.Scoring
	MaxParents int     `opt:"max-parents" default:"5" help:"most parents of a variable"`
	Softmax    float64 `opt:"softmax" help:"let real variables be parents of discrete ones, by softmax CPDs with this penalty, such as 1; 0 is never"`
	Order      string  `opt:"order" help:"all variables, parents before children, separated by commas; the default is the order of the data"`
	learner.Constraints
}

// NewOptions returns the default options.
func NewK2Options() *K2Options { return options.New[K2Options]() }

func (l *K2Options) common() *network.Common { return network.Of(l, "k2") }

// Learn implements learner.Instance.
func (l *K2Options) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	return l.common().Canonical(ctx, job, l.learn)
}

// learn learns from data in canonical order.
func (l *K2Options) learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	s, rules, order, err := begin(l.common(), l.Order, job)
	if err != nil {
		return nil, err
	}
	search, cancel := job.Limit(ctx)
	defer cancel()
	parents, done := make([][]int, len(order)), make([]bool, len(order))
	job.Each(len(order), func(i int) {
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
	have := s.Family(x, parents...)
	best := score.Best[int]{Tie: score.Tie(have)}
	for len(parents) < most {
		if ctx.Err() != nil {
			return parents, false
		}
		best.Clear()
		best.Over = have + best.Tie
		adds := slices.DeleteFunc(slices.Clone(before), func(u int) bool {
			return slices.Contains(parents, u) || !s.Fits(x, append(slices.Clone(parents), u)...)
		})
		scores := make([]float64, len(adds))
		s.Adding(x, parents, adds, scores)
		for i, u := range adds {
			best.Add(u, scores[i])
		}
		add, with, ok := best.First()
		if !ok {
			break
		}
		parents, have = append(parents, add), with
	}
	return parents, true
}
