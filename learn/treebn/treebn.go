package treebn

import (
	"context"
	"flag"
	"fmt"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/internal/treecpd"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Learner learns Bayesian networks with trees.
var Learner = learner.Learner{
	Name: "treebn",
	Doc:  "Bayesian network with decision trees as CPDs, grown all at once",
	New:  func() learner.Instance { return NewOptions() },
}

// Options holds the options of treebn. A pointer to Options is the learner.
type Options struct {
	Score string // score of leaves: marginal, gain or bdeu
	// Prior is the pseudo-count: per state of a leaf for score marginal, per leaf for gain, per
	// tree for bdeu.
	Prior float64
	// Kappa holds the prior odds of each parameter, between 0 and 1; of several, as in 0.1,0.01,
	// the validation data choose.
	Kappa    string
	MinCount float64 // least total weight of the rows of a leaf
	// Search is the kind of search: unified (all trees at once) or encapsulated (edges, with a tree
	// for each family).
	Search     string
	MaxParents int // most parents of a variable; 0 for any number
	// Forbid lists edges that are forbidden, a->b,b->c. None can be required, since a tree tests the
	// variables that pay.
	Forbid string
	// Tiers lists variables from the first tier to the last, a,b<c<d: no edge leads from a later tier
	// to an earlier one.
	Tiers string
}

// NewOptions returns the default options.
func NewOptions() *Options {
	return &Options{
		Score: treecpd.Marginal, Prior: 1, Kappa: "0.01", Search: "unified",
	}
}

// Bind declares the flags of the options.
func (l *Options) Bind(fs *flag.FlagSet) {
	treecpd.Bind(fs, &l.Score, &l.Prior, &l.Kappa, &l.MinCount)
	fs.StringVar(&l.Search, "search", l.Search, "search: unified (all trees at once) or encapsulated (edges, with a tree for each family)")
	fs.IntVar(&l.MaxParents, "max-parents", l.MaxParents, "most parents of a variable; 0 for any number")
	network.BindForbidden(fs, &l.Forbid, &l.Tiers)
}

func (l *Options) shared() *treecpd.Options {
	return &treecpd.Options{Score: l.Score, Prior: l.Prior, Kappa: l.Kappa, MinCount: l.MinCount}
}

// Learn implements learner.Instance.
func (l *Options) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	kappas, err := l.shared().Points(job)
	if err != nil {
		return nil, err
	}
	g, err := l.shared().Grower(job.Train)
	if err != nil {
		return nil, err
	}
	if l.MaxParents < 0 {
		return nil, fmt.Errorf("at most %d parents; want 0 or more", l.MaxParents)
	}
	rules, err := network.NewRules(job.Train.Vars, network.Constraints{Forbid: l.Forbid, Tiers: l.Tiers}, false)
	if err != nil {
		return nil, err
	}
	bound := l.MaxParents
	if bound == 0 {
		bound = len(job.Train.Vars)
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	w := &treecpd.Network{Name: "treebn", Kind: model.Bayes, Score: l.Score, Vars: job.Train.Vars}
	switch l.Search {
	case "unified":
		unified(timed, job, g, w, kappas, rules, bound)
	case "encapsulated":
		encapsulated(timed, job, g, w, kappas, rules, bound)
	default:
		return nil, fmt.Errorf("unknown search %q; want unified or encapsulated", l.Search)
	}
	r, err := w.Result(job)
	if err != nil {
		return nil, err
	}
	r.Report.Stopped = timed.Err() != nil
	return r, ctx.Err()
}
