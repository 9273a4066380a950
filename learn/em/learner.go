package em

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// Learner fits the parameters of the initial network, or without one, a mixture: naive Bayes with a
// hidden class.
var Learner = learner.Learner{
	Name:  "em",
	Doc:   "numbers of an initial network by EM, for missing values and hidden variables; without one, clusters of rows, factors, or a hidden Markov model of sequences",
	Takes: model.Slices | model.Reals | model.Gaussians | model.Mixed | model.Givens | model.SoftChildren,
	New:   func() learner.Instance { return NewOptions() },
}

// Options holds the options of the learner em.
type Options struct {
	// One cluster is no class if there are factors.
	Clusters  int     `opt:"clusters" default:"2" help:"number of states of the hidden class, if there is no initial network"`
	Factors   int     `opt:"factors" help:"number of hidden real variables on which the real ones depend, if there is no initial network; factor analysis with one cluster"`
	Prior     string  `opt:"prior" default:"1" help:"pseudo-count of each parameter, or none, k2, bdeu"`
	ESS       float64 `opt:"ess" default:"1" help:"equivalent sample size of prior bdeu"`
	Restarts  int     `opt:"restarts" default:"4" help:"number of further starts, from random parameters"`
	Steps     int     `opt:"steps" default:"500" help:"most steps of a start"`
	Tolerance float64 `opt:"tolerance" default:"1e-8" help:"EM ends if all further steps would gain less than this share of the objective" value:"share"`
	Ascent    bool    `opt:"ascent" help:"use gradient ascent (L-BFGS) instead of EM"`
	// An empty range takes Clusters.
	States     string  `opt:"states" help:"choose the number of states of the hidden class from a range such as 2:6, by cross-validation"`
	StateFolds int     `opt:"state-folds" default:"5" help:"number of folds of this cross-validation"`
	Sticky     float64 `opt:"sticky" help:"of sequences: pseudo-count of each state staying as it was a slice ago" range:"[0,inf]" wrong:"sticky {sticky}; want 0 or more"`
	Right      bool    `opt:"left-to-right" help:"of sequences: the hidden class begins in its first state and never returns to an earlier one"`
}

// NewOptions returns the default options.
func NewOptions() *Options { return options.New[Options]() }

// Learn fits the parameters of a network.
func (l *Options) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	opt := RunOptions{Restarts: l.Restarts, Steps: l.Steps, Tolerance: l.Tolerance, Ascent: l.Ascent}
	var err error
	if opt.Prior, err = mle.ParsePrior(l.Prior, l.ESS); err != nil {
		return nil, err
	}
	switch {
	case opt.Prior.Kind == mle.BDe:
		return nil, fmt.Errorf("prior bde needs a prior network, which the learner em does not take")
	}
	if err := job.Train.Check(); err != nil {
		return nil, err
	}
	if err := l.checkSlices(job); err != nil {
		return nil, err
	}
	if l.States != "" {
		return l.learnStates(ctx, job)
	}
	if job.Train.Sequential() {
		return l.sequences(ctx, job, opt)
	}
	m := job.Init
	if m == nil {
		if m, err = mixture(job.Train.Vars, l.Clusters, l.Factors); err != nil {
			return nil, err
		}
		opt.Random = true
	}
	column, err := mle.Columns(m, job.Train.Vars)
	if err != nil {
		return nil, err
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	fit, err := Run(timed, m, job.Train, column, opt, job)
	if fit == nil {
		return nil, stopped(ctx, timed, err)
	}
	return &learner.Result{Models: []*model.Model{fit.Model}, Report: fit.Report()}, ctx.Err()
}

// stopped returns the error of a fit without a result within the limits of timed.
func stopped(ctx, timed context.Context, err error) error {
	if err != nil && ctx.Err() == nil && timed.Err() != nil {
		return fmt.Errorf("stopped before the first step")
	}
	return err
}

// learnStates learns with the number of states that cross-validation chooses.
func (l *Options) learnStates(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	k, remark, err := l.chooseStates(ctx, job)
	if err != nil {
		return nil, err
	}
	one := *l
	one.States, one.Clusters = "", k
	r, err := one.Learn(ctx, job)
	if r != nil {
		r.Report.Remarks = append([]string{remark}, r.Report.Remarks...)
	}
	return r, err
}

// Report returns the report of the fit.
func (f *Fit) Report() learner.Report {
	best := f.Starts[f.Best]
	r := learner.Report{Score: "loglik", Total: best.LogP, Hidden: f.Hidden, Params: f.params, Stopped: f.Stopped, Starts: f.Starts}
	if f.conditional {
		r.Score = "conditional loglik"
	}
	for i := range f.Families {
		x := f.Model.Factors[i]
		fam := learner.Family{Variable: f.Model.Vars[x.ChildVar()].Name, Parents: []string{}, Score: f.Families[i]}
		for _, u := range x.Parents() {
			fam.Parents = append(fam.Parents, f.Model.Vars[u].Name)
		}
		r.Families = append(r.Families, fam)
	}
	for _, s := range f.Starts {
		r.Steps += s.Steps
	}
	r.Remarks = f.remarks(best)
	return r
}

// remarks reports whether the best start converged and how much the starts differ.
func (f *Fit) remarks(best learner.Start) []string {
	end := "converged"
	if !best.Converged {
		end = "did not converge"
	}
	list := []string{fmt.Sprintf("start %d of %d %s after %d steps, at objective %.4f", f.Best+1, len(f.Starts), end, best.Steps, best.Objective)}
	if len(f.Starts) > 1 {
		worst, same := best.Objective, 0
		for _, s := range f.Starts {
			worst = min(worst, s.Objective)
			if s.Objective >= best.Objective-1e-4*max(1, -best.Objective) {
				same++
			}
		}
		list = append(list, fmt.Sprintf("%d of %d starts ended within 0.01 %% of the best; the worst at %.4f", same, len(f.Starts), worst))
	}
	for _, v := range slices.Sorted(maps.Keys(f.Least)) {
		list = append(list, fmt.Sprintf("the variance of %q is the least that EM allows in %d rows of CPDs: its values are constant there, and the likelihood grows without bound; a prior or a larger min-variance ends that",
			f.Model.Vars[v].Name, f.Least[v]))
	}
	if f.Approximate {
		list = append(list, "the log-likelihood is approximate: of sequences with missing values, real variables that persist have one Gaussian for each joint state of the discrete ones")
	}
	return list
}
