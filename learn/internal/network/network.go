// Package network turns the structure of a Bayesian network into a model: it estimates the CPTs
// from counts, and Gaussian CPDs from moments, and reports the scores.
//
// It searches for no structure; the learners do.
package network

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/mle"
	"github.com/pgmc-go/pgmc/learn/score"
)

// Estimate sets how CPTs are estimated from counts: by the posterior mean under a Dirichlet prior.
type Estimate struct {
	// Size is the equivalent sample size of a uniform prior, shared among the parameters of a
	// family, as in the score bdeu. 0 is maximum likelihood, in which a row without counts is
	// uniform.
	Size float64
	// Each is a pseudo-count for each parameter; 1 is Laplace's correction.
	Each float64
}

// Table returns the CPT of a variable from the counts of its family; the variable's states are
// fastest.
func (e Estimate) Table(n []float64, card int) []float64 {
	prior := e.Each + e.Size/float64(len(n))
	out := make([]float64, len(n))
	for i := 0; i < len(n); i += card {
		row, sum := out[i:i+card], 0.0
		for k := range row {
			row[k] = n[i+k] + prior
			sum += row[k]
		}
		for k := range row {
			if sum == 0 {
				row[k] = 1 / float64(card)
			} else {
				row[k] /= sum
			}
		}
	}
	return out
}

// Model returns the network in which each variable has the given parents, in that order, though the
// discrete parents of a real variable come before its real ones. Real variables are fitted by
// maximum likelihood.
func Model(name string, s *score.Scorer, parents [][]int, e Estimate) (*model.Model, error) {
	m, c := &model.Model{Name: name}, s.Counter
	for _, v := range c.Set().Vars {
		if v.Real {
			m.NewReal(v.Name)
		} else {
			m.NewVar(v.Name, v.States...)
		}
	}
	for x, p := range parents {
		if m.IsReal(model.VarID(x)) {
			m.Factors = append(m.Factors, gaussian(m, s, x, p))
			continue
		}
		if slices.ContainsFunc(p, func(u int) bool { return m.IsReal(model.VarID(u)) }) {
			f, err := softmax(m, s, x, p)
			if err != nil {
				return nil, err
			}
			m.Factors = append(m.Factors, f)
			continue
		}
		vars := append(append([]int(nil), p...), x)
		if _, ok := c.Size(vars); !ok {
			return nil, fmt.Errorf("the table of %q with %d parents has more than 2^31 numbers", c.Set().Vars[x].Name, len(p))
		}
		scope := make([]model.VarID, len(vars))
		for i, v := range vars {
			scope[i] = model.VarID(v)
		}
		m.Factors = append(m.Factors, &model.Factor{Scope: scope, Child: len(scope) - 1, Dist: &model.Table{Values: e.Table(c.Counts(vars...), c.Card(x))}})
	}
	if list := m.Check(); list.HasErrors() {
		return nil, list.Err()
	}
	return m, nil
}

// gaussian returns the CPD of a real variable.
func gaussian(m *model.Model, s *score.Scorer, x int, parents []int) *model.Factor {
	discrete, real, scope := split(m, x, parents)
	real = append(real, x)
	d, _ := mle.Gaussian{Least: s.LeastVariance(x)}.Fit(s.Moments().Of(discrete, real))
	return &model.Factor{Scope: scope, Child: len(scope) - 1, Dist: d}
}

// softmax returns the CPD of a discrete variable with real parents.
func softmax(m *model.Model, s *score.Scorer, x int, parents []int) (*model.Factor, error) {
	discrete, real, scope := split(m, x, parents)
	d, err := s.Softmax(x, discrete, real)
	if err != nil {
		return nil, err
	}
	return &model.Factor{Scope: scope, Child: len(scope) - 1, Dist: &d.Softmax}, nil
}

// split returns the discrete and the real parents of x, and the scope of a CPD that has them in
// this order, with x last.
func split(m *model.Model, x int, parents []int) (discrete, real []int, scope []model.VarID) {
	for _, u := range parents {
		if m.IsReal(model.VarID(u)) {
			real = append(real, u)
		} else {
			discrete = append(discrete, u)
		}
	}
	for _, v := range slices.Concat(discrete, real, []int{x}) {
		scope = append(scope, model.VarID(v))
	}
	return discrete, real, scope
}

// Start returns the structure that a job begins with: its initial model's, or no edges. An initial
// model that is no Bayesian network has none, and is an error.
func Start(job *learner.Job) ([][]int, error) {
	switch {
	case job.Init == nil:
		return make([][]int, len(job.Train.Vars)), nil
	case job.Init.Kind != model.Bayes:
		return nil, fmt.Errorf("%s: the model is a %v; want a Bayesian network to begin from", job.Init.File, job.Init.Kind)
	}
	return data.Parents(job.Init, job.Train.Vars), nil
}

// prefetchResult asks the source of the data, if it has one, for the counts of [Report] and of a
// model of tables in one request.
func prefetchResult(s *score.Scorer, parents [][]int) {
	s.Counter.Set().Together(len(parents), func(x int) {
		sets := [][]int{parents[x]}
		for i := range parents[x] {
			sets = append(sets, without(parents[x], i))
		}
		s.Prefetch(x, sets)
	})
}

// without returns the parents without number i.
func without(parents []int, i int) []int { return slices.Delete(slices.Clone(parents), i, i+1) }

// Report lists the scores of the families and the gain of each edge.
func Report(s *score.Scorer, parents [][]int) learner.Report {
	r := learner.Report{Score: s.Kind.Name}
	vars := s.Counter.Set().Vars
	for x, p := range parents {
		f := learner.Family{Variable: vars[x].Name, Parents: []string{}, Score: s.Family(x, p...)}
		for i, u := range p {
			f.Parents = append(f.Parents, vars[u].Name)
			r.Strengths = append(r.Strengths, learner.Strength{From: vars[u].Name, To: vars[x].Name, Strength: f.Score - s.Family(x, without(p, i)...)})
		}
		r.Total += f.Score
		r.Params += s.Parameters(x, p...)
		r.Families = append(r.Families, f)
	}
	return r
}
