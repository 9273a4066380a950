package depnet

import (
	"context"
	"flag"
	"fmt"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/internal/treecpd"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Learner learns dependency networks.
var Learner = learner.Learner{
	Name: "depnet",
	Doc:  "dependency network: a decision tree, boosted trees or a logistic regression for each variable given all others",
	New:  func() learner.Instance { return NewOptions() },
}

// minCount is the default of MinCount, that of Libra's dnlearn.
const minCount = 10

// Options holds the options of depnet. A pointer to Options is the learner.
type Options struct {
	Score string // score of leaves: marginal, gain or bdeu
	// Prior is the pseudo-count: per state of a leaf for score marginal, per leaf for gain, per
	// tree for bdeu.
	Prior float64
	// Kappa holds the prior odds of each parameter, between 0 and 1; of several, as in 0.1,0.01,
	// the validation data choose.
	Kappa    string
	MinCount float64 // least total weight of the rows of a leaf
	// CPD is the form of the distributions: tree, boosted (sums of small trees, whose number the
	// validation data choose) or logistic. Kappa, Score and Prior apply to tree.
	CPD string
	// L1 is the L1 penalty per unit of each logistic weight; of several, as in 1,2,5, the
	// validation data choose.
	L1 string
	// Trees is the most boosted trees of a variable, or of each of its states if it has more than
	// two.
	Trees     int
	Depth     int     // most tests on a path of a boosted tree
	Shrinkage float64 // factor of the step of each boosted tree
}

// NewOptions returns the default options.
func NewOptions() *Options {
	return &Options{
		Score: treecpd.Marginal, Prior: 1, Kappa: "0.01", MinCount: minCount, CPD: "tree",
		L1: "2", Trees: 500, Depth: 4, Shrinkage: 0.1,
	}
}

// Bind declares the flags of the options.
func (l *Options) Bind(fs *flag.FlagSet) {
	treecpd.Bind(fs, &l.Score, &l.Prior, &l.Kappa, &l.MinCount)
	fs.StringVar(&l.CPD, "cpd", l.CPD, "form of the distributions: tree, boosted (sums of small trees, whose number the validation data choose) or logistic; kappa, score and prior apply to tree")
	fs.StringVar(&l.L1, "l1", l.L1, "L1 penalty per unit of each logistic weight; of several, as in 1,2,5, the validation data choose")
	fs.IntVar(&l.Trees, "trees", l.Trees, "most boosted trees of a variable, or of each of its states if it has more than two")
	fs.IntVar(&l.Depth, "depth", l.Depth, "most tests on a path of a boosted tree")
	fs.Float64Var(&l.Shrinkage, "shrinkage", l.Shrinkage, "factor of the step of each boosted tree")
}

func (l *Options) shared() *treecpd.Options {
	return &treecpd.Options{Score: l.Score, Prior: l.Prior, Kappa: l.Kappa, MinCount: l.MinCount}
}

// Learn implements learner.Instance.
func (l *Options) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	switch l.CPD {
	case "tree":
		return l.trees(ctx, job)
	case "logistic":
		return l.logistic(ctx, job)
	case "boosted":
		return l.boosted(ctx, job)
	}
	return nil, fmt.Errorf("unknown kind of distribution %q; want tree, logistic or boosted", l.CPD)
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
