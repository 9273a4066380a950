package depnet

import (
	"context"
	"flag"
	"fmt"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/internal/boost"
	"github.com/pgmc-go/pgmc/learn/internal/treecpd"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Learner is the learner of dependency networks.
var Learner = learner.Learner{
	Name: "depnet",
	Doc:  "dependency network: a decision tree, boosted trees or a logistic regression for each variable given all others",
	New:  func() learner.Instance { return &instance{} },
}

// minCount is the least weight of a leaf: that of Libra's dnlearn.
const minCount = 10

type instance struct {
	treecpd.Flags
	cpd, l1 string
	boost   boost.Options
}

func (l *instance) Options(fs *flag.FlagSet) {
	l.Bind(fs, minCount)
	fs.StringVar(&l.cpd, "cpd", "tree", "what distributions are: tree; boosted, small trees added up until the validation data have enough of them; or logistic; kappa, score and prior are for tree")
	fs.StringVar(&l.l1, "l1", "2", "penalty for each unit of a logistic weight; of several, as in 1,2,5, the validation data choose")
	fs.IntVar(&l.boost.Trees, "trees", 500, "most boosted trees of a variable, or of each of its states where there are more than two")
	fs.IntVar(&l.boost.Depth, "depth", 4, "most tests on the way to a leaf of a boosted tree")
	fs.Float64Var(&l.boost.Shrinkage, "shrinkage", 0.1, "share of the best step that a boosted tree makes")
}

func (l *instance) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	switch l.cpd {
	case "tree":
		return l.trees(ctx, job)
	case "logistic":
		return l.logistic(ctx, job)
	case "boosted":
		return l.boosted(ctx, job)
	}
	return nil, fmt.Errorf("unknown kind of distribution %q; want tree, logistic or boosted", l.cpd)
}

// trees learns a network of trees.
func (l *instance) trees(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	kappas, err := l.Points(job)
	if err != nil {
		return nil, err
	}
	g, err := l.Grower(job.Train)
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

// grow grows a tree for each variable, as far as ctx lets it, and counts the splits.
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
