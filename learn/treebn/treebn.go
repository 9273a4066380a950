package treebn

import (
	"context"
	"flag"
	"fmt"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/internal/treecpd"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Learner is the learner of Bayesian networks with trees.
var Learner = learner.Learner{
	Name: "treebn",
	Doc:  "Bayesian network with decision trees as CPDs, grown all at once",
	New:  func() learner.Instance { return &instance{} },
}

type instance struct {
	treecpd.Flags
	search     string
	maxParents int
}

func (l *instance) Options(fs *flag.FlagSet) {
	l.Bind(fs, 0)
	fs.StringVar(&l.search, "search", "unified", "what is searched: unified, all trees at once, or encapsulated, edges with trees for each family")
	fs.IntVar(&l.maxParents, "max-parents", 0, "most parents of a variable, 0 for any number")
}

func (l *instance) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	kappas, err := l.Points(job)
	if err != nil {
		return nil, err
	}
	g, err := l.Grower(job.Train)
	if err != nil {
		return nil, err
	}
	if l.maxParents < 0 {
		return nil, fmt.Errorf("at most %d parents; want 0 or more", l.maxParents)
	}
	bound := l.maxParents
	if bound == 0 {
		bound = len(job.Train.Vars)
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	w := &treecpd.Network{Name: "treebn", Kind: model.Bayes, Score: l.Score, Vars: job.Train.Vars}
	switch l.search {
	case "unified":
		unified(timed, job, g, w, kappas, bound)
	case "encapsulated":
		encapsulated(timed, job, g, w, kappas, bound)
	default:
		return nil, fmt.Errorf("unknown search %q; want unified or encapsulated", l.search)
	}
	r, err := w.Result(job)
	if err != nil {
		return nil, err
	}
	r.Report.Stopped = timed.Err() != nil
	return r, ctx.Err()
}
