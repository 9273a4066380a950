package depnet

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/logistic"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// logistic learns a network of logistic regressions, anew for each penalty.
func (l *Options) logistic(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	penalties, err := learner.Penalties(l.L1, false)
	switch {
	case err != nil:
		return nil, err
	case len(penalties) > 1 && job.Valid == nil:
		return nil, fmt.Errorf("%d penalties, %s, without validation data to choose by; want validation data or one penalty", len(penalties), strings.TrimSpace(l.L1))
	}
	if err := job.Train.Check(); err != nil {
		return nil, err
	}
	d, err := logistic.New(job.Train)
	if err != nil {
		return nil, err
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	var points []learner.Point
	var results []*learner.Result
	for _, l1 := range penalties {
		r, err := regressions(timed, job, d, l1)
		if err != nil {
			return nil, err
		}
		p := learner.Point{L1: l1, Params: r.Report.Params}
		if job.Valid != nil {
			mean, err := pseudo(r.Models[0], job.Valid)
			if err != nil {
				return nil, err
			}
			p.Valid = &mean
		}
		points, results = append(points, p), append(results, r)
	}
	best, remarks := learner.Choose(points)
	r := results[best]
	r.Report.Path, r.Report.Remarks, r.Report.Stopped = points, remarks, timed.Err() != nil
	return r, ctx.Err()
}

// regressions fits a distribution for each variable until ctx ends.
func regressions(ctx context.Context, job *learner.Job, d *logistic.Data, l1 float64) (*learner.Result, error) {
	vars := job.Train.Vars
	cpds := make([]logistic.CPD, len(vars))
	tell := job.Counter(len(vars))
	learner.Each(job.Cores, len(vars), func(x int) {
		cpds[x] = d.Fit(ctx, x, l1)
		tell()
	})
	return network("loglik-l1", vars, cpds)
}

// network returns the network of the distributions, with the report.
func network(score string, vars []data.Var, cpds []logistic.CPD) (*learner.Result, error) {
	m := &model.Model{Name: "depnet", Kind: model.Dependency}
	r := learner.Report{Score: score}
	for x, c := range cpds {
		m.NewVar(vars[x].Name, vars[x].States...)
		m.Factors = append(m.Factors, c.Factor)
		f := learner.Family{Variable: vars[x].Name, Parents: []string{}, Score: c.Score}
		for _, v := range c.Others {
			f.Parents = append(f.Parents, vars[v].Name)
		}
		r.Families = append(r.Families, f)
		r.Total += c.Score
		r.Params += c.Params
	}
	if list := m.Check(); list.HasErrors() {
		return nil, list.Err()
	}
	return &learner.Result{Models: []*model.Model{m}, Report: r}, nil
}

// pseudo returns the mean pseudo-log-likelihood of the complete rows.
func pseudo(m *model.Model, s *data.Set) (float64, error) {
	r, err := rate.NewRows(m)
	if err != nil {
		return 0, err
	}
	var mean rate.Mean
	row := make([]int, len(s.Vars))
	for i := range s.Len() {
		if s.Row(i, row); !slices.Contains(row, data.Missing) {
			mean.Add(r.Pseudo(row), s.Weight(i))
		}
	}
	return mean.Value, nil
}
