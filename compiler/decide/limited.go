package decide

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// limited improves the policy of one decision at a time, from the last to the first, until none is
// improved (single policy updating).
func (s *solver) limited() (*Solution, error) {
	policies := make([]*potential, len(s.open)) // over what is known and the decision, which is last
	for i, d := range s.open {
		scope := append(slices.Clone(d.Known), d.Var)
		n, ok := s.m.TableSize(scope)
		if !ok || n > s.most {
			return nil, s.tooLarge(scope)
		}
		policies[i] = newPotential(s.m, scope, slices.Repeat([]float64{1 / float64(s.m.Card(d.Var))}, n))
	}
	out := &Solution{Policies: make([]*Policy, len(s.open))}
	var err error
	if out.Utility, err = s.mean(policies); err != nil {
		return nil, err
	}
	for improved := true; improved; {
		improved = false
		for i := len(s.open) - 1; i >= 0; i-- {
			p, better, err := s.improve(policies, i)
			if err != nil {
				return nil, err
			}
			improved = improved || better
			out.Policies[i] = p
		}
	}
	if out.Utility, err = s.mean(policies); err != nil {
		return nil, err
	}
	for _, p := range out.Policies {
		p.simplify(s.m)
	}
	return out, nil
}

// with returns a copy of the solver in which all decisions but one, or all if that is negative,
// follow policies.
func (s *solver) with(policies []*potential, but int) *solver {
	c := *s
	c.chances = slices.Clone(s.chances)
	for i, p := range policies {
		if i != but {
			c.chances = append(c.chances, p)
		}
	}
	return &c
}

// others returns all variables that count, without some.
func (s *solver) others(keep []model.VarID) (list []model.VarID) {
	for _, v := range s.m.Vars {
		if !s.barren[v.ID] && !slices.Contains(keep, v.ID) {
			list = append(list, v.ID)
		}
	}
	return list
}

// mean returns the mean utility of policies.
func (s *solver) mean(policies []*potential) (float64, error) {
	c := s.with(policies, -1)
	if err := c.sumOut(c.others(nil)); err != nil {
		return 0, err
	}
	return c.total()
}

// improve replaces policy i by the best one, given the others, and reports whether that is better
// by more than rounding.
func (s *solver) improve(policies []*potential, i int) (p *Policy, better bool, err error) {
	c, old := s.with(policies, i), policies[i]
	d, scope := s.open[i], old.scope
	if err := c.sumOut(c.others(scope)); err != nil {
		return nil, false, err
	}
	b := &bucket{chances: c.chances, utilities: c.utilities}
	p = &Policy{Decision: d.Var, Known: slices.Clone(d.Known)}
	next := newPotential(s.m, scope, make([]float64, len(old.values)))
	state, n := make([]int, len(s.m.Vars)), s.m.Card(d.Var)
	for at := 0; at < len(old.values); at += n {
		best, most, before, size, possible := 0, 0.0, 0.0, 0.0, false
		for k := range n {
			state[d.Var] = k
			q, u := b.value(state)
			gain := q * u
			possible, size = possible || q > 0, max(size, math.Abs(gain))
			before += old.values[at+k] * gain
			if k == 0 || gain > most+nearly*size {
				best, most = k, gain
			}
		}
		better = better || most > before+1e-12*size
		next.values[at+best] = 1
		if !possible {
			best = -1
		}
		p.Choice = append(p.Choice, best)
		state[d.Var] = 0
		s.m.Next(d.Known, state)
	}
	policies[i] = next
	return p, better, nil
}
