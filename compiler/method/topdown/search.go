package topdown

import (
	"math/bits"
	"slices"
)

// search holds the states that are still possible for each variable, the rest of each factor at
// these states, the trail to undo both, and the clauses learned from conflicts.
type search struct {
	*tables
	clauses
	links
	merged
	factors     []factor
	occurrences [][]occurrence // by variable: the factors that have it, and where; those that depend on it first
	live        []int32        // by variable: the number of factors that depend on it
	full        []int32        // by variable: the set of all its states
	domain      []int32        // by variable: the set of its states
	applied     []int32        // by variable: the set that the tables of its factors know
	table       []int32        // by factor: the table that is left
	rootTable   []int32        // by factor: the table at the root of the search
	rootDomain  []int32        // by variable: the set of its states then

	trail        []change
	queue        []int32 // variables with a domain that is not applied
	steps        int64   // tables and clauses looked at
	failedFactor int32   // the factor at which propagation failed last
}

// factor is a factor of the model by the numbers of its variables, without variables of one state.
type factor struct {
	scope []int32
	slot  []int32 // by position: the place of the factor in the list at of the variable
}

// occurrence is a position of the scope of a factor.
type occurrence struct{ factor, axis int32 }

// change is an old value of domain, applied or table.
type change struct {
	what    changed
	id, old int32
	why     int32 // of a domain: the factor that ruled states out, branched, or at most firstClause
}

type changed uint8

const (
	changedDomain changed = iota
	changedApplied
	changedTable
)

// newSearch returns the search over variables with the given numbers of states.
func newSearch(cards []int) *search {
	s := &search{tables: newTables(newSets()), occurrences: make([][]occurrence, len(cards)), live: make([]int32, len(cards))}
	for _, n := range cards {
		set := s.sets.below(n)
		s.full, s.domain, s.applied = append(s.full, set), append(s.domain, set), append(s.applied, set)
	}
	s.clauses.begin(cards)
	s.merged.begin(len(cards))
	s.implied, s.neighbours = make([][]implication, len(s.varOf)), make([][]int32, len(cards))
	return s
}

// add adds a factor, given by the symbols of its numbers, row-major.
func (s *search) add(vars []int32, values []int32) {
	f := int32(len(s.factors))
	scope := slices.DeleteFunc(slices.Clone(vars), s.assigned)
	axes, shape, slot := make([]int32, len(scope)), make([]int32, len(scope)), make([]int32, len(scope))
	for k, v := range scope {
		axes[k], shape[k] = int32(k), int32(s.sets.size(s.domain[v]))
		slot[k] = int32(len(s.occurrences[v]))
		s.occurrences[v] = append(s.occurrences[v], occurrence{f, int32(k)})
	}
	s.factors = append(s.factors, factor{scope, slot})
	id := s.intern(axes, shape, values)
	s.table, s.rootTable = append(s.table, id), append(s.rootTable, id)
	for axes := s.heads[id].axes; axes != 0; axes &= axes - 1 {
		a := bits.TrailingZeros64(axes)
		s.swap(scope[a], slot[a], s.live[scope[a]])
		s.live[scope[a]]++
	}
}

// swap swaps two factors in the list of v.
func (s *search) swap(v, i, j int32) {
	list := s.occurrences[v]
	list[i], list[j] = list[j], list[i]
	s.factors[list[i].factor].slot[list[i].axis] = i
	s.factors[list[j].factor].slot[list[j].axis] = j
}

// begin prepares a search of that many steps. It returns false if nothing is possible.
func (s *search) begin(steps int64) bool {
	most := min(mostSimplify, steps/simplifyShare)
	if !s.reduce() || !s.simplify(s.steps+most) {
		return false
	}
	s.detachRedundant(s.steps + most)
	s.setRoot()
	return true
}

// reduce rules out the states at which some factor is zero, and makes links. It returns false if
// nothing is possible.
func (s *search) reduce() bool {
	for f := range s.factors {
		if s.table[f] == impossible || !s.prune(int32(f)) {
			return false
		}
	}
	if !s.propagate() {
		return false
	}
	s.extractLinks()
	return true
}

// setRoot makes the present state the one from which conflicts are explained. Clauses that were
// reasons before may have other numbers now.
func (s *search) setRoot() {
	for i := range s.trail {
		s.trail[i].why = branched
	}
	copy(s.rootTable, s.table)
	s.rootDomain = slices.Clone(s.domain)
}

