package rate

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Rows scores complete rows by a model. It has its own scratch memory: one goroutine may use it at
// a time.
type Rows struct {
	m     *model.Model
	terms []model.Term
	flips [][]float64 // by variable and state: ln of the product of the factors at that state, up to a constant
}

// NewRows returns the scorer of a model that has passed its checks and whose CPD rows sum to one.
func NewRows(m *model.Model) (*Rows, error) {
	r := &Rows{m: m, flips: make([][]float64, len(m.Vars))}
	for v := range m.Vars {
		id := model.VarID(v)
		if m.IsReal(id) {
			return nil, fmt.Errorf("variable %q is real-valued, and its density given all others takes the sum over too many trees; "+
				"conditional log-likelihoods rate what sampling knows of it", m.Vars[v].Name)
		}
		if m.Card(id) == 0 || m.Vars[v].Latent {
			return nil, fmt.Errorf("variable %q is in no data, so that no row has all states; its probability takes inference", m.Vars[v].Name)
		}
		r.flips[v] = make([]float64, m.Card(id))
	}
	for _, f := range m.Factors {
		r.terms = append(r.terms, m.Term(f))
	}
	return r, nil
}

// Cost estimates how many numbers Pseudo reads.
func (r *Rows) Cost() int {
	n := 0
	for _, t := range r.terms {
		n += t.Cost()
	}
	return n
}

// Log returns ln of the product of the factors at a joint state of all variables. In a Bayesian
// network this is its log-probability; in a Markov network, the log-probability plus ln Z; in a
// dependency network, the pseudo-log-likelihood.
func (r *Rows) Log(state []int) float64 {
	sum := 0.0
	for _, t := range r.terms {
		sum += t.Log(state)
	}
	return sum
}

// Pseudo returns the pseudo-log-likelihood of a joint state of all variables. It is minus infinity
// if a state is impossible given the others, or if the others are impossible.
func (r *Rows) Pseudo(state []int) float64 {
	if r.m.Kind == model.Dependency {
		return r.Log(state)
	}
	r.rate(state)
	sum := 0.0
	for v, row := range r.flips {
		sum += conditional(row, state[v])
	}
	return sum
}

// Conditionals writes the terms of Pseudo to logs, by variable.
func (r *Rows) Conditionals(state []int, logs []float64) {
	if r.m.Kind == model.Dependency {
		for i, t := range r.terms {
			logs[r.m.Factors[i].ChildVar()] = t.Log(state)
		}
		return
	}
	r.rate(state)
	for v, row := range r.flips {
		logs[v] = conditional(row, state[v])
	}
}

// rate computes flips.
func (r *Rows) rate(state []int) {
	for _, row := range r.flips {
		clear(row)
	}
	for _, t := range r.terms {
		t.Flip(state, r.flips)
	}
}

// conditional returns ln of the share of a state.
func conditional(row []float64, state int) float64 {
	if math.IsInf(row[state], -1) { // or all are impossible
		return row[state]
	}
	return row[state] - floats.LogSumExp(row)
}
