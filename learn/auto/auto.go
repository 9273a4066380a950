package auto

import (
	"context"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// Learner is the learner that runs if none is named.
var Learner = learner.Learner{
	Name:  "auto",
	Doc:   "the default: ges, boss, tabu search and perturbations",
	New:   func() learner.Instance { return NewOptions() },
	Takes: model.Slices | model.Reals | model.Gaussians | model.Mixed | model.Counts,
}

// Options holds the options of auto. A pointer to Options is the learner.
type Options struct {
	Score string `opt:"score" help:"score of structures: loglik, aic or bic, bge for real variables, k2, bdeu or loocv for discrete ones; the default is bdeu, and bic for data with real variables"`
	learner.Scoring
	MaxParents    int     `opt:"max-parents" default:"5" help:"most parents of a variable"`
	Softmax       float64 `opt:"softmax" help:"let real variables be parents of discrete ones, by softmax CPDs with this penalty, such as 1; 0 is never"`
	Perturbations int     `opt:"perturbations" default:"-1" help:"number of times to move a few random variables in the order and to search again from there; -1 is a million divided by the number of rows, but 200 at most" range:"[-1,inf)" wrong:"perturbations {perturbations}; want a number from 0, or -1"`
	learner.Constraints
}

// NewOptions returns the default options.
func NewOptions() *Options { return options.New[Options]() }

func (l *Options) common() *network.Common { return network.Of(l, "bdeu") }

// perturbations returns the number of perturbations for rows. With more rows, scores take longer,
// and there are fewer local optima.
func (l *Options) perturbations(rows int) int {
	if l.Perturbations >= 0 {
		return l.Perturbations
	}
	return min(200, 1_000_000/max(1, rows))
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
	h := &search{l: l, job: job, s: score.NewCache(s), rules: rules}
	if err := h.run(timed); err != nil {
		return nil, err
	}
	r, err := l.common().Result("auto", s, h.best)
	if err != nil {
		return nil, err
	}
	r.Report.Steps, r.Report.Stopped = h.steps, timed.Err() != nil
	r.Report.Remarks = append(h.remarks, h.gain())
	rules.AddClass(r, s, h.best)
	return r, ctx.Err()
}
