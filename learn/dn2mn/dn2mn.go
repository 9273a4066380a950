package dn2mn

import (
	"context"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/depnet"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// Learner converts dependency networks to Markov networks.
var Learner = learner.Learner{
	Name:  "dn2mn",
	Doc:   "Markov network from an initial dependency network, or from one that depnet learns",
	New:   func() learner.Instance { return NewOptions() },
	Takes: model.Cycles,
}

// Options is the learner; it has no options.
type Options struct{}

// NewOptions returns the default options.
func NewOptions() *Options { return options.New[Options]() }

// Learn implements learner.Instance.
func (l *Options) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	dn := job.Init
	if dn == nil {
		r, err := depnet.NewOptions().Learn(ctx, job)
		if err != nil {
			return nil, err
		}
		dn = r.Models[0]
	}
	if err := check(dn, job.Train); err != nil {
		return nil, err
	}
	m, err := convert(dn, frequencies(job.Train))
	if err != nil {
		return nil, err
	}
	if list := m.Check(); list.HasErrors() {
		return nil, list.Err()
	}
	report, err := ratePseudo(ctx, m, job.Train)
	if err != nil {
		return nil, err
	}
	return &learner.Result{Models: []*model.Model{m}, Report: report}, nil
}

// check returns an error unless dn is a dependency network over the variables of the data.
func check(dn *model.Model, s *data.Set) error {
	if err := s.Check(); err != nil {
		return err
	}
	switch {
	case dn.Kind != model.Dependency:
		return fmt.Errorf("the model to begin from is a %v; want a dependency network", dn.Kind)
	case len(dn.Vars) != len(s.Vars):
		return fmt.Errorf("the model to begin from has %d variables and the data %d; want the same", len(dn.Vars), len(s.Vars))
	}
	for i, v := range s.Vars {
		if dn.Vars[i].Name != v.Name || !slices.Equal(dn.States(model.VarID(i)), v.States) {
			return fmt.Errorf("variable %d of the model to begin from is %q, and of the data %q, or they differ in states; want the same", i, dn.Vars[i].Name, v.Name)
		}
	}
	if list := dn.Check(); list.HasErrors() {
		return list.Err()
	}
	return nil
}

// frequencies returns the frequencies of the states of each variable, with one pseudo-count a
// state.
func frequencies(s *data.Set) [][]float64 {
	out := make([][]float64, len(s.Vars))
	for v, x := range s.Vars {
		p := make([]float64, len(x.States))
		all := float64(len(p))
		for k := range p {
			p[k] = 1
		}
		for col, i := s.Column(v), 0; i < s.Len(); i++ {
			if k := col.At(i); k != data.Missing {
				p[k] += s.Weight(i)
				all += s.Weight(i)
			}
		}
		for k := range p {
			p[k] /= all
		}
		out[v] = p
	}
	return out
}

// ratePseudo reports the pseudo-log-likelihood of the complete rows, by variable.
func ratePseudo(ctx context.Context, m *model.Model, s *data.Set) (learner.Report, error) {
	r := learner.Report{Score: "pll", Params: len(m.Factors)}
	rows, err := rate.NewRows(m)
	if err != nil {
		return r, err
	}
	for _, v := range s.Vars {
		r.Families = append(r.Families, learner.Family{Variable: v.Name, Parents: []string{}})
	}
	row, logs := make([]int, len(s.Vars)), make([]float64, len(s.Vars))
	s = s.Merged()
	for i := range s.Len() {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		if s.Row(i, row); slices.Contains(row, data.Missing) {
			continue
		}
		rows.Conditionals(row, logs)
		for v, x := range logs {
			r.Families[v].Score += s.Weight(i) * x
		}
	}
	for _, f := range r.Families {
		r.Total += f.Score
	}
	return r, nil
}
