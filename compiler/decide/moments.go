package decide

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Moments are the mean and the variance of a utility under the strategy, given the evidence.
type Moments struct{ Mean, Variance float64 }

// Mass is a value of the sum of the utilities with its probability.
type Mass struct{ Utility, Probability float64 }

// law is a distribution of utilities, ascending.
type law []Mass

// MaxValues is the most values of a distribution of the total utility.
const MaxValues = 4096

// largest is the largest number with a square that does not overflow.
const largest = 0x1p511

var errVariance = errors.New("the variance of the utilities overflows; want utilities below 1e150, or another unit")

// maxWork bounds the pairs of values that are added for a distribution: about a second of work.
const maxWork = 1 << 26

// Moments returns the moments of the sum of all utilities.
func (x *Solution) Moments(ctx context.Context) (Moments, error) {
	return x.moments(ctx, *x.solver)
}

// MomentsOf returns the moments of utility i of the diagram.
func (x *Solution) MomentsOf(ctx context.Context, i int) (Moments, error) {
	m := x.solver.m
	if x.network != nil {
		m = x.network.m
	}
	terms, err := m.Terms([]int{i}, x.solver.most)
	if err != nil {
		return Moments{}, err
	}
	return x.momentsOf(ctx, terms)
}

// momentsOf returns the moments of the sum of utilities without functions.
func (x *Solution) momentsOf(ctx context.Context, terms []*model.Utility) (Moments, error) {
	s := *x.solver
	if x.network != nil {
		var err error
		if terms, err = x.network.utilities(terms, s.most); err != nil {
			return Moments{}, err
		}
	}
	s.utilities = pool{by: make([][]*potential, len(s.m.Vars))}
	for _, u := range terms {
		s.utilities.add(newPotential(s.m, u.Scope, u.Values))
	}
	return x.moments(ctx, s)
}

func (x *Solution) moments(ctx context.Context, s solver) (Moments, error) {
	b, _, err := x.followed(ctx, s, false)
	if err != nil {
		return Moments{}, err
	}
	_, mean := b.value(nil)
	variance := b.variance(nil)
	if !(variance <= math.MaxFloat64) {
		return Moments{}, errVariance
	}
	return Moments{mean, variance}, nil
}

// Distribution returns the values of the sum of the utilities that can occur, ascending. Values
// that differ by rounding count as one. It is nil if there are more than MaxValues, or if the
// search for them takes too long.
func (x *Solution) Distribution(ctx context.Context) ([]Mass, error) {
	b, s, err := x.followed(ctx, *x.solver, true)
	if err != nil || !s.lawful {
		return nil, err
	}
	return b.law(s, nil), nil
}

// followed returns what is left once all variables of s are eliminated under the policies.
func (x *Solution) followed(ctx context.Context, s solver, lawful bool) (*bucket, *solver, error) {
	s.ctx, s.risk, s.further, s.lawful = ctx, 0, true, lawful
	c := s.with(x.tables, -1)
	if x.network != nil {
		b, err := x.network.followed(c)
		return b, c, err
	}
	if err := c.sumOut(c.others(nil)); err != nil {
		return nil, nil, err
	}
	return c.left(nil), c, nil
}

// variance returns the variance of the utility in a joint state: the sum, since the utilities are
// independent given the scopes.
func (b *bucket) variance(state []int) (sum float64) {
	for _, p := range b.utilities {
		if p.spread != nil {
			sum += p.spread[p.index(state)]
		}
	}
	return sum
}

// spread adds the variance and the distribution of the utility after a sum over v, with the
// probabilities q and the means w of its states. The other variables are in the scratch state.
func (s *solver) spread(b *bucket, v model.VarID, q, w []float64, to *potential) {
	mean, p, variance := to.values[len(to.spread)], 0.0, 0.0
	var mixed law
	for s.state[v] = range q {
		k := s.state[v]
		if q[k] == 0 {
			continue
		}
		p += q[k]
		variance += q[k] * (b.variance(s.state) + (w[k]-mean)*(w[k]-mean))
		if s.lawful {
			for _, x := range b.law(s, s.state) {
				mixed = append(mixed, Mass{x.Utility, q[k] * x.Probability})
			}
		}
	}
	if p > 0 {
		variance /= p
	}
	for i := range mixed {
		mixed[i].Probability /= p
	}
	to.spread = append(to.spread, variance)
	if s.lawful {
		to.laws = append(to.laws, s.merged(mixed))
	}
}

// law returns the distribution of the utility in a joint state: a convolution.
func (b *bucket) law(s *solver, state []int) law {
	sum := law{{0, 1}}
	for _, p := range b.utilities {
		if !s.lawful {
			return nil
		}
		i := p.index(state)
		term := law{{p.values[i], 1}}
		if p.laws != nil {
			term = p.laws[i]
		}
		if s.work += len(sum) * len(term); s.work > maxWork {
			s.lawful = false
		}
		var next law
		for _, x := range sum {
			for _, y := range term {
				next = append(next, Mass{x.Utility + y.Utility, x.Probability * y.Probability})
			}
		}
		sum = s.merged(next)
	}
	return sum
}

// merged sorts a distribution and merges values that differ by rounding. More than MaxValues end
// the search for distributions.
func (s *solver) merged(x law) law {
	slices.SortStableFunc(x, func(a, b Mass) int { return cmp.Compare(a.Utility, b.Utility) })
	out := x[:0]
	for _, m := range x {
		if n := len(out); n > 0 && m.Utility-out[n-1].Utility <= nearly*s.size {
			out[n-1].Probability += m.Probability
		} else if m.Probability > 0 {
			out = append(out, m)
		}
	}
	if s.lawful = s.lawful && len(out) <= MaxValues; !s.lawful {
		return nil
	}
	return slices.Clip(out)
}
