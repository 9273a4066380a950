package decide

import (
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// potential is a table over variables, row-major.
type potential struct {
	scope  []model.VarID
	cards  []int
	values []float64
}

func newPotential(m *model.Model, scope []model.VarID, values []float64) *potential {
	p := &potential{scope: scope, values: values}
	for _, v := range scope {
		p.cards = append(p.cards, m.Card(v))
	}
	return p
}

// at returns the number of a joint state, by variable.
func (p *potential) at(state []int) float64 {
	i := 0
	for k, v := range p.scope {
		i = i*p.cards[k] + state[v]
	}
	return p.values[i]
}

func (p *potential) has(v model.VarID) bool { return slices.Contains(p.scope, v) }

// bucket holds the potentials that contain a variable.
type bucket struct {
	chances, utilities []*potential
	rest               []model.VarID // the other variables of their scopes, ascending
}

// bucket returns the potentials that contain v.
func (s *solver) bucket(v model.VarID) *bucket {
	b := &bucket{}
	in := make([]bool, len(s.m.Vars))
	collect := func(from []*potential) (list []*potential) {
		for _, p := range from {
			if p.has(v) {
				list = append(list, p)
				for _, u := range p.scope {
					in[u] = u != v
				}
			}
		}
		return list
	}
	b.chances, b.utilities = collect(s.chances), collect(s.utilities)
	for u, yes := range in {
		if yes {
			b.rest = append(b.rest, model.VarID(u))
		}
	}
	return b
}

// value returns the probability and the utility of a joint state.
func (b *bucket) value(state []int) (probability, utility float64) {
	probability = 1
	for _, p := range b.chances {
		probability *= p.at(state)
	}
	for _, p := range b.utilities {
		utility += p.at(state)
	}
	return probability, utility
}

// take removes the potentials that contain v, and checks that a table of them fits.
func (s *solver) take(v model.VarID) (*bucket, error) {
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	b := s.bucket(v)
	all := append(slices.Clone(b.rest), v)
	if n, ok := s.m.TableSize(all); !ok || n > s.most {
		return nil, s.tooLarge(all)
	}
	without := func(list []*potential) []*potential {
		return slices.DeleteFunc(slices.Clone(list), func(p *potential) bool { return p.has(v) })
	}
	s.chances, s.utilities = without(s.chances), without(s.utilities)
	return b, nil
}

// tooLarge is the error of a table that exceeds the limit.
func (s *solver) tooLarge(scope []model.VarID) error {
	return fmt.Errorf("the decisions need a table of %.3g entries, over %q and %d other variables; the limit is %d",
		math.Exp(s.m.LogTableSize(scope)), s.m.Vars[scope[len(scope)-1]].Name, len(scope)-1, s.most)
}

// put adds the pair that is left of a bucket.
func (s *solver) put(b *bucket, probability, utility []float64) {
	if len(b.chances) > 0 {
		s.chances = append(s.chances, newPotential(s.m, b.rest, probability))
	}
	if len(b.utilities) > 0 {
		s.utilities = append(s.utilities, newPotential(s.m, b.rest, utility))
	}
}

// sumOut eliminates chance variables and fixed decisions, the one with the smallest table first.
func (s *solver) sumOut(vars []model.VarID) error {
	vars = slices.Clone(vars)
	sizes := make([]float64, len(s.m.Vars)) // by variable of vars: ln of the size of its table
	for _, v := range vars {
		sizes[v] = s.m.LogTableSize(s.bucket(v).rest)
	}
	for len(vars) > 0 {
		best, least := 0, math.Inf(1)
		for i, v := range vars {
			if sizes[v] < least {
				best, least = i, sizes[v]
			}
		}
		b, err := s.sum(vars[best])
		if err != nil {
			return err
		}
		vars = slices.Delete(vars, best, best+1)
		for _, v := range b.rest { // no other table has changed
			sizes[v] = s.m.LogTableSize(s.bucket(v).rest)
		}
	}
	return nil
}

// sum eliminates one variable: the probability is the sum, and the utility the mean.
func (s *solver) sum(v model.VarID) (*bucket, error) {
	b, err := s.take(v)
	if err != nil {
		return nil, err
	}
	size, _ := s.m.TableSize(b.rest)
	probability, utility := make([]float64, size), make([]float64, size)
	state := make([]int, len(s.m.Vars))
	for i := range size {
		p, u := 0.0, 0.0
		for state[v] = range s.m.Card(v) {
			q, w := b.value(state)
			p += q
			u += q * w
		}
		if probability[i] = p; p > 0 {
			utility[i] = u / p
		}
		s.m.Next(b.rest, state)
	}
	s.put(b, probability, utility)
	return b, nil
}

// nearly is the relative difference below which two utilities count as equal, so that the first
// state wins for any order of the sums.
const nearly = 0x1p-44

// maximise eliminates a decision and returns its policy. All that happens after it is eliminated,
// so that the probability of the bucket does not depend on it.
func (s *solver) maximise(v model.VarID) (*Policy, error) {
	b, err := s.take(v)
	if err != nil {
		return nil, err
	}
	p := &Policy{Decision: v, Known: b.rest}
	size, _ := s.m.TableSize(b.rest)
	probability, utility := make([]float64, size), make([]float64, size)
	within := s.within(b.rest)
	state := make([]int, len(s.m.Vars))
	for i := range size {
		best := 0
		for state[v] = range s.m.Card(v) {
			q, w := b.value(state)
			if state[v] == 0 || w > utility[i]+nearly*math.Abs(utility[i]) {
				best, probability[i], utility[i] = state[v], q, w
			}
		}
		state[v] = best
		for _, c := range within {
			if c.at(state) == 0 {
				best = -1
			}
		}
		if probability[i] == 0 {
			best = -1
		}
		p.Choice = append(p.Choice, best)
		s.m.Next(b.rest, state)
	}
	s.put(b, probability, utility)
	p.simplify(s.m)
	return p, nil
}

// within returns the probabilities over only some of the variables, which tell what is impossible.
func (s *solver) within(vars []model.VarID) (list []*potential) {
	for _, p := range s.chances {
		if !slices.ContainsFunc(p.scope, func(v model.VarID) bool { return !slices.Contains(vars, v) }) {
			list = append(list, p)
		}
	}
	return list
}

// total returns the utility once all variables are eliminated.
func (s *solver) total() (float64, error) {
	b := &bucket{chances: s.chances, utilities: s.utilities}
	probability, utility := b.value(make([]int, len(s.m.Vars)))
	if probability == 0 {
		return 0, ErrImpossible
	}
	return utility, nil
}
