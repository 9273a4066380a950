package topdown

import "slices"

// scanned is the number of variables in a row that are looked at in the time of a step.
const scanned = 16

// links holds the factors that are clauses of two pairs: in models of logic, most of all factors.
// Such a factor ties its variables while both have several states. Once one has lost a state, it
// gives the other one its state or is constant, so that neither tables nor keys need to follow it.
type links struct {
	linked     [][2]int32      // the clauses, sorted
	implied    [][]implication // by pair: what holds if it is ruled out
	neighbours [][]int32       // by variable: the variables that links tie to it, each once
}

// implication is a pair that holds because of a clause.
type implication struct{ pair, clause int32 }

// extractLinks turns factors into links if their tables are clauses of two pairs. What is left of
// such a factor is its number.
func (s *search) extractLinks() {
	for f := range s.factors {
		list, number := s.binaryClauses(int32(f))
		if s.linked = append(s.linked, list...); len(list) > 0 {
			s.replace(int32(f), s.intern(nil, nil, []int32{number}))
		}
	}
	s.listLinks(s.linked)
}

// listLinks makes list the links, except links of variables that are known.
func (s *search) listLinks(list [][2]int32) {
	slices.SortFunc(list, func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) })
	list = slices.DeleteFunc(slices.Compact(list), func(x [2]int32) bool {
		return s.assigned(s.varOf[x[0]]) || s.assigned(s.varOf[x[1]])
	})
	clear(s.implied)
	clear(s.neighbours)
	s.learned, s.pairs, s.linked = s.learned[:0], 0, list
	for _, x := range list {
		s.addBinary(x[0], x[1])
		s.neighbours[s.varOf[x[0]]] = append(s.neighbours[s.varOf[x[0]]], s.varOf[x[1]])
		s.neighbours[s.varOf[x[1]]] = append(s.neighbours[s.varOf[x[1]]], s.varOf[x[0]])
	}
	for v, list := range s.neighbours {
		slices.Sort(list)
		s.neighbours[v] = slices.Compact(list)
	}
	s.fixed = len(s.learned)
}

// addBinary adds a clause of two pairs, which is never forgotten.
func (s *search) addBinary(p, q int32) {
	c := int32(len(s.learned))
	s.learned = append(s.learned, clause{pairs: []int32{p, q}})
	s.pairs += 2
	s.implied[p] = append(s.implied[p], implication{q, c})
	s.implied[q] = append(s.implied[q], implication{p, c})
}

// binaryClauses returns the clauses of two pairs that say the same as the table of factor f, and
// the number that it has elsewhere; none if there are no such clauses.
func (s *search) binaryClauses(f int32) (list [][2]int32, number int32) {
	t := &s.list[s.table[f]]
	if !slices.Equal(t.shape, []int32{2, 2}) {
		return nil, zero
	}
	number = slices.Max(t.values)
	for i, x := range t.values {
		switch x {
		case number:
		case zero:
			p := s.otherPair(f, t.axes[0], i>>1)
			q := s.otherPair(f, t.axes[1], i&1)
			list = append(list, [2]int32{min(p, q), max(p, q)})
		default:
			return nil, zero
		}
	}
	return list, number
}

// otherPair returns the pair of the variable of two states at a position of the scope of factor f,
// with the state that is not at that place.
func (s *search) otherPair(f, position int32, place int) int32 {
	v := s.factors[f].scope[position]
	return s.base[v] + s.sets.states(s.domain[v])[1-place]
}

// implies reports whether something holds if pair p is ruled out.
func (s *search) implies(p int32) bool { return len(s.implied[p]) > 0 }

// propagateLinks gives variables the states that they must have since pair p is ruled out. It
// returns false if one has lost that state.
func (s *search) propagateLinks(p int32) bool {
	list := s.implied[p]
	s.steps += int64(len(list)+scanned-1) / scanned
	for _, x := range list {
		switch v := s.varOf[x.pair]; {
		case !s.possible(x.pair):
			s.conflicting = x.clause
			return false
		case !s.assigned(v):
			s.setDomain(v, s.sets.singletons[x.pair-s.base[v]], firstClause-x.clause)
		}
	}
	return true
}
