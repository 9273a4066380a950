package wcsp

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Solver looks for a joint state of largest value. It may be run again and again, and goes on where
// it stopped.
type Solver struct {
	p          *energies
	components []*component
	nodes      int
}

// component is a part of the problem that shares no variable with the others.
type component struct {
	*search
	vars       []int // the variable of the whole for each of the part
	own        *energies
	second     *search // for states that are as good as the best; nil before it begins
	firstKnown bool    // best is the first of the best states
}

// New returns a solver of a product of factors over variables with card states each. Two joint
// states have equal values if their logarithms differ by slack or less. Preparations end early, and
// the search then takes longer, if stop reports true.
func New(card []int, factors []Factor, slack float64, stop func() bool) *Solver {
	s := &Solver{p: newEnergies(card, factors)}
	if s.p == nil {
		return s
	}
	tie := s.p.round + int64(math.Ceil(slack*s.p.scale))
	for _, vars := range s.p.split() {
		own := s.p.restrict(vars)
		s.components = append(s.components, &component{search: newSearch(own, tie, stop), vars: vars, own: own})
	}
	return s
}

// split returns the variables of each part.
func (p *energies) split() (parts [][]int) {
	sets := model.NewDisjointSets(len(p.card))
	for i := range p.tabs {
		for _, v := range p.tabs[i].scope {
			sets.Join(p.tabs[i].scope[0], v)
		}
	}
	of := map[int]int{}
	for v := range p.card {
		r := sets.Find(v)
		if _, ok := of[r]; !ok {
			of[r] = len(parts)
			parts = append(parts, nil)
		}
		parts[of[r]] = append(parts[of[r]], v)
	}
	return parts
}

// restrict returns the problem of some variables, numbered in their order, with the tables that
// have no others.
func (p *energies) restrict(vars []int) *energies {
	q := &energies{scale: p.scale, round: p.round}
	at := map[int]int{}
	for i, v := range vars {
		at[v] = i
		q.card = append(q.card, p.card[v])
	}
	for i := range p.tabs {
		t := table{e: p.tabs[i].e}
		if _, ok := at[p.tabs[i].scope[0]]; !ok {
			continue
		}
		for _, v := range p.tabs[i].scope {
			t.scope = append(t.scope, at[v])
		}
		q.tabs = append(q.tabs, t)
	}
	return q
}

// Start offers a joint state to begin with.
func (s *Solver) Start(x []int) {
	for _, part := range s.components {
		own := make([]int, len(part.vars))
		for i, v := range part.vars {
			own[i] = x[v]
		}
		part.improve(own, part.own.energy(own))
	}
}

// Run searches for some more nodes, or until stop reports true. The part with the loosest bound
// comes first.
func (s *Solver) Run(nodes int, stop func() bool) {
	for limit := s.nodes + nodes; s.nodes < limit && !stop(); {
		x := s.next()
		if x == nil {
			return
		}
		before := x.nodes
		switch most := min(limit-s.nodes, turn); {
		case !x.proven():
			x.run(most, stop)
		case x.second == nil || !x.second.proven() && !x.second.found:
			x.searchSecond(most, stop)
		default:
			x.firstBest(limit-s.nodes, stop)
		}
		s.nodes += max(1, x.nodes-before)
	}
}

// turn is the number of nodes after which another part may be searched.
const turn = 1 << 10

// next returns the part to search; nil if all is done.
func (s *Solver) next() (best *component) {
	most := int64(-1)
	for _, x := range s.components {
		if x.proven() && (x.firstKnown || x.best == nil) {
			continue
		}
		if gap := x.value - x.bound(); gap > most {
			best, most = x, gap
		}
	}
	return best
}

// Proven reports whether no joint state is better than the best, or none is possible.
func (s *Solver) Proven() bool {
	return s.Impossible() || !slices.ContainsFunc(s.components, func(x *component) bool { return !x.proven() })
}

// Done reports whether the best joint state is proven to be the first of those that are as good in
// the order of the variables, or none is possible.
func (s *Solver) Done() bool { return s.Impossible() || s.next() == nil }

// Unique reports whether no other joint state is as good as the best, or none is possible.
func (s *Solver) Unique() bool {
	return s.Impossible() || !slices.ContainsFunc(s.components, func(x *component) bool { return !x.unique() })
}

// Impossible reports whether no joint state has a value above 0.
func (s *Solver) Impossible() bool {
	return s.p == nil || slices.ContainsFunc(s.components, func(x *component) bool { return x.proven() && x.best == nil })
}

// Best returns the best joint state so far; nil without one.
func (s *Solver) Best() []int {
	if s.p == nil {
		return nil
	}
	out := make([]int, len(s.p.card))
	for _, x := range s.components {
		if x.best == nil {
			return nil
		}
		for i, v := range x.vars {
			out[v] = x.best[i]
		}
	}
	return out
}

// Bound returns an upper bound of the logarithm of every joint state.
func (s *Solver) Bound() float64 {
	if s.Impossible() {
		return math.Inf(-1)
	}
	sum, ties := s.p.alone, s.p.round
	for _, x := range s.components {
		sum += x.bound()
		ties += x.tie
	}
	return s.p.base - float64(sum-ties)/s.p.scale
}

// Work returns the number of rows of tables that the search looked at so far.
func (s *Solver) Work() (rows int) {
	for _, x := range s.components {
		if rows += x.work; x.second != nil {
			rows += x.second.work
		}
	}
	return rows
}

// Nodes returns the number of nodes so far.
func (s *Solver) Nodes() int { return s.nodes }
