package topdown

import "slices"

// mostRows is the most joint states that a factor may rule out for detachRedundant to try whether
// others do.
const mostRows = 4

// detachRedundant makes clauses of the factors that rule out joint states which others rule out
// too, by propagation: such a factor need not tie its variables, but still rules out impossible
// states. So more components come apart. Large factors are tried first.
func (s *search) detachRedundant(last int64) {
	var order []int32
	for f, id := range s.table {
		if n := len(s.list[id].axes); n > 1 {
			order = append(order, int32(f))
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		return len(s.list[s.table[b]].axes) - len(s.list[s.table[a]].axes)
	})
	var loose [][]int32
	for _, f := range order {
		if rows, number, ok := s.ruled(f); ok && s.steps < last {
			mark, constant := len(s.trail), s.intern(nil, nil, []int32{number})
			s.replace(f, constant)
			if !slices.ContainsFunc(rows, func(row []int32) bool { return !s.refuted(row) }) {
				loose = append(loose, rows...)
				continue
			}
			s.undo(mark)
		}
	}
	var kept, follow [][2]int32
	for _, x := range s.linked {
		s.removeImplication(x)
		if s.steps < last && s.refuted(x[:]) {
			follow = append(follow, x)
			continue
		}
		kept = append(kept, x)
		s.implied[x[0]] = append(s.implied[x[0]], implication{x[1], 0}) // no reason is asked for here
		s.implied[x[1]] = append(s.implied[x[1]], implication{x[0], 0})
	}
	s.listLinks(kept)
	for _, x := range follow {
		s.addBinary(x[0], x[1])
	}
	for _, pairs := range loose {
		s.fixed = len(s.learned) // so that none is forgotten
		s.addClause(pairs)
	}
	s.certain, s.fixed = len(kept), len(s.learned)
}

// removeImplication takes a link out of the lists of consequences.
func (s *search) removeImplication(x [2]int32) {
	for i, p := range x {
		s.implied[p] = slices.DeleteFunc(s.implied[p], func(y implication) bool { return y.pair == x[1-i] })
	}
}

// ruled returns, for each joint state that factor f rules out, the pairs that would make it
// possible, and its number elsewhere. It reports whether it has one number there, and the joint
// states are few.
func (s *search) ruled(f int32) (rows [][]int32, number int32, ok bool) {
	t, scope := &s.list[s.table[f]], s.factors[f].scope
	number = slices.Max(t.values)
	for i, x := range t.values {
		if x == number {
			continue
		}
		if x != zero || len(rows) == mostRows {
			return nil, 0, false
		}
		var row []int32
		for k, a := range t.axes {
			v, at := scope[a], i/inner(t.shape, k)%int(t.shape[k])
			for j, state := range s.sets.states(s.domain[v]) {
				if j != at {
					row = append(row, s.base[v]+state)
				}
			}
		}
		rows = append(rows, row)
	}
	return rows, number, true
}

// refuted reports whether propagation finds that one of some pairs holds.
func (s *search) refuted(pairs []int32) bool {
	mark := len(s.trail)
	ok := true
	for _, p := range pairs {
		if ok && s.possible(p) {
			ok = !s.assigned(s.varOf[p]) && s.exclude(s.varOf[p], p-s.base[s.varOf[p]])
		}
	}
	s.undo(mark)
	return !ok
}
