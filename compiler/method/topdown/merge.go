package topdown

import (
	"math/bits"
	"slices"
)

// merged holds the variables of two states that follow from the state of another one, and the other
// way round, wherever the problem is not zero. They leave the search: factors have the other
// variable in their place, and its indicators are multiplied by theirs.
type merged struct {
	representative []int32    // by variable: the variable that stands for it; -1 if it stands for itself
	members        [][]member // by variable: the variables for which it stands
}

// member is a variable for which another one stands. It has state to[i] where that has state
// from[i].
type member struct {
	v        int32
	from, to [2]int32
}

func (x *merged) begin(n int) {
	x.representative, x.members = slices.Repeat([]int32{-1}, n), make([][]member, n)
}

// isRepresentative reports whether v stands for itself.
func (x *merged) isRepresentative(v int32) bool { return x.representative[v] < 0 }

// state returns the state of a member where the variable that stands for it has a state.
func (x *member) state(state int32) int32 {
	if state == x.from[0] {
		return x.to[0]
	}
	return x.to[1]
}

// merge lets another variable stand for x.v, in factors and links. Both have two states in tables.
// It returns false if nothing is possible.
func (s *search) merge(r int32, x member) bool {
	for _, y := range s.members[x.v] {
		y.from, y.to = x.from, [2]int32{y.state(x.to[0]), y.state(x.to[1])}
		s.members[r] = append(s.members[r], y)
		s.representative[y.v] = r
	}
	s.members[r], s.members[x.v] = append(s.members[r], x), nil
	s.representative[x.v] = r
	for s.live[x.v] > 0 {
		if p := s.occurrences[x.v][0]; !s.substitute(p.factor, p.axis, r, x) {
			return false
		}
	}
	for i := range s.linked {
		for k, p := range s.linked[i] {
			if s.varOf[p] == x.v {
				state := x.from[0]
				if p-s.base[x.v] == x.to[1] {
					state = x.from[1]
				}
				s.linked[i][k] = s.base[r] + state
			}
		}
	}
	return true
}

// substitute puts r in the place of the variable at a position of the scope of factor f.
func (s *search) substitute(f, position, r int32, x member) bool {
	id, scope := s.table[f], s.factors[f].scope
	if x.to[0] > x.to[1] != (x.from[0] > x.from[1]) {
		id = s.cut(&s.list[id], s.axis(id, position), []int32{1, 0})
	}
	for axes := s.heads[id].axes; axes != 0; axes &= axes - 1 {
		if a := int32(bits.TrailingZeros64(axes)); scope[a] == r {
			s.replace(f, s.diagonal(id, s.axis(id, a), s.axis(id, position)))
			return s.table[f] != impossible && s.prune(f)
		}
	}
	s.detach(f, 1<<position)
	s.table[f], scope[position] = id, r
	s.factors[f].slot[position] = int32(len(s.occurrences[r]))
	s.occurrences[r] = append(s.occurrences[r], occurrence{f, position})
	s.swap(r, int32(len(s.occurrences[r])-1), s.live[r])
	s.live[r]++
	return true
}

// diagonal returns table id where axes k and l, of the same length, have the same state, without
// axis l.
func (t *tables) diagonal(id, k, l int32) int32 {
	x := &t.list[id]
	var values []int32
	dk, dl := inner(x.shape, int(k)), inner(x.shape, int(l))
	n := int(x.shape[k])
	rest := slices.Delete(slices.Clone(x.shape), int(l), int(l)+1)
	for i := range x.values {
		if i/dl%n == 0 {
			values = append(values, x.values[i+i/dk%n*dl])
		}
	}
	return t.intern(slices.Delete(slices.Clone(x.axes), int(l), int(l)+1), rest, values)
}
