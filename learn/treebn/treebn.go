package treebn

import (
	"context"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
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
	Score      string  `opt:"score" default:"marginal" help:"score of leaves: marginal, gain, bdeu"`
	Prior      float64 `opt:"prior" default:"1" help:"pseudo-counts: per state of a leaf for score marginal, per leaf for gain, per tree for bdeu"`
	Kappa      string  `opt:"kappa" default:"0.01" help:"prior odds of each parameter, between 0 and 1; of several, as in 0.1,0.01, the validation data choose"`
	MinCount   float64 `opt:"min-count" help:"least total weight of the rows of a leaf"`
	Search     string  `opt:"search" default:"unified" help:"search: unified (all trees at once) or encapsulated (edges, with a tree for each family)" range:"unified|encapsulated" wrong:"unknown search {search}; want unified or encapsulated"`
	MaxParents int     `opt:"max-parents" help:"most parents of a variable; 0 for any number" range:"[0,inf)" wrong:"at most {max-parents} parents; want 0 or more"`
	Prune      bool    `opt:"prune" help:"grow trees on though no split pays by itself, then delete splits that do not pay with those below them"`
	// No edge can be required, since a tree tests the variables that pay.
	Forbid string `opt:"forbid" help:"forbidden edges: a->b,b->c"`
	Allow  string `opt:"allow" help:"the only edges that are allowed: a->b, or a--b for both directions; all if it is empty"`
	Tiers  string `opt:"tiers" help:"tiers of variables, from first to last: a,b<c<d; no edge leads from a later tier to an earlier one, and variables of no tier are free"`
}

// NewOptions returns the default options.
func NewOptions() *Options { return options.New[Options]() }

func (l *Options) shared() *treecpd.Options { return treecpd.Of(l) }

// Learn implements learner.Instance.
func (l *Options) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	return network.Canonical(ctx, job, l.constraints(), false, l.learn)
}

func (l *Options) constraints() learner.Constraints {
	return learner.Constraints{Forbid: l.Forbid, Allow: l.Allow, Tiers: l.Tiers}
}

// learn learns from data in canonical order.
func (l *Options) learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	if err := options.Check(l); err != nil {
		return nil, err
	}
	kappas, err := l.shared().Points(job)
	if err != nil {
		return nil, err
	}
	g, err := l.shared().Grower(job.Train)
	if err != nil {
		return nil, err
	}
	rules, err := network.NewRules(job.Train.Vars, l.constraints(), false)
	if err != nil {
		return nil, err
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	w := &treecpd.Network{Name: "treebn", Kind: model.Bayes, Score: l.Score, Vars: job.Train.Vars}
	if l.Search == "unified" {
		l.unified(timed, job, g, w, kappas, rules)
	} else {
		l.encapsulated(timed, job, g, w, kappas, rules)
	}
	r, err := w.Result(job)
	if err != nil {
		return nil, err
	}
	r.Report.Stopped = timed.Err() != nil
	return r, ctx.Err()
}

// bound returns the most parents of one of n variables.
func (l *Options) bound(n int) int {
	if l.MaxParents == 0 {
		return n
	}
	return l.MaxParents
}