// assigned reports whether v has one possible state.
func (s *search) assigned(v int32) bool { return s.sets.size(s.domain[v]) == 1 }

// setDomain makes set the domain of v, which has more states, for a reason.
func (s *search) setDomain(v, set, why int32) {
	s.ruleOut(v, s.domain[v], set, int32(len(s.trail)))
	s.trail = append(s.trail, change{changedDomain, v, s.domain[v], why})
	s.domain[v] = set
	s.queue = append(s.queue, v)
}

// propagate enters changed domains into the tables of factors, and rules out states at which a
// table is zero or that clauses leave no room for, until nothing changes. It returns false if a
// table, a domain or a clause becomes empty.
func (s *search) propagate() bool {
	s.conflicting = -1
	ok := true
	for ok {
		if n := len(s.pending); n > 0 {
			p := s.pending[n-1]
			s.pending = s.pending[:n-1]
			ok = s.propagateLinks(p) && s.visitWatchers(p)
		} else if n := len(s.queue); n > 0 {
			v := s.queue[n-1]
			s.queue = s.queue[:n-1]
			ok = s.applied[v] == s.domain[v] || s.applyDomain(v)
		} else {
			return true
		}
	}
	s.pending, s.queue = s.pending[:0], s.queue[:0]
	return false
}

// applyDomain enters the domain of v. Factors that no longer depend on v leave its list, and one
// that was looked at before takes the place.
func (s *search) applyDomain(v int32) bool {
	from, set := s.applied[v], s.domain[v]
	s.trail = append(s.trail, change{what: changedApplied, id: v, old: from})
	s.applied[v] = set
	list := s.occurrences[v][:s.live[v]]
	s.steps += int64(len(list))
	keep := s.sets.places(from, set)
	kept := s.sets.states(keep)
	for i := len(list) - 1; i >= 0; i-- {
		p := list[i]
		old := s.table[p.factor]
		var now int32
		if len(kept) == 1 {
			now = s.fix(old, p.axis, kept[0])
		} else {
			now = s.restrict(old, p.axis, keep)
		}
		if now == impossible {
			s.failedFactor = p.factor
			return false
		}
		s.replace(p.factor, now)
		if s.heads[now].prunes && !s.prune(p.factor) {
			return false
		}
	}
	return true
}

// replace makes now the table of factor f.
func (s *search) replace(f, now int32) {
	old := s.table[f]
	s.trail = append(s.trail, change{what: changedTable, id: f, old: old})
	s.table[f] = now
	s.detach(f, s.heads[old].axes&^s.heads[now].axes)
}

// detach takes factor f out of the lists of the variables at some positions of its scope, on which
// it no longer depends.
func (s *search) detach(f int32, axes uint64) {
	x := &s.factors[f]
	for ; axes != 0; axes &= axes - 1 {
		a := bits.TrailingZeros64(axes)
		v := x.scope[a]
		s.live[v]--
		if x.slot[a] != s.live[v] {
			s.swap(v, x.slot[a], s.live[v])
		}
	}
}

// attach takes back detach. The factor is behind the factors of the list still.
func (s *search) attach(f int32, axes uint64) {
	for ; axes != 0; axes &= axes - 1 {
		s.live[s.factors[f].scope[bits.TrailingZeros64(axes)]]++
	}
}

// prune rules out the states at which the table of factor f is zero.
func (s *search) prune(f int32) bool {
	t := &s.list[s.table[f]]
	for k, keep := range t.keep {
		if keep == all {
			continue
		}
		v := s.factors[f].scope[t.axes[k]]
		set := s.sets.meet(s.domain[v], s.applied[v], keep)
		switch {
		case s.sets.size(set) == 0:
			s.failedFactor = f
			return false
		case set != s.domain[v]:
			s.setDomain(v, set, f)
		}
	}
	return true
}

// undo takes back what changed since the trail had that length.
func (s *search) undo(mark int) {
	for i := len(s.trail) - 1; i >= mark; i-- {
		switch c := &s.trail[i]; c.what {
		case changedDomain:
			s.restore(c.id, c.old, s.domain[c.id])
			s.domain[c.id] = c.old
		case changedApplied:
			s.applied[c.id] = c.old
		default:
			s.attach(c.id, s.heads[c.old].axes&^s.heads[s.table[c.id]].axes)
			s.table[c.id] = c.old
		}
	}
	s.trail = s.trail[:mark]
}
