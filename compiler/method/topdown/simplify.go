package topdown

import "slices"

// The most steps of trying states before a search, and as many of trying whether factors follow
// from others: that many, or one in so many of the search's steps.
const (
	mostSimplify  = 4_000_000
	simplifyShare = 8
)

// simplify rules out states and merges variables, until that changes nothing or the steps are used
// up. It returns false if nothing is possible.
func (s *search) simplify(last int64) bool {
	for s.steps < last {
		before := len(s.trail)
		equals, ok := s.probe(last)
		if !ok {
			return false
		}
		for _, x := range equals {
			if !s.equate(x) {
				return false
			}
		}
		if !s.relink() || !s.propagate() {
			return false
		}
		if len(s.trail) == before && len(equals) == 0 {
			return true
		}
		s.extractLinks()
	}
	return true
}

// relink makes the lists of links after variables were merged. Variables that are known by now may
// not have been followed, so that it does, before links of known variables are left out. It returns
// false if nothing is possible.
func (s *search) relink() bool {
	for settled := false; !settled; {
		settled = true
		for _, x := range s.linked {
			for i, p := range x {
				q := x[1-i]
				if p != q && s.possible(p) {
					continue
				}
				if !s.possible(q) {
					return false
				}
				if v := s.varOf[q]; !s.assigned(v) {
					s.setDomain(v, s.sets.singletons[q-s.base[v]], branched)
					settled = false
				}
			}
		}
	}
	s.listLinks(slices.DeleteFunc(s.linked, func(x [2]int32) bool { return s.varOf[x[0]] == s.varOf[x[1]] }))
	return true
}

// equal is two variables of two states that determine each other.
type equal struct {
	v, w   int32
	sv, sw [2]int32 // w has state sw[i] where v has sv[i], and noComponent else
}

// probe gives each variable each of its states. It rules out those that fail, and returns the pairs
// of variables that determine each other. It returns false if nothing is possible.
func (s *search) probe(last int64) (list []equal, ok bool) {
	var follows [2][]int32
	state := make([]int32, len(s.domain)) // by variable: 1 + its state where v has its first
	for v := range int32(len(s.domain)) {
		if s.assigned(v) || !s.isRepresentative(v) || s.live[v] == 0 && len(s.neighbours[v]) == 0 {
			continue
		}
		states, possible := s.sets.states(s.domain[v]), 0
		for i, x := range states {
			if s.steps > last {
				return list, true
			}
			if !s.possible(s.base[v] + x) {
				continue
			}
			if follows[i&1], ok = s.assume(v, x, follows[i&1][:0]); ok {
				possible++
			} else if !s.exclude(v, x) {
				return nil, false
			}
		}
		if len(states) != 2 || possible < 2 {
			continue
		}
		for _, p := range follows[0] {
			state[s.varOf[p]] = 1 + p - s.base[s.varOf[p]]
		}
		for _, p := range follows[1] {
			w, is := s.varOf[p], p-s.base[s.varOf[p]]
			if was := state[w] - 1; was >= 0 && was != is && s.sets.size(s.domain[w]) == 2 {
				list = append(list, equal{v, w, [2]int32(states), [2]int32{was, is}})
			}
		}
		for _, p := range follows[0] {
			state[s.varOf[p]] = 0
		}
	}
	return list, true
}

// assume adds the consequences of a state of v to list: the pairs of variables with one state. It
// reports whether that is possible.
func (s *search) assume(v, state int32, list []int32) ([]int32, bool) {
	mark := len(s.trail)
	s.setDomain(v, s.sets.singletons[state], branched)
	ok := s.propagate()
	for _, x := range s.trail[mark:] {
		if w := x.id; ok && x.what == changedDomain && w != v && s.assigned(w) {
			list = append(list, s.base[w]+s.sets.states(s.domain[w])[0])
		}
	}
	s.undo(mark)
	return list, ok
}

// exclude rules out a state of v. It returns false if nothing is possible.
func (s *search) exclude(v, state int32) bool {
	var rest []int32
	for _, x := range s.sets.states(s.domain[v]) {
		if x != state {
			rest = append(rest, x)
		}
	}
	if len(rest) == 0 {
		return false
	}
	s.setDomain(v, s.sets.intern(rest), branched)
	return s.propagate()
}

// equate makes one of two variables that determine each other stand for the other. It returns false
// if nothing is possible.
func (s *search) equate(x equal) bool {
	v, sv := s.representativeOf(x.v, x.sv)
	w, sw := s.representativeOf(x.w, x.sw)
	if v == w {
		return sv == sw
	}
	if s.assigned(v) || s.assigned(w) {
		for i := range sv {
			a, b := s.possible(s.base[v]+sv[i]), s.possible(s.base[w]+sw[i])
			if a == b {
				continue
			}
			if a {
				v, sv, w, sw = w, sw, v, sv
			}
			if s.assigned(w) {
				return false
			}
			s.setDomain(w, s.sets.singletons[sw[1-i]], branched)
			return true
		}
		return true
	}
	return s.merge(v, member{w, sv, sw})
}

// representativeOf returns the variable that stands for v, and its states where v has states.
func (s *search) representativeOf(v int32, states [2]int32) (int32, [2]int32) {
	r := s.representative[v]
	if r < 0 {
		return v, states
	}
	x := s.members[r][slices.IndexFunc(s.members[r], func(x member) bool { return x.v == v })]
	if x.to != states {
		x.from[0], x.from[1] = x.from[1], x.from[0]
	}
	return r, x.from
}
