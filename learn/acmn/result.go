package acmn

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/internal/growing"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// result returns the network, its circuit and the report.
func (s *search) result() (*learner.Result, error) {
	if s.settle(0); !growing.Finite(s.z) {
		return nil, fmt.Errorf("the network sums to %v; want weights of less size: a larger penalty, or a smaller variance", s.z)
	}
	for i := range s.offsets { // for each variable, one of its features holds in every row
		own := s.own(s.weights, i)
		scale := s.scale(own)
		for k := range own {
			own[k] -= scale
		}
	}
	r := s.report()
	r.Remarks = append(r.Remarks, fmt.Sprintf("%d splits, %d features, circuit of %d edges", len(s.steps), len(s.features), s.c.Edges()))
	if made := s.won.Made; len(s.steps) < made {
		r.Remarks = append(r.Remarks, fmt.Sprintf("the last %d of %d splits did not help the validation data", made-len(s.steps), made))
	}
	if s.try > 0 {
		r.Remarks = append(r.Remarks, fmt.Sprintf("search %d of %d is best for the validation data", s.won.Try+1, s.try+1))
	}
	models := []*model.Model{s.markov(), s.joint()}
	for _, m := range models {
		if list := m.Check(); list.HasErrors() {
			return nil, list.Err()
		}
	}
	return &learner.Result{Models: models, Report: r}, nil
}

// report assigns each feature to the first variable that it tests. Since the network sums to 1, the
// log-likelihood is the sum of the features' weights over the rows in which they hold.
func (s *search) report() learner.Report {
	r := learner.Report{Score: "loglik", Steps: len(s.steps), Params: len(s.features)}
	others := make([][]bool, len(s.cards))
	for v, x := range s.job.Train.Vars {
		r.Families = append(r.Families, learner.Family{Variable: x.Name, Parents: []string{}})
		others[v] = make([]bool, len(others))
	}
	for i := range s.features {
		f := &s.features[i]
		first := f.tests[0].Var
		r.Families[first].Score += s.weights[i] * f.seen
		for _, t := range f.tests[1:] {
			others[first][t.Var] = others[first][t.Var] || t.Var != first
		}
	}
	for v, row := range others {
		for u, with := range row {
			if with {
				r.Families[v].Parents = append(r.Families[v].Parents, s.job.Train.Vars[u].Name)
			}
		}
		r.Total += r.Families[v].Score
	}
	return r
}

// variables returns a Markov network without factors.
func (s *search) variables() *model.Model {
	m := &model.Model{Name: "acmn", Kind: model.Markov}
	for _, v := range s.job.Train.Vars {
		m.NewVar(v.Name, v.States...)
	}
	return m
}

// markov returns the network with a factor for each feature.
func (s *search) markov() *model.Model {
	m := s.variables()
	for i := range s.features {
		f := &model.Factor{Child: -1}
		x := model.Feature{Weight: s.weights[i]}
		for _, t := range s.features[i].tests {
			axis := slices.Index(f.Scope, model.VarID(t.Var))
			if axis < 0 {
				axis = len(f.Scope)
				f.Scope = append(f.Scope, model.VarID(t.Var))
			}
			x.Literals = append(x.Literals, model.Literal{Axis: axis, State: int32(t.State), Not: t.Not})
		}
		f.Dist = &model.Features{List: []model.Feature{x}}
		m.Factors = append(m.Factors, f)
	}
	return m
}

// joint returns the network as one potential over all variables that sums to 1.
func (s *search) joint() *model.Model {
	m := s.variables()
	s.evaluate(s.weights)
	f := &model.Factor{Child: -1, Dist: s.c.Dist(s.theta)}
	for i := range m.Vars {
		f.Scope = append(f.Scope, model.VarID(i))
	}
	m.Factors = []*model.Factor{f}
	return m
}
