package wcsp

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Large neighbourhood search looks for better states near the best: some variables that factors
// connect are free, all others keep their states, and a dive with a limit of conflicts searches
// what that leaves (Shaw 1998). Only better states count, so that the first propagation refutes
// most small neighbourhoods, and of large ones few states are left. One of so many rows that are
// looked at is for it: the more tries were in vain, the fewer.
const (
	leastFree          = 4
	mostFree           = .75 // of the variables
	neighbourConflicts = 32
	neighbourSeed      = 1
	freshTries         = 50
	freshShare         = 2
	vainTries          = 500
	neighbourShare     = 3
	vainShare          = 8
)

// neighbourhoods is the state of large neighbourhood searches.
type neighbourhoods struct {
	rng  *rand.Rand
	work int // rows of all
	vain int // tries since the last better states
}

// due reports whether another neighbourhood is due after some rows.
func (r *neighbourhoods) due(work int) bool {
	switch {
	case r.vain < freshTries:
		return r.work <= work/freshShare
	case r.vain < vainTries:
		return r.work <= work/neighbourShare
	}
	return r.work <= work/vainShare
}

// searchNeighbourhood dives into a neighbourhood of the best states. The frontier stays as it is.
func (s *search) searchNeighbourhood() {
	r, frontier, budget, work, value := &s.neighbourhoods, s.queue, s.budget, s.work, s.value
	s.budget = neighbourConflicts
	s.dive(&node{path: s.neighbourhood()})
	s.queue, s.budget = frontier, budget
	r.work += s.work - work + len(s.p.tabs) + len(s.card)
	if r.vain++; s.value < value {
		r.vain = 0
	}
}

// neighbourhood returns decisions that give all variables but some the states of the best. A
// variable without its state of the best, which better states then do not have, is free too.
func (s *search) neighbourhood() (path []decision) {
	free := s.freeVariables()
	for v := range s.card {
		if !free[v] && s.size[v] > 1 && s.has(v, s.best[v]) {
			path = append(path, decision{int32(v), int32(s.best[v]), false})
		}
	}
	return path
}

// freeVariables returns a random set of variables with several states. It grows along the factors
// from a table that has energy in the best states, and begins anew elsewhere if it can't grow. Its
// size is spread evenly over magnitudes.
func (s *search) freeVariables() (in []bool) {
	var open []int
	for v := range s.card {
		if s.size[v] > 1 {
			open = append(open, v)
		}
	}
	in = make([]bool, len(s.card))
	used := func(v int) bool { return in[v] }
	rng, first, near := s.neighbourhoods.rng, true, s.costlyVariables()
	most := max(1, mostFree*float64(len(open))/leastFree)
	n := leastFree * math.Pow(most, rng.Float64())
	for range min(len(open), int(n)) {
		if near = slices.DeleteFunc(near, used); len(near) == 0 {
			near = slices.DeleteFunc(slices.Clone(open), used)
		}
		v := near[rng.IntN(len(near))]
		if in[v] = true; first {
			first, near = false, near[:0]
		}
		for _, p := range s.factorsOf[v] {
			for _, u := range s.facs[p.f].scope {
				if s.size[u] > 1 {
					near = append(near, int(u))
				}
			}
		}
	}
	return in
}

// costlyVariables returns the variables with several states of the tables that have energy in the
// best states, each as often as it is in one.
func (s *search) costlyVariables() (list []int) {
	for i := range s.p.tabs {
		t := &s.p.tabs[i]
		if t.at(s.p.card, s.best) == 0 {
			continue
		}
		for _, v := range t.scope {
			if s.size[v] > 1 {
				list = append(list, v)
			}
		}
	}
	return list
}
