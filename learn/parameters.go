package learn

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/em"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// ParameterOptions configure how the parameters of a network are fitted.
type ParameterOptions struct {
	em.RunOptions      // only the options of package mle apply without EM
	EM            bool // use rows that miss values, and variables without a column
	Identify      bool // with EM: report which parameters the rows determine
	Update        bool // add to the counts that are stored in the network

	// Of a network with a transition:
	Ties   Ties    // the CPDs of slice 0 that share the numbers of later slices
	Sticky float64 // pseudo-count of each state of a variable that was in it a slice ago, in tables
}

// fits are the ways in which FitParameters works, with the traits of networks that they take.
var fits = []model.Taker{
	{Name: "fitting by counts", Takes: model.Cycles | model.Reals | model.Gaussians | model.Mixed | model.Givens | model.SoftChildren},
	{Name: "fitting by EM", Takes: model.Reals | model.Gaussians | model.Mixed | model.Givens | model.SoftChildren},
	{Name: "fitting by EM over sequences", Takes: model.Slices | model.Diffuses | model.Reals | model.Gaussians | model.Mixed | model.Givens},
	{Name: "fitting by counts of sequences", Takes: model.Slices | model.Diffuses | model.Reals | model.Gaussians | model.Mixed | model.Givens},
	{Name: "fitting by conditional likelihood", Takes: model.Reals | model.Gaussians | model.Mixed | model.Givens},
	{Name: "fitting by conditional likelihood of sequences", Takes: model.Slices | model.Reals | model.Gaussians | model.Mixed | model.Givens},
}

// way returns the way to fit, of sequences or of rows.
func (o *ParameterOptions) way(sequences bool) *model.Taker {
	switch {
	case o.Conditional != nil && sequences:
		return &fits[5]
	case o.Conditional != nil:
		return &fits[4]
	case o.EM && sequences:
		return &fits[2]
	case sequences:
		return &fits[3]
	case o.EM:
		return &fits[1]
	}
	return &fits[0]
}

// FitParameters fits the parameters of job.Init to job.Train; the structure stays. Without EM, a
// row that misses a value of a family is left out of the counts of that family, and each variable
// needs a column. If ctx ends, FitParameters returns the best result so far, if there is one, with
// the error of ctx.
//
// With Conditional, the parameters maximise the conditional likelihood of some variables given all
// others, and missing values are summed out. job.Init may then be a Markov network: the weights of
// its features are fitted.
//
// A set of counts in place of rows suits fits without EM and Conditional, see [data.NewCounted].
func FitParameters(ctx context.Context, job *learner.Job, opt ParameterOptions) (r *learner.Result, err error) {
	defer data.RecoverSource(&err)
	m := job.Init
	if job.Train.Counted() && (opt.EM || opt.Conditional != nil || m.Transition != nil) {
		return nil, fmt.Errorf("%s needs rows, and the data has counts in place of them", opt.way(m.Transition != nil).Name)
	}
	if opt.Conditional != nil && opt.Update {
		return nil, fmt.Errorf("a conditional fit keeps no counts to add rows to; want all rows together")
	}
	if m.Kind == model.Markov && opt.Conditional == nil {
		return nil, fmt.Errorf("%s: the model is a %v; want a Bayesian network, or without EM a dependency network", m.File, m.Kind)
	}
	if opt.Identify && (m.Transition != nil || opt.Update) {
		return nil, fmt.Errorf("identifiability is computed from rows in no sequence, and from all of them; want a network without a transition, and no earlier counts")
	}
	if m.Transition != nil {
		return fitSequences(ctx, job, opt)
	}
	by := opt.way(false)
	if err := model.Refuse("", by.Name, by.Takes, m.Needs(), fits); err != nil {
		return nil, err
	}
	column, err := mle.Columns(m, job.Train.Vars)
	if err != nil {
		return nil, err
	}
	if m.Kind == model.Markov {
		return climbed(ctx, job, column, opt, em.RunMarkov)
	}
	est, err := mle.New(m, opt.RunOptions.Options)
	if err != nil {
		return nil, err
	}
	var earlier mle.Counts
	if opt.Update {
		if earlier, err = est.Kept(m); err != nil {
			return nil, err
		}
	} else if job.Train.Len() == 0 {
		return nil, errNoRows
	}
	if !opt.EM && opt.Conditional == nil {
		return fitCounts(m, est, job.Train, column, earlier)
	}
	opt.Earlier = earlier
	return climbed(ctx, job, column, opt, em.Run)
}

