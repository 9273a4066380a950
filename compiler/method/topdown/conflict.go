package topdown

import "slices"

// conflict is the analysis of a failed propagation.
type conflict struct {
	*search
	rootEnd, levelStart int32   // places in the trail: of the first branch, and of the last
	open                int     // marked pairs that the last branch, or what followed from it, ruled out
	lower               []int32 // the other marked pairs
	involved            []int32 // the variables of all pairs that were ever marked
}

// learn returns the pairs of the clause that the failed propagation teaches, the last one ruled out
// first, and the variables that took part. The clause has one pair that the last branch or what
// followed from it ruled out (the first unique implication point: Marques-Silva and Sakallah 1999;
// Zhang et al. 2001), or the pairs of the branch itself, if its variable has lost several states.
// It is nil if the failure needs no branch.
func (s *search) learn(levels []int32) (pairs, vars []int32) {
	s.clock++
	if len(levels) == 0 {
		return nil, nil
	}
	x := conflict{search: s, rootEnd: levels[0], levelStart: levels[len(levels)-1]}
	if s.conflicting >= 0 {
		x.clause(s.conflicting, -1)
	} else {
		x.explain(s.failedFactor, -1, int32(len(s.trail)))
	}
	pairs = x.resolve()
	for _, p := range pairs {
		s.marked[p] = false
	}
	slices.SortStableFunc(pairs, func(a, b int32) int { return int(s.trailAt[b] - s.trailAt[a]) })
	return pairs, x.involved
}

// resolve replaces marked pairs, the last one first, by the pairs that ruled them out, and returns
// the remaining ones.
func (x *conflict) resolve() []int32 {
	var here []int32
	for i := int32(len(x.trail)) - 1; i >= x.levelStart && x.open > 0; i-- {
		c := x.trail[i]
		if c.what != changedDomain {
			continue
		}
		here = here[:0]
		for _, state := range x.sets.states(c.old) {
			if p := x.base[c.id] + state; x.marked[p] && x.trailAt[p] == i {
				here = append(here, p)
			}
		}
		if len(here) == x.open && (len(here) == 1 || c.why == branched) {
			return append(x.lower, here...)
		}
		for _, p := range here {
			x.marked[p] = false
			x.open--
			if c.why >= 0 {
				x.explain(c.why, p, i)
			} else {
				x.clause(firstClause-c.why, c.id)
			}
		}
	}
	return x.lower
}

// mark adds a pair, which is ruled out, unless no branch was needed for that.
func (x *conflict) mark(p int32) {
	if x.marked[p] || x.trailAt[p] < x.rootEnd {
		return
	}
	x.marked[p] = true
	x.involved = append(x.involved, x.varOf[p])
	if x.trailAt[p] >= x.levelStart {
		x.open++
	} else {
		x.lower = append(x.lower, p)
	}
}

// clause marks the pairs of a clause, except the pair of variable v.
func (x *conflict) clause(c, v int32) {
	x.learned[c].used = x.clock
	for _, p := range x.learned[c].pairs {
		if x.varOf[p] != v {
			x.mark(p)
		}
	}
}

// mostExplained is the most numbers of a factor with rows that are looked at one by one.
const mostExplained = 1 << 12

// explain marks pairs that were ruled out before a place of the trail and leave nothing but zeros
// of factor f; with pair p, unless it is negative. Of a row it marks the pair that went first,
// unless one is marked already.
func (x *conflict) explain(f, p, before int32) {
	t, scope := &x.list[x.rootTable[f]], x.factors[f].scope
	if len(t.values) > mostExplained {
		x.explainAll(scope, p, before)
		return
	}
	x.steps += int64(len(t.values) / 16)
	state := make([]int32, len(t.axes))
	for _, number := range t.values {
		if number != zero {
			x.row(t, scope, state, p, before)
		}
		for k := len(state) - 1; k >= 0; k-- {
			if state[k]++; state[k] < t.shape[k] {
				break
			}
			state[k] = 0
		}
	}
}

// row marks a pair of a row that was ruled out.
func (x *conflict) row(t *table, scope, state []int32, p, before int32) {
	first := int32(-1)
	for k, a := range t.axes {
		v := scope[a]
		q := x.base[v] + x.sets.states(x.rootDomain[v])[state[k]]
		if p >= 0 && v == x.varOf[p] {
			if q != p {
				return // a row without p
			}
			continue
		}
		at := x.trailAt[q]
		if at < 0 || at >= before {
			continue
		}
		if x.marked[q] || at < x.rootEnd {
			return
		}
		if first < 0 || at < x.trailAt[first] {
			first = q
		}
	}
	x.mark(first)
}

// explainAll marks all pairs of a scope that were ruled out before a place of the trail, except the
// pairs of the variable of p.
func (x *conflict) explainAll(scope []int32, p, before int32) {
	for _, v := range scope {
		if p >= 0 && v == x.varOf[p] {
			continue
		}
		for state := range x.sets.states(x.full[v]) {
			if q := x.base[v] + int32(state); x.trailAt[q] >= 0 && x.trailAt[q] < before {
				x.mark(q)
			}
		}
	}
}
