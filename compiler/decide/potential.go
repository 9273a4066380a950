package decide

import (
	"math"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// potential is a table over variables, row-major.
type potential struct {
	scope  []model.VarID
	cards  []int
	values []float64
	spread []float64 // of utilities: their variance given the scope; nil for 0
	laws   []law     // of utilities: their distribution given the scope; nil if they have values
}

func newPotential(m *model.Model, scope []model.VarID, values []float64) *potential {
	p := &potential{scope: scope, values: values}
	for _, v := range scope {
		p.cards = append(p.cards, m.Card(v))
	}
	return p
}

// at returns the number of a joint state, by variable.
func (p *potential) at(state []int) float64 { return p.values[p.index(state)] }

// index returns the place of a joint state, by variable.
func (p *potential) index(state []int) int {
	i := 0
	for k, v := range p.scope {
		i = i*p.cards[k] + state[v]
	}
	return i
}

// pool holds potentials by their variables. Those of one variable are in the order in which they
// were added.
type pool struct {
	by   [][]*potential
	none []*potential // without variables
}

// add adds a potential, and leaves the lists of a clone as they are.
func (l *pool) add(p *potential) {
	if len(p.scope) == 0 {
		l.none = append(slices.Clip(l.none), p)
	}
	for _, v := range p.scope {
		l.by[v] = append(slices.Clip(l.by[v]), p)
	}
}

// remove removes the potentials of v.
func (l *pool) remove(v model.VarID) {
	for _, p := range l.by[v] {
		for _, u := range p.scope {
			if u != v {
				l.by[u] = slices.DeleteFunc(slices.Clone(l.by[u]), func(q *potential) bool { return q == p })
			}
		}
	}
	l.by[v] = nil
}

func (l *pool) clone() pool { return pool{slices.Clone(l.by), l.none} }

// within returns the potentials that have no other variables.
func (l *pool) within(vars []model.VarID) (list []*potential) {
	for _, v := range vars {
		for _, p := range l.by[v] {
			if p.scope[0] == v && !slices.ContainsFunc(p.scope, func(u model.VarID) bool { return !slices.Contains(vars, u) }) {
				list = append(list, p)
			}
		}
	}
	return append(list, l.none...)
}

// bucket holds the potentials that contain a variable.
type bucket struct {
	chances, utilities []*potential
	rest               []model.VarID // the other variables of their scopes, ascending
}

// bucket returns the potentials that contain v.
func (s *solver) bucket(v model.VarID) *bucket {
	b := &bucket{chances: s.chances.by[v], utilities: s.utilities.by[v]}
	for _, list := range [][]*potential{b.chances, b.utilities} {
		for _, p := range list {
			for _, u := range p.scope {
				if u != v {
					b.rest = append(b.rest, u)
				}
			}
		}
	}
	slices.Sort(b.rest)
	b.rest = slices.Compact(b.rest)
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
	s.chances.remove(v)
	s.utilities.remove(v)
	return b, nil
}

// tooLarge is the error of a table that exceeds the limit.
func (s *solver) tooLarge(scope []model.VarID) error {
	return diag.Errorf("the decisions need a table of %.3g entries, over %q and %d other variables; want decisions that depend on fewer, or more than %v",
		math.Exp(s.m.LogTableSize(scope)), s.m.Vars[scope[len(scope)-1]].Name, len(scope)-1, diag.Option{Name: "max-table", Value: strconv.Itoa(s.most)})
}

// put adds the pair that is left of a bucket.
func (s *solver) put(b *bucket, probability []float64, utility *potential) {
	if len(b.chances) > 0 {
		s.chances.add(newPotential(s.m, b.rest, probability))
	}
	if len(b.utilities) > 0 {
		s.utilities.add(utility)
	}
}

// sumOut eliminates chance variables and fixed decisions.
func (s *solver) sumOut(vars []model.VarID) error { return s.each(vars, s.sum) }

// each eliminates variables, the one with the smallest table first.
func (s *solver) each(vars []model.VarID, eliminate func(model.VarID) (*bucket, error)) error {
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
		b, err := eliminate(vars[best])
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
	n, state := s.m.Card(v), s.state
	probability, utility := make([]float64, size), newPotential(s.m, b.rest, make([]float64, size))
	q, w := make([]float64, n), make([]float64, n)
	for i := range size {
		for state[v] = range n {
			q[state[v]], w[state[v]] = b.value(state)
			probability[i] += q[state[v]]
		}
		if probability[i] > 0 {
			utility.values[i] = s.mean(q, w, probability[i])
		}
		if s.further {
			s.spread(b, v, q, w, utility)
		}
		s.m.Next(b.rest, state)
	}
	state[v] = 0
	s.put(b, probability, utility)
	return b, nil
}

// mean returns the mean of utilities with probabilities that sum to p, or with a tolerance of risk
// R its certainty equivalent -R ln(mean of exp(-u/R)). Certainty equivalents of independent
// utilities add, as means do.
func (s *solver) mean(probability, utility []float64, p float64) float64 {
	if s.risk == 0 {
		u := 0.0
		for k, q := range probability {
			u += q * utility[k]
		}
		return u / p
	}
	least := math.Inf(1)
	for k, q := range probability {
		if q > 0 {
			least = min(least, utility[k])
		}
	}
	sum := 0.0
	for k, q := range probability {
		if q > 0 {
			sum += q * math.Expm1((least-utility[k])/s.risk)
		}
	}
	return least - s.risk*math.Log1p(sum/p)
}

// nearly is the relative difference below which two utilities count as equal, so that the first
// state wins for any order of the sums.
const nearly = pgmrt.NearlyBest

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
	within, state := s.chances.within(b.rest), s.state
	for i := range size {
		var best int
		best, probability[i], utility[i] = s.choose(b, v)
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
	state[v] = 0
	s.put(b, probability, newPotential(s.m, b.rest, utility))
	return p, nil
}

// choose returns the best state of v, with its probability and utility. The other variables of b
// are at s.state.
func (s *solver) choose(b *bucket, v model.VarID) (best int, probability, utility float64) {
	for k := range s.m.Card(v) {
		s.state[v] = k
		q, w := b.value(s.state)
		if k == 0 || q > 0 && (probability == 0 || w > utility+nearly*math.Abs(utility)) {
			best, probability, utility = k, q, w
		}
	}
	s.state[v] = 0
	return best, probability, utility
}

// total returns the utility of the potentials that are left once all variables are eliminated.
func (s *solver) total(b *bucket) (float64, error) {
	probability, utility := b.value(nil)
	if probability == 0 {
		return 0, ErrImpossible
	}
	return utility, nil
}

// slice keeps one state of a variable.
func (s *solver) slice(v model.VarID, k int) {
	for _, l := range []*pool{&s.chances, &s.utilities} {
		with := l.by[v]
		l.remove(v)
		for _, p := range with {
			l.add(p.slice(v, k))
		}
	}
}

// slice returns the potential of the other variables if v is in state k.
func (p *potential) slice(v model.VarID, k int) *potential {
	at := slices.Index(p.scope, v)
	inner := 1
	for _, n := range p.cards[at+1:] {
		inner *= n
	}
	out := &potential{scope: slices.Delete(slices.Clone(p.scope), at, at+1), cards: slices.Delete(slices.Clone(p.cards), at, at+1)}
	for from := k * inner; from < len(p.values); from += inner * p.cards[at] {
		out.values = append(out.values, p.values[from:from+inner]...)
	}
	return out
}
