package decide

import (
	"context"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Table is what a decision does in each joint state of the known variables that matter after it. A
// joint state can occur if some choices of earlier decisions reach it.
type Table struct {
	Decision    model.VarID
	Known       []model.VarID
	Choice      []int     // by joint state of Known, row-major: a state of Decision, or -1 if it cannot occur
	Probability []float64 // of each joint state under the strategy; nil if not asked for
	// Utility holds the utility of each option in each joint state, if later decisions follow the
	// strategy. Where the probability is 0, earlier decisions are taken at random. It is nil if not
	// asked for.
	Utility []float64
}

// Known returns the known variables that matter after decision i of the policies.
func (x *Solution) Known(i int) []model.VarID { return x.known[i] }

// Table returns what decision i of the policies does, with probabilities and utilities if worth is
// set.
func (x *Solution) Table(ctx context.Context, i int, worth bool) (*Table, error) {
	s := *x.solver
	s.ctx = ctx
	p := x.Policies[i]
	t := &Table{Decision: p.Decision, Known: x.known[i]}
	scope := append(slices.Clone(t.Known), p.Decision)
	size, ok := s.m.TableSize(scope)
	if !ok || size > s.most {
		return nil, s.tooLarge(scope)
	}
	free := slices.Clone(x.tables)
	for k, q := range x.Policies[:i] {
		n := s.m.Card(q.Decision)
		free[k] = newPotential(s.m, []model.VarID{q.Decision}, slices.Repeat([]float64{1 / float64(n)}, n))
	}
	any, err := s.about(scope, free, i)
	if err != nil {
		return nil, err
	}
	best := any
	if worth && i > 0 {
		if best, err = s.about(scope, x.tables, i); err != nil {
			return nil, err
		}
	}
	state, sum := make([]int, len(s.m.Vars)), 0.0
	for range size / s.m.Card(p.Decision) {
		choice := p.choice(s.m, state)
		if q, _ := any.value(state); q == 0 {
			choice = -1
		}
		t.Choice = append(t.Choice, choice)
		if worth {
			sum += t.value(s.m, best, any, state)
		}
		state[p.Decision] = 0
		s.m.Next(t.Known, state)
	}
	for k := range t.Probability {
		t.Probability[k] /= sum
	}
	return t, nil
}

// value adds the probability and the utilities of a joint state, by the potentials under the
// strategy or, if they do not reach it, under any. It returns the probability up to a factor.
func (t *Table) value(m *model.Model, best, any *bucket, state []int) float64 {
	p, _ := best.value(state)
	of := best
	if p == 0 {
		of = any
	}
	for state[t.Decision] = range m.Card(t.Decision) {
		_, u := of.value(state)
		t.Utility = append(t.Utility, u)
	}
	t.Probability = append(t.Probability, p)
	return p
}
