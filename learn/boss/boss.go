package boss

import (
	"context"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/internal/orders"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// Learner is best order score search.
var Learner = learner.Learner{
	Name:    "boss",
	Doc:     "best order score search: moves of variables in an order (Andrews and others)",
	Former:  []string{"order"}, // the search of Teyssier and Koller, which found no better scores
	New:     func() learner.Instance { return NewOptions() },
	Resumes: true,
	Takes:   model.Slices | model.Reals | model.Gaussians | model.Mixed | model.Counts,
}

// Options holds the options of boss. A pointer to Options is the learner.
type Options struct {
	Score string `opt:"score" help:"score of structures: loglik, aic or bic, bge for real variables, k2, bdeu or loocv for discrete ones; the default is bdeu, and bic for data with real variables"`
	learner.Scoring
	MaxParents int     `opt:"max-parents" default:"5" help:"most parents of a variable"`
	Softmax    float64 `opt:"softmax" help:"let real variables be parents of discrete ones, by softmax CPDs with this penalty, such as 1; 0 is never"`
	Restarts   int     `opt:"restarts" default:"-1" help:"number of further searches, from random orders; -1 is 10 for up to 20 variables, and none for more" range:"[-1,inf)" wrong:"restarts {restarts}; want a number from 0, or -1"`
	OrderOnly  bool    `opt:"order-only" help:"end with the best order, without the deletions of ges"`
	learner.Constraints
}

// NewOptions returns the default options.
func NewOptions() *Options { return options.New[Options]() }

func (l *Options) common() *network.Common { return network.Of(l, "bdeu") }

// searches returns the number of searches for n variables.
func (l *Options) searches(n int) int {
	if l.Restarts >= 0 {
		return l.Restarts + 1
	}
	if n <= 20 {
		return 11
	}
	return 1
}

// Learn implements learner.Instance.
func (l *Options) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	if err := options.Check(l); err != nil {
		return nil, err
	}
	return l.common().Canonical(ctx, job, l.learn)
}

// learn learns from data in canonical order.
func (l *Options) learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	s, rules, err := l.common().RuledParents(job)
	if err != nil {
		return nil, err
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	var start [][]int
	if job.Init != nil {
		if start, err = network.Start(job); err != nil {
			return nil, err
		}
	}
	_, parents, steps, err := Search(timed, l, job, score.NewCache(s), rules, start)
	if err != nil {
		return nil, err
	}
	r, err := l.common().Result("boss", s, parents)
	if err != nil {
		return nil, err
	}
	r.Report.Steps, r.Report.Stopped = steps, timed.Err() != nil
	rules.AddClass(r, s, parents)
	return r, ctx.Err()
}

// Search makes the searches of the options, until they or ctx end, the first one from an order of a
// structure unless that is nil. It returns the parents of each variable in the best structure, the
// number of steps, and the search over orders, from which others may go on.
func Search(ctx context.Context, l *Options, job *learner.Job, s *score.Cache, rules *network.Rules, start [][]int) (o *orders.Search, parents [][]int, steps int, err error) {
	h := newSearch(l, job, s, rules)
	if start != nil {
		h.begin(0, rules.Sort(graph.Order(start)))
	}
	if err = h.load(); err == nil {
		err = h.run(ctx)
	}
	return h.o, h.parents(), h.Steps, err
}