// climbed returns the result of a fit in steps by run, within the limits of the job.
func climbed(ctx context.Context, job *learner.Job, column []int, opt ParameterOptions,
	run func(context.Context, *model.Model, *data.Set, []int, em.RunOptions, *learner.Job) (*em.Fit, error)) (*learner.Result, error) {
	if job.Train.Len() == 0 && opt.Earlier == nil {
		return nil, errNoRows
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	fit, err := run(timed, job.Init, job.Train, column, opt.RunOptions, job)
	r, err := fitted(ctx, timed, fit, err)
	if err != nil || !opt.Identify {
		return r, err
	}
	if r.Report.Identified, err = em.Identify(ctx, r.Models[0], job.Train, column, opt.Options, job); err != nil {
		r.Report.Stopped = true
		return r, err
	}
	r.Report.Remarks = append(r.Report.Remarks, r.Report.Identified.String())
	return r, nil
}

// errNoRows reports data without rows.
var errNoRows = errors.New("the data has no rows; want at least one")

// fitted returns the result of EM within the limits of timed, or its error.
func fitted(ctx, timed context.Context, fit *em.Fit, err error) (*learner.Result, error) {
	switch {
	case fit != nil:
		return &learner.Result{Models: []*model.Model{fit.Model}, Report: fit.Report()}, ctx.Err()
	case ctx.Err() == nil && timed.Err() != nil:
		return nil, fmt.Errorf("stopped before the first step")
	}
	return nil, err
}

// fitCounts fits to the counts of complete families.
func fitCounts(m *model.Model, est *mle.Estimator, s *data.Set, column []int, earlier mle.Counts) (*learner.Result, error) {
	if err := observed(m, s, column); err != nil {
		return nil, err
	}
	n, missed, err := est.Count(s, column)
	if err != nil {
		return nil, err
	}
	if earlier != nil {
		est.Add(n, earlier)
	}
	fitted := est.Complete(n, m)
	est.Keep(fitted, n)
	soft, err := est.FitSoftmax(fitted, s, column, missed)
	if err != nil {
		return nil, err
	}
	return complete(m, est, fitted, n, missed, soft)
}

// observed returns an error if no row has a value of some variable.
func observed(m *model.Model, s *data.Set, column []int) error {
	var without []string
	for v, c := range column {
		if c < 0 || s.Empty(c) {
			without = append(without, m.Vars[v].Name)
		}
	}
	if without != nil {
		return fmt.Errorf("no row has a value of %s; EM fits variables that are hidden", list(without))
	}
	return nil
}

// complete returns the result of a fit to counts. missed is the weight of the rows that they leave
// out, and soft the log-likelihood of softmax CPDs, both by factor.
func complete(m *model.Model, est *mle.Estimator, fitted *model.Model, n mle.Counts, missed, soft []float64) (*learner.Result, error) {
	r := learner.Report{Score: "loglik", Params: est.Params()}
	for i, f := range m.Factors {
		x := learner.Family{Variable: m.Vars[f.ChildVar()].Name, Parents: []string{}, Score: est.LogLikelihood(i, n, fitted) + soft[i]}
		if math.IsInf(x.Score, -1) {
			return nil, fmt.Errorf("rows have values of %q that its CPD makes impossible for certain, whatever is fitted; correct the rows or the CPD", x.Variable)
		}
		for _, u := range f.Parents() {
			x.Parents = append(x.Parents, m.Vars[u].Name)
		}
		r.Families = append(r.Families, x)
		r.Total += x.Score
	}
	r.Remarks = append(remarks(m, est, fitted, n, missed), learned(m, est.Learned(n, fitted))...)
	r.Remarks = append(r.Remarks, predictive(m, est.Posteriors(n))...)
	return &learner.Result{Models: []*model.Model{fitted}, Report: r}, nil
}

// HasHidden reports whether no row has a value of some variable of a network. The result of EM
// then depends on its start, so that restarts help.
func HasHidden(m *model.Model, rows *data.Set) bool {
	if len(rows.Vars) < len(m.Vars) || rows.Len() == 0 {
		return true
	}
	for v := range rows.Vars {
		if rows.Empty(v) {
			return true
		}
	}
	return false
}

// remarks reports where the data were too few.
func remarks(m *model.Model, est *mle.Estimator, fitted *model.Model, n mle.Counts, missed []float64) (out []string) {
	if rows, none := est.Sparse(n, fitted); none > 0 {
		out = append(out, fmt.Sprintf("%d of %d rows of CPDs have no data", none, rows))
	}
	var collinear []string
	for i, k := range est.Dropped(n) {
		if k > 0 {
			collinear = append(collinear, fmt.Sprintf("%d of %s", k, m.Vars[m.Factors[i].ChildVar()].Name))
		}
	}
	if collinear != nil {
		out = append(out, "coefficients of parents that are constant or linear functions of other parents are 0: "+list(collinear))
	}
	var left []string
	for i, w := range missed {
		if w > 0 {
			left = append(left, fmt.Sprintf("%v of %s", w, m.Vars[m.Factors[i].ChildVar()].Name))
		}
	}
	if left != nil {
		out = append(out, "rows that miss values were left out of counts: "+list(left)+"; EM takes them in")
	}
	return out
}

// learned describes learned priors. One of a single row says nothing.
func learned(m *model.Model, list []mle.SharedPrior) (out []string) {
	const most = 10
	for _, x := range list {
		if x.Rows < 2 {
			continue
		}
		var names, mean []string
		for _, v := range x.Vars {
			names = append(names, m.Vars[v].Name)
		}
		for s, state := range m.States(x.Vars[0]) {
			mean = append(mean, fmt.Sprintf("%s %.4g", state, x.Alpha[s]/x.Size()))
		}
		of := fmt.Sprintf("prior of %s: %.6g rows, mean %s", strings.Join(names, ", "), x.Size(), strings.Join(mean, ", "))
		if x.Pooled {
			of += "; pooled, since its rows do not differ"
		}
		out = append(out, fmt.Sprintf("%s; ln P of the rows %.4f", of, x.LogML))
	}
	if more := len(out) - most; more > 0 {
		out = append(out[:most], fmt.Sprintf("and priors of %d more", more))
	}
	return out
}

// predictive describes the predictive distributions of variables without parents.
func predictive(m *model.Model, posteriors [][]mle.Posterior) (out []string) {
	for i, rows := range posteriors {
		if len(rows) == 1 && len(m.Factors[i].Scope) == 1 {
			t := rows[0].Predictive()
			out = append(out, fmt.Sprintf("%s in a further row: Student's t at %.6g, scale %.6g, %v degrees of freedom", m.Vars[m.Factors[i].ChildVar()].Name, t.Mu, t.Sigma, t.Nu))
		}
	}
	return out
}

// list names the first few of some variables.
func list(names []string) string {
	const most = 5
	if more := len(names) - most; more > 0 {
		names = append(slices.Clone(names[:most]), fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}
