package decide

import (
	"math"
	"math/rand/v2"
	"slices"
)

// strategy has a policy for each open decision, over what it knows and the decision, which is last:
// the probability of each option.
type strategy struct {
	tables   []*potential
	policies []*Policy
	utility  float64
}

// limited finds a strategy in which each decision knows only its parents. It adds the policies to
// out.
func (s *solver) limited(o Options, out *Solution) (float64, error) {
	if err := s.startable(o.Start); err != nil {
		return 0, err
	}
	l := s.limid()
	l.reduce()
	order, exact := l.exact()
	open := s.open
	s.open = nil
	for i, d := range open {
		s.open = append(s.open, d.Knowing(l.known[i]))
	}
	best, err := s.search(order, o)
	if err != nil {
		return 0, err
	}
	out.Bound = math.Inf(1)
	if exact {
		out.Bound = best.utility
	} else if o.Best {
		if best, out.Bound, err = s.prove(best); err != nil {
			return 0, err
		}
	}
	out.Policies = best.policies
	return best.utility, nil
}

// startable returns an error if a policy looks at what its decision does not know.
func (s *solver) startable(start []*Policy) error {
	for _, p := range start {
		for _, v := range p.Known {
			if d := s.m.Decides(p.Decision); d != nil && !slices.Contains(d.Known, v) {
				return s.unknowable(d, v)
			}
		}
	}
	return nil
}

// search improves policies from several starts, and returns the best. Policies that are improved
// once in the given order are the best ones; without an order the first local optimum of the best
// start counts.
func (s *solver) search(order []int, o Options) (best *strategy, err error) {
	starts := 1 + o.Restarts
	if order != nil || len(s.open) == 0 {
		starts = 1
	}
	for k := range starts {
		x, err := s.start(k, o)
		if err == nil && k == 0 {
			_, err = s.achieved(x.tables) // refuses impossible evidence
		}
		if err == nil && order != nil {
			_, err = s.pass(x, order)
		} else if err == nil {
			err = s.climb(x)
		}
		if err == nil {
			x.utility, err = s.achieved(x.tables)
		}
		if err != nil {
			return nil, err
		}
		if best == nil || x.utility > best.utility+nearly*s.size {
			best = x
		}
	}
	return best, nil
}

// start returns the policies of start k: those of the options, uniform ones, or from the second on
// random ones.
func (s *solver) start(k int, o Options) (*strategy, error) {
	x := &strategy{}
	r := rand.New(rand.NewPCG(o.Seed, uint64(k)))
	for _, d := range s.open {
		scope := append(slices.Clip(d.Known), d.Var)
		n, ok := s.m.TableSize(scope)
		if !ok || n > s.most {
			return nil, s.tooLarge(scope)
		}
		p := newPotential(s.m, scope, slices.Repeat([]float64{1 / float64(s.m.Card(d.Var))}, n))
		if at := slices.IndexFunc(o.Start, func(p *Policy) bool { return p.Decision == d.Var }); k == 0 && at >= 0 {
			s.begin(p, o.Start[at])
		}
		for row := range slices.Chunk(p.values, s.m.Card(d.Var)) {
			if k > 0 {
				random(r, row)
			}
		}
		x.tables, x.policies = append(x.tables, p), append(x.policies, nil)
	}
	return x, nil
}

// random fills a row with probabilities from the uniform distribution over all such rows.
func random(r *rand.Rand, row []float64) {
	sum := 0.0
	for i := range row {
		row[i] = r.ExpFloat64()
		sum += row[i]
	}
	for i := range row {
		row[i] /= sum
	}
}

// begin sets the rows of a table in which a policy has a choice. Variables of the policy that do
// not matter count as in their first states.
func (s *solver) begin(p *potential, from *Policy) {
	d, state := from.Decision, make([]int, len(s.m.Vars))
	n := s.m.Card(d)
	for i := 0; i < len(p.values); i += n {
		if c := from.choice(s.m, state); c >= 0 {
			clear(p.values[i : i+n])
			p.values[i+c] = 1
		}
		s.m.Next(p.scope[:len(p.scope)-1], state)
	}
}

// climb improves policies, from the last to the first, until no other policy of a single decision
// is better (single policy updating).
func (s *solver) climb(x *strategy) error {
	var order []int
	for i := len(s.open) - 1; i >= 0; i-- {
		order = append(order, i)
	}
	for better := true; better; {
		var err error
		if better, err = s.pass(x, order); err != nil {
			return err
		}
	}
	return nil
}

// pass improves the policies in an order, each once, and reports whether one is better.
func (s *solver) pass(x *strategy, order []int) (improved bool, err error) {
	for _, i := range order {
		better := false
		if x.policies[i], better, err = s.improve(x.tables, i); err != nil {
			return false, err
		}
		improved = improved || better
	}
	return improved, nil
}
