package decide

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// with returns a copy of the solver in which all decisions but one, or all if that is negative,
// follow policies.
func (s *solver) with(policies []*potential, but int) *solver {
	c := *s
	c.chances, c.utilities = s.chances.clone(), s.utilities.clone()
	for i, p := range policies {
		if i != but {
			c.chances.add(p)
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

// about returns the potentials over scope that are left if all decisions but one, or all if that is
// negative, follow policies.
func (s *solver) about(scope []model.VarID, policies []*potential, but int) (*bucket, error) {
	c := s.with(policies, but)
	if err := c.sumOut(c.others(scope)); err != nil {
		return nil, err
	}
	return c.left(scope), nil
}

// left returns the potentials that are left if only those over scope are.
func (s *solver) left(scope []model.VarID) *bucket {
	return &bucket{chances: s.chances.within(scope), utilities: s.utilities.within(scope)}
}

// achieved returns the utility of policies.
func (s *solver) achieved(policies []*potential) (float64, error) {
	b, err := s.about(nil, policies, -1)
	if err != nil {
		return 0, err
	}
	return s.total(b)
}

// improve replaces policy i by the best one, given the others, and reports whether that is better
// by more than rounding.
func (s *solver) improve(policies []*potential, i int) (p *Policy, better bool, err error) {
	old := policies[i]
	d, scope := s.open[i], old.scope
	b, err := s.about(scope, policies, i)
	if err != nil {
		return nil, false, err
	}
	p = &Policy{Decision: d.Var, Known: slices.Clone(d.Known)}
	next := newPotential(s.m, scope, make([]float64, len(old.values)))
	state, n := make([]int, len(s.m.Vars)), s.m.Card(d.Var)
	q, u := make([]float64, n), make([]float64, n)
	for at := 0; at < len(old.values); at += n {
		best, most, before, size, possible := 0, 0.0, 0.0, 0.0, false
		for k := range n {
			state[d.Var] = k
			q[k], u[k] = b.value(state)
		}
		for k := range n {
			gain := q[k] * s.gain(u[k], slices.Max(u))
			possible, size = possible || q[k] > 0, max(size, math.Abs(gain))
			before += old.values[at+k] * gain
			if k == 0 || gain > most+nearly*size {
				best, most = k, gain
			}
		}
		better = better || most > before+1e-12*size
		if possible {
			next.values[at+best] = 1
		} else { // it may become possible
			best = -1
			copy(next.values[at:at+n], old.values[at:])
		}
		p.Choice = append(p.Choice, best)
		state[d.Var] = 0
		s.m.Next(d.Known, state)
	}
	policies[i] = next
	return p, better, nil
}

// gain returns a number whose mean ranks utilities of at most the given one: the utility, or with a
// tolerance of risk R the number R - R exp((most-u)/R), or a finite one below all that matter.
func (s *solver) gain(utility, most float64) float64 {
	if s.risk > 0 {
		return -s.risk * math.Expm1(min((most-utility)/s.risk, 300))
	}
	return utility
}
