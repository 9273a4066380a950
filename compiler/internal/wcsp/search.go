package wcsp

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/internal/heap"
)

// A dive ends after some conflicts, which grow while the frontier is reached again and again, so
// that returning to a node takes a small share of the work. Before there are any states, dives
// begin at the root, with a limit of conflicts that grows from one to the next.
const (
	restartConflicts = 30
	restartGrowth    = 1.3
	mostRestarts     = 20
	firstConflicts   = 1
	mostConflicts    = 1 << 10
	leastShare       = 20 // of the nodes of a dive, one in so many or fewer serve to return
	mostShare        = 10
	mostFrontier     = 1 << 17
	sweepRounds      = 300
	sweepStall       = 3   // rounds
	sweepShare       = 500 // a round has to raise the constant by one such part of the gap
	decay            = .999
)

// search looks for the states of least energy of one part of a problem.
type search struct {
	*network
	p              *energies // the part, without what was eliminated
	eliminated     []eliminated
	tie            int64
	queue          heap.Heap[*node]
	path           []decision
	full           []int // a joint state, of which complete makes another
	best           []int // the best so far; nil of none
	value          int64 // its energy
	ready          bool  // the root is consistent
	nodeLimit      bool  // nodes are limited in dives too, which are then without end
	anyStates      bool  // the search ends with the first states that it finds
	other          []int // the search ends with the first states that differ from these; nil without any
	found          bool  // it has
	probes         probing
	neighbourhoods neighbourhoods

	nodes, limit int
	number       int // of the last node of the frontier
	restarts     int
	conflicts    int
	budget       int // conflicts of a dive
	stop         func() bool
	stopped      bool // the whole search
	ended        bool // the dive
	gain         float64
	conflict     int // the variable of the last conflict, which is decided next; -1 of none
}

// decision gives v state k, or takes it.
type decision struct {
	v, k int32
	not  bool
}

// node is a subspace of the frontier.
type node struct {
	bound  int64
	number int
	path   []decision
}

// Before reports whether n is to be searched before another node: if its bound is less, or equal
// and it is newer.
func (n *node) Before(other *node) bool {
	if n.bound != other.bound {
		return n.bound < other.bound
	}
	return n.number > other.number
}

// newSearch returns a search of p. Of two energies that differ by tie or less neither is better.
func newSearch(p *energies, tie int64, stop func() bool) *search {
	s := &search{tie: tie, value: inf, full: make([]int, len(p.card)), budget: firstConflicts, gain: 1, conflict: -1}
	s.neighbourhoods.rng = rand.New(rand.NewPCG(neighbourSeed, 0))
	s.p, s.eliminated = eliminate(p, stop)
	s.network = newNetwork(s.p)
	s.queue.Push(&node{})
	return s
}

// improve takes a joint state if it is better than the best so far.
func (s *search) improve(x []int, value int64) {
	if value >= inf || s.best != nil && value >= s.value-s.tie {
		return
	}
	s.best, s.value = slices.Clone(x), value
	s.top = value - s.tie
	if s.anyStates {
		s.stopped, s.ended = true, true
	}
}

// bound returns an energy that no joint state is below.
func (s *search) bound() int64 {
	if len(s.queue) == 0 || s.queue[0].bound >= s.value {
		return s.value
	}
	return s.queue[0].bound
}

// proven reports whether no joint state is better than the best.
func (s *search) proven() bool {
	for len(s.queue) > 0 && s.ready && s.queue[0].bound >= s.top {
		s.queue.Pop()
	}
	return len(s.queue) == 0
}

// run searches until all is proven, after some more nodes, or when stop reports true. A dive comes
// to its end after the last node.
func (s *search) run(nodes int, stop func() bool) {
	s.limit, s.stop, s.stopped = s.nodes+nodes, stop, false
	if !s.ready && !s.root() {
		s.queue = nil
		return
	}
	for !s.stopped && s.nodes < s.limit && !s.proven() {
		if s.best == nil && s.other == nil && s.restarts < mostRestarts {
			s.restart()
			continue
		}
		if s.best != nil && s.probes.due(s.nodes) {
			s.probe()
			continue
		}
		if s.best != nil && s.neighbourhoods.due(s.work) {
			s.searchNeighbourhood()
			continue
		}
		s.dive(s.queue.Pop())
	}
}

// root makes the network consistent before the first dive; false after a contradiction.
func (s *search) root() bool {
	s.ready = true
	if !s.begin() {
		return false
	}
	s.level++
	for stall, round := 0, 0; stall < sweepStall && round < sweepRounds && !s.stop(); round++ {
		before := s.lower
		if !s.sweep(false) || !s.sweep(true) || !s.propagate() {
			return false
		}
		if stall++; s.lower-before > (s.top-s.lower)/sweepShare {
			stall = 0
		}
	}
	s.trail = s.trail[:0]
	return s.lower < s.top
}

