package topdown

// search holds the states that are still possible for each variable, what they leave of each
// factor, how to undo both, and what was learned from conflicts.
type search struct {
	*tables
	clauses
	factors []factor
	at      [][]place // by variable: the factors that have it, and where
	full    []int32   // by variable: the set of all its states
	domain  []int32   // by variable: the set of its states
	entered []int32   // by variable: the set that the tables of its factors know
	table   []int32   // by factor: the table that is left
	whole   []int32   // by factor: the table before anything was ruled out

	trail []change
	queue []int32 // variables whose domain is not entered
	steps int64   // tables and clauses looked at
	empty int32   // the factor at which propagation failed last
}

// factor is a factor of the model by the numbers of its variables.
type factor struct{ scope []int32 }

// place is a position of the scope of a factor.
type place struct{ factor, axis int32 }

// change is an old value of domain, entered or table.
type change struct {
	what    changed
	of, old int32
	why     int32 // of a domain: the factor that ruled states out, branched, or at most firstClause
}

type changed uint8

const (
	changedDomain changed = iota
	changedEntered
	changedTable
)

// newSearch returns the search over variables with the given numbers of states.
func newSearch(cards []int) *search {
	s := &search{tables: newTables(newSets()), at: make([][]place, len(cards))}
	for _, n := range cards {
		set := s.sets.upTo(n)
		s.full, s.domain, s.entered = append(s.full, set), append(s.domain, set), append(s.entered, set)
	}
	s.clauses.begin(cards)
	return s
}

// add adds a factor, given by the symbols of its numbers, row-major.
func (s *search) add(scope []int32, values []int32) {
	f := int32(len(s.factors))
	var axes, shape []int32
	for k, v := range scope {
		s.at[v] = append(s.at[v], place{f, int32(k)})
		axes, shape = append(axes, int32(k)), append(shape, int32(s.sets.size(s.domain[v])))
	}
	s.factors = append(s.factors, factor{scope})
	id := s.intern(axes, shape, values)
	s.table, s.whole = append(s.table, id), append(s.whole, id)
}

// begin rules out the states at which some factor is zero. It returns false if nothing is possible.
func (s *search) begin() bool {
	for f := range s.factors {
		if s.table[f] == impossible || !s.prune(int32(f)) {
			return false
		}
	}
	return s.propagate()
}

// known reports whether v has one possible state.
func (s *search) known(v int32) bool { return s.sets.size(s.domain[v]) == 1 }

// limit makes set the domain of v, which has more states, for a reason.
func (s *search) limit(v, set, why int32) {
	s.ruleOut(v, s.domain[v], set, int32(len(s.trail)))
	s.trail = append(s.trail, change{changedDomain, v, s.domain[v], why})
	s.domain[v] = set
	s.queue = append(s.queue, v)
}

// propagate enters changed domains into the tables of factors, and rules out states at which a
// table is zero or that clauses leave no room for, until nothing changes. It returns false if a
// table, a domain or a clause becomes empty.
func (s *search) propagate() bool {
	s.broken = -1
	ok := true
	for ok {
		if n := len(s.gone); n > 0 {
			p := s.gone[n-1]
			s.gone = s.gone[:n-1]
			ok = s.ask(p)
		} else if n := len(s.queue); n > 0 {
			v := s.queue[n-1]
			s.queue = s.queue[:n-1]
			ok = s.entered[v] == s.domain[v] || s.enter(v)
		} else {
			return true
		}
	}
	s.gone, s.queue = s.gone[:0], s.queue[:0]
	return false
}

// enter enters the domain of v.
func (s *search) enter(v int32) bool {
	set := s.domain[v]
	keep := s.sets.places(s.entered[v], set)
	s.trail = append(s.trail, change{what: changedEntered, of: v, old: s.entered[v]})
	s.entered[v] = set
	s.steps += int64(len(s.at[v]))
	for _, p := range s.at[v] {
		old := s.table[p.factor]
		k := axis(s.list[old].axes, p.axis)
		if k < 0 {
			continue
		}
		now := s.restrict(old, k, keep)
		if now == impossible {
			s.empty = p.factor
			return false
		}
		s.trail = append(s.trail, change{what: changedTable, of: p.factor, old: old})
		s.table[p.factor] = now
		if !s.prune(p.factor) {
			return false
		}
	}
	return true
}

// axis returns the place of a position of the scope among axes, or -1.
func axis(axes []int32, position int32) int32 {
	for k, a := range axes {
		if a == position {
			return int32(k)
		}
	}
	return -1
}

// prune rules out the states at which the table of factor f is zero.
func (s *search) prune(f int32) bool {
	t := &s.list[s.table[f]]
	for k, keep := range t.keep {
		if keep == all {
			continue
		}
		v := s.factors[f].scope[t.axes[k]]
		set := s.sets.meet(s.domain[v], s.entered[v], keep)
		switch {
		case s.sets.size(set) == 0:
			s.empty = f
			return false
		case set != s.domain[v]:
			s.limit(v, set, f)
		}
	}
	return true
}

// undo takes back what changed since the trail had that length.
func (s *search) undo(mark int) {
	for i := len(s.trail) - 1; i >= mark; i-- {
		switch c := s.trail[i]; c.what {
		case changedDomain:
			s.restore(c.of, c.old, s.domain[c.of])
			s.domain[c.of] = c.old
		case changedEntered:
			s.entered[c.of] = c.old
		default:
			s.table[c.of] = c.old
		}
	}
	s.trail = s.trail[:mark]
}
