package depnet

import (
	"context"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/internal/treecpd"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Learner learns dependency networks.
var Learner = learner.Learner{
	Name: "depnet",
	Doc:  "dependency network: a decision tree, boosted trees or a logistic regression for each variable given all others",
	New:  func() learner.Instance { return NewOptions() },
}

// Options holds the options of depnet. A pointer to Options is the learner. The default of MinCount
// is that of Libra's dnlearn.
type Options struct {
	Score     string  `opt:"score" default:"marginal" help:"score of leaves: marginal, gain, bdeu"`
	Prior     float64 `opt:"prior" default:"1" help:"pseudo-counts: per state of a leaf for score marginal, per leaf for gain, per tree for bdeu"`
	Kappa     string  `opt:"kappa" default:"0.01" help:"prior odds of each parameter, between 0 and 1; of several, as in 0.1,0.01, the validation data choose"`
	MinCount  float64 `opt:"min-count" default:"10" help:"least total weight of the rows of a leaf"`
	CPD       string  `opt:"cpd" default:"tree" help:"form of the distributions: tree, boosted (sums of small trees, whose number the validation data choose) or logistic; kappa, score and prior apply to tree" range:"tree|boosted|logistic" wrong:"unknown kind of distribution {cpd}; want tree, logistic or boosted"`
	L1        string  `opt:"l1" default:"2" help:"L1 penalty per unit of each logistic weight; of several, as in 1,2,5, the validation data choose"`
	Trees     int     `opt:"trees" default:"500" help:"most boosted trees of a variable, or of each of its states if it has more than two"`
	Depth     int     `opt:"depth" default:"4" help:"most tests on a path of a boosted tree"`
	Shrinkage float64 `opt:"shrinkage" default:"0.1" help:"factor of the step of each boosted tree"`
}

// NewOptions returns the default options.
func NewOptions() *Options { return options.New[Options]() }

func (l *Options) shared() *treecpd.Options { return treecpd.Of(l) }

// Learn implements learner.Instance.
func (l *Options) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	if err := options.Check(l); err != nil {
		return nil, err
	}
	switch l.CPD {
	case "logistic":
		return l.logistic(ctx, job)
	case "boosted":
		return l.boosted(ctx, job)
	}
	return l.trees(ctx, job)
}

// trees learns a network of trees.
func (l *Options) trees(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	kappas, err := l.shared().Points(job)
	if err != nil {
		return nil, err
	}
	g, err := l.shared().Grower(job.Train)
	if err != nil {
		return nil, err
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	trees, steps := grow(timed, job, g, treecpd.Least(kappas[len(kappas)-1]))
	w := &treecpd.Network{Name: "depnet", Kind: model.Dependency, Score: l.Score, Vars: job.Train.Vars, Steps: steps}
	for _, k := range kappas {
		w.Path = append(w.Path, treecpd.Point{Kappa: k, Trees: trees, Keep: treecpd.Above(treecpd.Least(k))})
	}
	r, err := w.Result(job)
	if err != nil {
		return nil, err
	}
	r.Report.Stopped = timed.Err() != nil
	return r, ctx.Err()
}

// grow grows a tree for each variable until ctx ends, and counts the splits.
func grow(ctx context.Context, job *learner.Job, g *treecpd.Grower, least float64) (trees []*treecpd.Tree, steps int) {
	tell := job.Counter(len(job.Train.Vars))
	trees = make([]*treecpd.Tree, len(job.Train.Vars))
	learner.Each(job.Cores, len(trees), func(x int) {
		trees[x] = g.Root(x)
		g.Finder().Grow(ctx, trees[x], least, func(int) bool { return true })
		tell()
	})
	for _, t := range trees {
		steps += t.Size(treecpd.All).Splits
	}
	return trees, steps
}
