package wcsp

import "math"

// searchSecond looks for another joint state that is as good as the best. Without one, the best is
// the first.
func (x *component) searchSecond(nodes int, stop func() bool) {
	s := x.second
	if s == nil {
		s = newSearch(x.own, 0, stop)
		s.other, s.value, s.top = x.best, inf, x.value+x.tie+1
		x.second = s
	}
	before := s.nodes
	s.run(nodes, stop)
	x.nodes += s.nodes - before
	x.firstKnown = x.unique()
}

// unique reports whether searchSecond has shown that no other joint state is as good.
func (x *component) unique() bool {
	s := x.second
	return s != nil && !s.found && s.proven() && s.unique(x.best, x.tie)
}

// unique reports whether each eliminated variable has one best state, given the states of the
// variables that went after it.
func (s *search) unique(best []int, tie int64) bool {
	x := append([]int(nil), best...)
	for _, d := range s.eliminated {
		least := d.energy(s.card, x)
		for k := range s.card[d.v] {
			if x[d.v] = k; k != best[d.v] && d.energy(s.card, x) <= least+tie {
				return false
			}
		}
		x[d.v] = best[d.v]
	}
	return true
}

// firstBest replaces the best states by the first of those that are as good, in the order of the
// whole: variable by variable it asks whether a state below the best one's has a joint state that
// is as good, given the states of the variables before it. It takes some nodes at most.
func (x *component) firstBest(nodes int, stop func() bool) {
	own := *x.own
	own.tabs = append([]table(nil), own.tabs...)
	own.absorb()
	s := &search{network: newNetwork(&own), p: &own, tie: 0, full: make([]int, len(own.card)), gain: 1, conflict: -1, stop: stop, limit: nodes}
	s.best, s.value, s.top = x.best, x.value, x.value+x.tie+1
	defer func() { x.nodes, x.work = x.nodes+s.nodes, x.work+s.work }()
	if !s.root() {
		x.firstKnown = true // rounding alone may have taken the best states themselves
		return
	}
	for v := range x.best {
		for k := 0; k < x.best[v]; k++ {
			if !s.has(v, k) {
				continue
			}
			found, all := s.extend(v, k)
			if !all {
				return
			}
			if found != nil {
				x.best = found
				break
			}
			if s.remove(v, k); !s.propagate() {
				x.firstKnown = true
				return
			}
		}
		if s.assign(v, x.best[v]); !s.propagate() {
			break
		}
	}
	x.firstKnown = true
}

// extend returns a joint state of less than top that gives v state k; nil of none. It reports
// whether the search came to its end.
func (s *search) extend(v, k int) (found []int, all bool) {
	at := s.mark()
	defer func() { s.backtrack(at) }()
	s.queue, s.path, s.anyStates, s.nodeLimit = nil, s.path[:0], true, true
	s.stopped, s.ended, s.conflicts, s.budget = false, false, 0, math.MaxInt
	keep, value, top := s.best, s.value, s.top
	s.best, s.value = nil, inf
	if s.assign(v, k); s.propagate() {
		s.descend()
	}
	found, all = s.best, s.best != nil || !s.stopped
	s.best, s.value, s.top = keep, value, top
	return found, all
}