// dive searches the subspace of a node depth first, until its budget of conflicts is spent; its
// rest is in the frontier then.
func (s *search) dive(x *node) {
	at := s.mark()
	s.path = append(s.path[:0], x.path...)
	s.conflicts, s.ended = 0, false
	before := s.nodes
	if s.restore() {
		s.descend()
	}
	s.backtrack(at)
	switch spent := s.nodes - before; {
	case len(x.path)*leastShare < spent:
		s.budget = max(firstConflicts, s.budget/2)
	case len(x.path)*mostShare > spent:
		s.budget = min(2*s.budget, mostConflicts)
	}
}

// restart looks for first states from the root, with a limit of conflicts that grows from one time
// to the next. Only the weights of factors remain of a dive that finds none.
func (s *search) restart() {
	s.budget = int(restartConflicts * math.Pow(restartGrowth, float64(s.restarts)))
	s.restarts++
	s.queue = nil
	if s.dive(&node{bound: s.lower}); s.best == nil && s.ended {
		s.queue = heap.Heap[*node]{{bound: s.lower}}
	}
	s.budget = firstConflicts
}

// restore repeats the decisions of the path.
func (s *search) restore() bool {
	for _, d := range s.path {
		if !s.decide(d) {
			return false
		}
	}
	return s.propagate()
}

// decide changes the states of a variable; false if none is left.
func (s *search) decide(d decision) bool {
	v, k := int(d.v), int(d.k)
	switch {
	case !d.not && !s.has(v, k):
		return false
	case !d.not:
		s.assign(v, k)
	case s.has(v, k):
		return s.remove(v, k)
	}
	return true
}

// descend searches below the present node, which is consistent.
func (s *search) descend() {
	for {
		v := s.chooseVariable()
		if v < 0 {
			s.leaf()
			return
		}
		s.nodes++
		if s.nodes&63 == 0 && s.stop() || s.nodeLimit && s.nodes >= s.limit {
			s.stopped = true
		}
		s.ended = s.ended || s.probes.on && s.nodes > s.probes.end
		if s.stopped || s.ended {
			s.pushFrontier()
			return
		}
		k, depth := s.chooseState(v), len(s.path)
		at := s.mark()
		s.path = append(s.path, decision{int32(v), int32(k), false})
		left := s.probes.left
		if s.assign(v, k); s.propagate() {
			s.descend()
		} else {
			s.recordConflict(v)
		}
		s.backtrack(at)
		s.probes.left = left
		s.path = append(s.path[:depth], decision{int32(v), int32(k), true})
		if s.lower >= s.top || !s.probes.discrepancy() || !s.remove(v, k) {
			return
		}
		if s.ended || s.stopped {
			s.pushFrontier()
			return
		}
		if !s.propagate() {
			s.recordConflict(v)
			return
		}
	}
}

// pushFrontier leaves the present node to the frontier.
func (s *search) pushFrontier() {
	s.number++
	s.queue.Push(&node{s.lower, s.number, slices.Clone(s.path)})
}

// recordConflict counts a conflict after a decision about v.
func (s *search) recordConflict(v int) {
	s.conflict = v
	if s.last >= 0 {
		s.weight[s.last] += s.gain
	}
	if s.gain /= decay; s.gain > 1e100 {
		for f := range s.weight {
			s.weight[f] *= 1e-100
		}
		s.gain *= 1e-100
	}
	if s.conflicts++; s.conflicts >= s.budget && len(s.queue) < mostFrontier {
		s.ended = true
	}
}

// chooseVariable returns the variable to decide; -1 if all have one state.
func (s *search) chooseVariable() int {
	if v := s.conflict; v >= 0 && s.size[v] > 1 {
		return v
	}
	best, least := -1, math.Inf(1)
	for v := range s.card {
		if s.size[v] < 2 {
			continue
		}
		sum := 1e-9
		for _, p := range s.factorsOf[v] {
			if s.facs[p.f].open > 1 {
				sum += s.weight[p.f]
			}
		}
		if x := float64(s.size[v]) / sum; x < least {
			best, least = v, x
		}
	}
	return best
}

// chooseState returns the state to try first: the value of the best states if its energy is least,
// otherwise the first of the least energy.
func (s *search) chooseState(v int) int {
	best, least := -1, inf
	u := s.unary(v)
	for _, k := range s.states(v) {
		if x := u[k]; x < least || x == least && int(k) < best {
			best, least = int(k), x
		}
	}
	if s.best != nil && s.has(v, s.best[v]) && u[s.best[v]] == least {
		return s.best[v]
	}
	return best
}

// leaf takes over the joint state of a node where nothing is left to decide.
func (s *search) leaf() {
	differ := false
	for v := range s.card {
		s.full[v] = int(s.states(v)[0])
		differ = differ || s.other != nil && len(s.factorsOf[v]) > 0 && s.full[v] != s.other[v]
	}
	if s.other != nil {
		s.found = s.found || differ
		s.stopped, s.ended = s.found, s.ended || s.found
		return
	}
	complete(s.p, s.eliminated, s.full)
	s.improve(s.full, s.lower)
}
