package topdown

import (
	"cmp"
	"slices"
)

// clauses holds what conflicts have taught. A pair is a variable and one of its states; a clause is
// a list of pairs, one of which every possible joint state has. It is learned from the changes that
// led to a conflict, and gives a variable its state once all other pairs are ruled out. Two pairs
// of each clause are watched, so that a change costs a look only at the clauses that watch it.
type clauses struct {
	base        []int32   // by variable: its first pair; that of state s is base[v]+s
	varOf       []int32   // by pair: its variable
	trailAt     []int32   // by pair: the place in the trail of the change that ruled it out; -1 if it is possible
	watch       [][]int32 // by pair: the clauses that watch it
	learned     []clause
	certain     int     // the first so many of learned are factors
	fixed       int     // the first so many of learned are never forgotten
	free        []int32 // places in learned of forgotten clauses
	pending     []int32 // pairs whose watching clauses are to be looked at
	conflicting int32   // the clause at which propagation failed last; -1 if it failed at a factor
	marked      []bool  // by pair: it is in the clause that is being learned
	pairs       int     // of all clauses
	maxClauses  int     // clauses to keep
	clock       int32   // conflicts so far
}

// clause is a learned clause. The first two pairs are watched.
type clause struct {
	pairs []int32 // nil once it is forgotten
	used  int32   // the last conflict that it took part in
}

// The reasons of changes that are not factors, by their numbers: branches, and clauses below them.
const (
	branched    int32 = -1
	firstClause int32 = -2
)

// The most clauses at first, by how much that grows whenever half of them have been forgotten, and
// the size of those that are never forgotten.
const (
	initialClauses = 4096
	clauseGrowth   = 1.2
	shortClause    = 3
)

// begin makes room for the pairs of variables with the given numbers of states.
func (c *clauses) begin(cards []int) {
	for v, n := range cards {
		c.base = append(c.base, int32(len(c.varOf)))
		for range n {
			c.varOf, c.trailAt = append(c.varOf, int32(v)), append(c.trailAt, -1)
		}
	}
	c.watch, c.marked, c.maxClauses = make([][]int32, len(c.varOf)), make([]bool, len(c.varOf)), initialClauses
}

// possible reports whether a pair is not ruled out.
func (c *clauses) possible(p int32) bool { return c.trailAt[p] < 0 }

// ruleOut notes that v has lost the states of old that now lacks, by the change at a place of the
// trail.
func (s *search) ruleOut(v, old, now, at int32) {
	left := s.sets.states(now)
	for _, x := range s.sets.states(old) {
		if len(left) > 0 && left[0] == x {
			left = left[1:]
			continue
		}
		p := s.base[v] + x
		if s.trailAt[p] = at; len(s.watch[p]) > 0 || s.implies(p) {
			s.pending = append(s.pending, p)
		}
	}
}

// restore takes back ruleOut.
func (s *search) restore(v, old, now int32) {
	left := s.sets.states(now)
	for _, x := range s.sets.states(old) {
		if len(left) > 0 && left[0] == x {
			left = left[1:]
			continue
		}
		s.trailAt[s.base[v]+x] = -1
	}
}

// visitWatchers looks at the clauses that watch pair p, which is ruled out. It returns false if one
// of them has no pair left.
func (s *search) visitWatchers(p int32) bool {
	list := s.watch[p]
	kept := list[:0]
	s.steps += int64(len(list))
	for i, c := range list {
		pairs := s.learned[c].pairs
		if pairs[0] == p {
			pairs[0], pairs[1] = pairs[1], p
		}
		if other := pairs[0]; s.possible(other) && s.assigned(s.varOf[other]) {
			kept = append(kept, c)
			continue
		}
		if k := slices.IndexFunc(pairs[2:], s.possible); k >= 0 {
			pairs[1], pairs[2+k] = pairs[2+k], p
			s.watch[pairs[1]] = append(s.watch[pairs[1]], c)
			continue
		}
		if kept = append(kept, c); !s.propagateUnit(c) {
			s.watch[p] = append(kept, list[i+1:]...)
			return false
		}
	}
	s.watch[p] = kept
	return true
}

// propagateUnit gives the variable of clause c's first pair its state, since no other pair is
// possible. It returns false if that one is not either.
func (s *search) propagateUnit(c int32) bool {
	p := s.learned[c].pairs[0]
	if !s.possible(p) {
		s.conflicting = c
		return false
	}
	if v := s.varOf[p]; !s.assigned(v) {
		s.setDomain(v, s.sets.singletons[p-s.base[v]], firstClause-c)
	}
	return true
}

// add adds a clause with pairs in the order in which they were ruled out, the last first, and
// returns its number.
func (s *search) addClause(pairs []int32) int32 {
	if len(s.learned)-len(s.free)-s.fixed >= s.maxClauses {
		s.forget()
		s.maxClauses = int(float64(s.maxClauses) * clauseGrowth)
	}
	c := int32(len(s.learned))
	if n := len(s.free); n > 0 {
		c, s.free = s.free[n-1], s.free[:n-1]
	} else {
		s.learned = append(s.learned, clause{})
	}
	s.learned[c] = clause{pairs, s.clock}
	s.pairs += len(pairs)
	if len(pairs) > 1 {
		s.watch[pairs[0]] = append(s.watch[pairs[0]], c)
		s.watch[pairs[1]] = append(s.watch[pairs[1]], c)
	}
	return c
}

// forget drops half of the clauses: those that took part in no conflict for the longest time, but
// neither short ones nor reasons of the present changes.
func (s *search) forget() {
	keep := make([]bool, len(s.learned))
	for i := range s.trail {
		if x := &s.trail[i]; x.what == changedDomain && x.why <= firstClause {
			keep[firstClause-x.why] = true
		}
	}
	var old []int32
	for c := s.fixed; c < len(s.learned); c++ {
		if n := len(s.learned[c].pairs); n > shortClause && !keep[c] {
			old = append(old, int32(c))
		}
	}
	slices.SortStableFunc(old, func(a, b int32) int { return cmp.Compare(s.learned[a].used, s.learned[b].used) })
	for _, c := range old[:len(old)/2] {
		s.pairs -= len(s.learned[c].pairs)
		s.learned[c].pairs = nil
		s.free = append(s.free, c)
	}
	for p, list := range s.watch {
		s.watch[p] = slices.DeleteFunc(list, func(c int32) bool { return s.learned[c].pairs == nil })
	}
}

// clauseBytes is the memory of a clause besides its pairs and the pairs of its place.
const clauseBytes = 64

// bytes returns about how much memory the tables and clauses take.
func (s *search) bytes() int64 {
	return s.tables.bytes() + clauseBytes*int64(len(s.learned)) + 4*int64(s.pairs)
}
