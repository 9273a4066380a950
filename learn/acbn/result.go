package acbn

import (
	"fmt"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// result returns the network, its circuit and the report, with the splits up to the best validation
// score.
func (s *search) result() (*learner.Result, error) {
	s.begin()
	for _, x := range s.best.Steps {
		s.apply(x)
	}
	s.strength = s.best.Strength
	net, circuit := s.network(), s.circuit()
	r := learner.Report{Score: "loglik", Steps: len(s.steps)}
	for x := range s.rows.Cards {
		f, family := s.factor(x)
		net.Factors = append(net.Factors, f)
		r.Families = append(r.Families, family)
		r.Total += family.Score
	}
	for i := range s.nodes {
		if n := &s.nodes[i]; n.v < 0 {
			r.Params += len(n.counts) - 1
		}
	}
	r.Remarks = append(r.Remarks, fmt.Sprintf("%d splits, circuit of %d edges", len(s.steps), s.c.Edges()))
	if made := s.best.Made; len(s.steps) < made {
		r.Remarks = append(r.Remarks, fmt.Sprintf("the last %d of %d splits did not help the validation data", made-len(s.steps), made))
	}
	if s.try > 0 {
		r.Remarks = append(r.Remarks, fmt.Sprintf("search %d of %d is best for the validation data", s.best.Try+1, s.try+1))
	}
	if s.strength > 0 {
		r.Remarks = append(r.Remarks, fmt.Sprintf("leaves smoothed by %g rows of the nodes above", strengths[s.strength]))
	}
	for _, m := range []*model.Model{net, circuit} {
		if list := m.Check(); list.HasErrors() {
			return nil, list.Err()
		}
	}
	return &learner.Result{Models: []*model.Model{net, circuit}, Report: r}, nil
}

// network returns the network without its CPDs.
func (s *search) network() *model.Model {
	m := &model.Model{Name: "acbn"}
	for _, v := range s.job.Train.Vars {
		m.NewVar(v.Name, v.States...)
	}
	return m
}

// circuit returns the circuit as a model: one potential over all variables that sums to 1.
func (s *search) circuit() *model.Model {
	m := s.network()
	m.Kind = model.Markov
	theta := make([]float64, s.c.Params())
	for i := range s.nodes {
		if n := &s.nodes[i]; n.v < 0 {
			for k, p := range n.dists[s.strength] {
				theta[n.params[k]] = p
			}
		}
	}
	f := &model.Factor{Child: -1, Dist: s.c.Dist(theta)}
	for i := range m.Vars {
		f.Scope = append(f.Scope, model.VarID(i))
	}
	m.Factors = []*model.Factor{f}
	return m
}
