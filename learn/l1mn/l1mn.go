package l1mn

import (
	"context"
	"time"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/internal/logistic"
	"github.com/pgmc-go/pgmc/learn/internal/pseudo"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Learner learns pairwise Markov networks.
var Learner = learner.Learner{
	Name: "l1mn",
	Doc:  "pairwise Markov network by L1 logistic regressions (Ravikumar), its weights by pseudo-likelihood",
	New:  func() learner.Instance { return NewOptions() },
}

// Options holds the options of l1mn. A pointer to Options is the learner.
type Options struct {
	L1             string  `opt:"l1" default:"2" help:"L1 penalty per unit of each weight of the regressions, in nats; of several, as in 1,2,5, the validation data choose"`
	WeightVariance float64 `opt:"weight-variance" default:"1" help:"variance of the Gaussian prior of each weight; 0 for none"`
	Steps          int     `opt:"steps" default:"100" help:"most iterations of the fit"`
	Tolerance      float64 `opt:"tolerance" default:"1e-6" help:"relative change of the objective in one iteration below which the fit ends"`
	Join           string  `opt:"join" default:"or" help:"two variables are joined if they have a weight in either regression (or), or in both (and)" range:"or|and" wrong:"unknown rule {join} to join variables; want or, or and"`
}

// NewOptions returns the default options.
func NewOptions() *Options { return options.New[Options]() }

func (l *Options) shared() *pseudo.Options { return pseudo.Of(l) }

// Learn implements learner.Instance.
func (l *Options) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	return job.Canonical(ctx, true, l.learn)
}

// learn learns from data in canonical order.
func (l *Options) learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	if err := options.Check(l); err != nil {
		return nil, err
	}
	penalties, err := l.shared().Penalties(job, false)
	if err != nil {
		return nil, err
	}
	d, err := logistic.New(job.Train)
	if err != nil {
		return nil, err
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	best, points, remarks, err := pseudo.Path(job, penalties, func(l1 float64, _ *pseudo.Fit) (*pseudo.Fit, error) {
		f, err := l.shared().Fit(timed, job, l.features(timed, job, d, l1), 0)
		if err == nil {
			f.L1 = l1
		}
		return f, err
	})
	if err != nil {
		return nil, err
	}
	r, err := best.Result(best.Model("l1mn", job.Train.Vars), job.Train.Vars, points, remarks)
	if err != nil {
		return nil, err
	}
	return r, ctx.Err()
}

// weight identifies a weight of the regressions: the weight of a state of a variable if another
// variable has a given state, or of a constant if other is -1.
type weight struct{ v, state, other, has int }

// features are the features of the pairs that regressions with a penalty join. Each weight begins
// with the mean of its values in the two regressions, as far as these finish within half of the
// remaining time. The rest of the time is for fitting all weights together.
func (l *Options) features(ctx context.Context, job *learner.Job, d *logistic.Data, l1 float64) []pseudo.Feature {
	if end, ok := ctx.Deadline(); ok {
		half, cancel := context.WithTimeout(ctx, time.Until(end)/2)
		defer cancel()
		ctx = half
	}
	vars := job.Train.Vars
	cpds, reached := make([]logistic.CPD, len(vars)), make([]bool, len(vars))
	tell := job.Counter(len(vars))
	learner.Each(job.Cores, len(vars), func(v int) {
		reached[v] = ctx.Err() == nil
		cpds[v] = d.Fit(ctx, v, l1)
		tell()
	})
	weights := map[weight]float64{}
	joined := map[[2]int]int{} // how many regressions join a pair, the smaller number first
	for v, c := range cpds {
		for _, u := range c.Others {
			joined[[2]int{min(u, v), max(u, v)}]++
		}
		for _, x := range c.Factor.Dist.(*model.Features).List {
			w := weight{v, int(x.Literals[0].State), -1, 0}
			if len(x.Literals) > 1 {
				w.other, w.has = int(c.Factor.Scope[x.Literals[1].Axis]), int(x.Literals[1].State)
			}
			weights[w] = x.Weight
		}
	}
	list := pseudo.States(job.Train)
	for i := range list {
		if t := list[i].Tests[0]; reached[t.Var] {
			list[i].Weight = weights[weight{t.Var, t.State, -1, 0}]
		}
	}
	least := 1
	if l.Join == "and" {
		least = 2
	}
	for v := range vars {
		for u := range v {
			if joined[[2]int{u, v}] < least {
				continue
			}
			for _, f := range pseudo.Pairs(vars, u, v) {
				a, b := f.Tests[0].State, f.Tests[1].State
				f.Weight = weights[weight{u, a, v, b}] + weights[weight{v, b, u, a}]
				if reached[u] && reached[v] {
					f.Weight /= 2
				}
				list = append(list, f)
			}
		}
	}
	return list
}
