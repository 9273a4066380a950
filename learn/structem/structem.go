package structem

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/em"
	"github.com/pgmc-go/pgmc/learn/hillclimb"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// Learner is structural EM by hill climbing.
var Learner = learner.Learner{
	Name:  "structem",
	Doc:   "hill climbing on rows that miss values, completed by what was learned before (structural EM)",
	Takes: model.Reals | model.Gaussians | model.Mixed,
	New:   func() learner.Instance { return NewOptions() },
}

// Options holds the options of structem. A pointer to Options is the learner.
type Options struct {
	hillclimb.Options
	Rounds  int `opt:"rounds" default:"10" help:"most rounds of completion and search" range:"[1,inf)" wrong:"{rounds} rounds, {em-steps} steps of EM, {draws} draws; want numbers from 1"`
	EMSteps int `opt:"em-steps" default:"5" help:"number of EM steps in a round" range:"[1,inf)" wrong:"=rounds"`
	Draws   int `opt:"draws" default:"10" help:"number of completions of a row; a row that has no more gets all of them, weighted by their probabilities" range:"[1,inf)" wrong:"=rounds"`
}

// NewOptions returns the default options.
func NewOptions() *Options { return options.New[Options]() }

// hiddenStarts is the number of random starts of the first round, besides the parameters of the
// network, if variables are hidden. EM never leaves parameters that are symmetric in the states of
// a hidden variable.
const hiddenStarts = 4

// round is the state between two rounds.
type round struct {
	job    *learner.Job
	opt    em.RunOptions
	vars   []data.Var // variables of the model, including hidden ones
	hidden []bool     // by variable: it has no column
}

// Learn implements learner.Instance.
func (l *Options) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	if job.Init == nil {
		return network.Of(l, "bdeu").Canonical(ctx, job, l.learn)
	}
	return job.Canonical(ctx, false, l.learn)
}

// learn learns from data in canonical order.
func (l *Options) learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	if err := options.Check(l); err != nil {
		return nil, err
	}
	if l.Softmax != 0 {
		return nil, fmt.Errorf("structem takes no softmax CPDs, whose hidden parents have no closed form; leave out softmax")
	}
	prior, err := mle.ParsePrior(strconv.FormatFloat(l.Prior, 'g', -1, 64), 0)
	if err != nil {
		return nil, err
	}
	prior.Discrete = true // the search fits Gaussian CPDs by maximum likelihood too
	m, err := begin(job)
	if err != nil {
		return nil, err
	}
	r := &round{job: job, opt: em.RunOptions{Options: mle.Options{Prior: prior}, Steps: l.EMSteps}}
	r.take(m)
	timed, cancel := job.Limit(ctx)
	defer cancel()
	count := 0
	for stays := false; count < l.Rounds && !stays; count++ {
		next, err := l.round(timed, r, m, count)
		if timed.Err() != nil {
			break
		}
		if err != nil {
			return nil, err
		}
		stays = sameStructure(m, next)
		m = next
		job.ReportProgress(learner.Event{Done: count + 1, Total: l.Rounds})
	}
	return l.finish(ctx, timed, r, m, count)
}

// begin returns the initial network, or one of independent variables.
func begin(job *learner.Job) (*model.Model, error) {
	if job.Init != nil {
		if _, err := network.Start(job); err != nil {
			return nil, err
		}
		return job.Init, nil
	}
	m := &model.Model{Name: "structem"}
	for _, v := range job.Train.Vars {
		if v.Real {
			id := m.NewReal(v.Name).ID
			m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{id}, Dist: &model.Gaussian{Mean: []float64{0}, Var: []float64{1}}})
			continue
		}
		id := m.NewVar(v.Name, v.States...).ID
		even := slices.Repeat([]float64{1 / float64(len(v.States))}, len(v.States))
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{id}, Dist: &model.Table{Values: even}})
	}
	return m, nil
}

// take sets the variables to a network's.
func (r *round) take(m *model.Model) {
	for _, v := range m.Vars {
		r.vars = append(r.vars, data.Var{Name: v.Name, States: m.States(v.ID), Real: m.IsReal(v.ID)})
		r.hidden = append(r.hidden, v.Latent)
	}
}

// round runs one round: fit, completion and search.
func (l *Options) round(ctx context.Context, r *round, m *model.Model, count int) (*model.Model, error) {
	opt := r.opt
	if count == 0 && slices.Contains(r.hidden, true) {
		opt.Restarts = hiddenStarts
	}
	m, err := r.fit(ctx, m, opt)
	if err != nil {
		return nil, err
	}
	set, err := r.complete(ctx, m, l.Draws)
	if err != nil {
		return nil, err
	}
	job := &learner.Job{Train: set, Init: m, Seed: r.job.Seed + uint64(count), Cores: r.job.Cores, MaxMem: r.job.MaxMem, Prior: r.job.Prior, Structure: r.job.Structure}
	found, err := l.Options.Learn(ctx, job)
	if err != nil {
		return nil, err
	}
	next := found.Models[0]
	next.Name = m.Name
	for v, hidden := range r.hidden {
		next.Vars[v].Latent = hidden
	}
	return next, nil
}

// fit runs EM from the parameters of m, which the search estimated from completed rows.
func (r *round) fit(ctx context.Context, m *model.Model, opt em.RunOptions) (*model.Model, error) {
	column, err := mle.Columns(m, r.job.Train.Vars)
	if err != nil {
		return nil, err
	}
	quiet := *r.job
	quiet.Progress = nil
	fit, err := em.Run(ctx, m, r.job.Train, column, opt, &quiet)
	if err != nil {
		return nil, err
	}
	return fit.Model, nil
}

// finish fits the parameters until convergence.
func (l *Options) finish(ctx, timed context.Context, r *round, m *model.Model, count int) (*learner.Result, error) {
	column, err := mle.Columns(m, r.job.Train.Vars)
	if err != nil {
		return nil, err
	}
	opt := r.opt
	opt.Steps = 0
	stopped := timed.Err() != nil
	if stopped { // evaluates the rows once, for the report
		opt.Steps = 1
		timed = context.WithoutCancel(ctx)
	}
	fit, err := em.Run(timed, m, r.job.Train, column, opt, r.job)
	if fit == nil {
		return nil, err
	}
	report := fit.Report()
	report.Steps, report.Stopped = count, stopped || fit.Stopped
	report.Remarks = append(report.Remarks, fmt.Sprintf("the structure is that of round %d of at most %d", count, l.Rounds))
	return &learner.Result{Models: []*model.Model{fit.Model}, Report: report}, ctx.Err()
}

// sameStructure reports whether all variables have the same parents, in any order.
func sameStructure(a, b *model.Model) bool {
	for _, v := range a.Vars {
		p, q := a.CPD(v.ID).Parents(), b.CPD(v.ID).Parents()
		slices.Sort(p)
		slices.Sort(q)
		if !slices.Equal(p, q) {
			return false
		}
	}
	return true
}
