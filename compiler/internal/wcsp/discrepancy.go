package wcsp

import "math"

// Limited discrepancy search looks near the joint states that the order of values prefers: a path
// from the root may turn away from the preferred state of a variable a few times only (Harvey and
// Ginsberg 1995). Where the preferences are good except for a few variables, it finds better states
// than depth-first dives, which change the last decisions first. The limit doubles from one such
// search to the next. Each has a limit of nodes too, and all together one of probeShare nodes.
const (
	DefaultDiscrepancies = 64
	probeShare           = 3
	leastProbe           = 1 << 8 // nodes
)

// probing is the state of limited discrepancy searches.
type probing struct {
	most  int  // the largest limit; 0 for no such search
	limit int  // of the last
	on    bool // one is going on
	left  int  // the discrepancies that its path may still have
	end   int  // the node after which it ends
	nodes int  // of all
}

// Discrepancies sets the largest number of discrepancies of searches for better states, which is 0
// at first, for none.
func (s *Solver) Discrepancies(most int) {
	for _, x := range s.components {
		x.probes.most = most
	}
}

// due reports whether another limited discrepancy search is due after some nodes.
func (p *probing) due(nodes int) bool {
	return p.limit < p.most && p.nodes <= nodes/probeShare
}

// discrepancy counts a discrepancy; false if the path has as many as it may.
func (p *probing) discrepancy() bool {
	if !p.on {
		return true
	}
	p.left--
	return p.left >= 0
}

// probe is a limited discrepancy search from the root. The frontier stays as it is.
func (s *search) probe() {
	p, frontier, budget, before := &s.probes, s.queue, s.budget, s.nodes
	p.limit = min(max(1, 2*p.limit), p.most)
	p.on, p.left, p.end = true, p.limit, s.nodes+max(leastProbe, s.nodes/2)
	s.budget = math.MaxInt
	s.dive(&node{})
	s.queue, s.budget = frontier, budget
	p.on, p.nodes = false, p.nodes+s.nodes-before
}
