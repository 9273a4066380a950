package wcsp

// mostChecks bounds existential checks of a propagation, by variable that was touched.
const (
	gapShare   = 10 // an existential check that raises the constant by less than 2^-gapShare of the gap is left
	mostChecks = 4
)

// propagate makes the network arc consistent in three ways, until nothing changes: a state of a
// variable has energy 0 in some row of each factor; it has so with the energies of the later
// variables, for the first variable of a factor; and some state of each variable has, for all of
// its factors. It is false if no joint state of less than top is left.
func (n *network) propagate() bool {
	for checks := 0; ; {
		if n.lower >= n.top || !n.enforceArc() {
			return false
		}
		if v := n.directionalQueue.popMax(); v >= 0 {
			n.queueExistential(v)
			if !n.enforceDirectional(v) {
				return false
			}
			continue
		}
		if n.lower != n.pruned && !n.pruneAll() {
			return false
		}
		if !n.arcQueue.empty() {
			continue
		}
		v := n.existentialQueue.popMin()
		if v < 0 || checks > mostChecks*len(n.card) {
			return true
		}
		checks++
		if !n.existentialSupport(v) {
			return false
		}
	}
}

// enforceArc projects the factors of variables that lost states.
func (n *network) enforceArc() bool {
	for v := n.arcQueue.popMin(); v >= 0; v = n.arcQueue.popMin() {
		if !n.projectUnary(v) {
			return false
		}
		for _, p := range n.factorsOf[v] {
			f := &n.facs[p.f]
			if n.rows(f) > mostRows {
				continue
			}
			if f.open == 0 || f.open == 1 && n.size[v] > 1 {
				if !n.project(p.f, int(p.at)) {
					return false
				}
				continue
			}
			for i, u := range f.scope {
				if int(u) != v && n.size[u] > 1 && !n.project(p.f, i) {
					return false
				}
			}
		}
	}
	return true
}

// queueExistential puts v and its neighbours among those that need an existential check.
func (n *network) queueExistential(v int) {
	n.existentialQueue.set(v)
	for _, p := range n.factorsOf[v] {
		for _, u := range n.facs[p.f].scope {
			if n.size[u] > 1 {
				n.existentialQueue.set(int(u))
			}
		}
	}
}

// enforceDirectional moves energies of v through its factors to their first variables.
func (n *network) enforceDirectional(v int) bool {
	for _, p := range n.factorsOf[v] {
		f := &n.facs[p.f]
		if f.open == 0 || f.open == 1 && n.size[v] > 1 {
			continue
		}
		if at := n.firstOpen(f); at != int(p.at) && n.rows(f) <= mostRows && !n.fullSupport(p.f, at) {
			return false
		}
	}
	return true
}

// firstOpen returns the place of the first variable of a factor that has several states; -1 of
// none.
func (n *network) firstOpen(f *factor) int {
	best := -1
	for i, u := range f.scope {
		if n.size[u] > 1 && (best < 0 || u < f.scope[best]) {
			best = i
		}
	}
	return best
}

// existentialSupport makes sure that a state of v has no energy in any of its factors with the
// energies of their other variables; if none has, moving these raises the constant.
func (n *network) existentialSupport(v int) bool {
	if n.size[v] < 2 {
		return true
	}
	total := make([]int64, n.card[v])
	copy(total, n.unary(v))
	for _, p := range n.factorsOf[v] {
		f := &n.facs[p.f]
		if n.rows(f) > mostRows || !n.othersHaveCosts(f, int(p.at)) {
			continue
		}
		for i := range f.scope {
			n.weigh(f, i, 1)
		}
		n.weigh(f, int(p.at), 0)
		n.minima(f, int(p.at))
		for _, k := range n.states(v) {
			total[k] = add(total[k], n.out[k])
		}
	}
	least := inf
	for _, k := range n.states(v) {
		least = min(least, total[k])
	}
	if least <= (n.top-n.lower)>>gapShare {
		return true
	}
	for _, p := range n.factorsOf[v] {
		if n.rows(&n.facs[p.f]) <= mostRows && !n.fullSupport(p.f, int(p.at)) {
			return false
		}
	}
	return true
}

// pruneAll removes the states that the constant has made too much.
func (n *network) pruneAll() bool {
	n.pruned = n.lower
	for v := range n.card {
		if n.size[v] > 1 && !n.prune(v) {
			return false
		}
	}
	return true
}

// assign leaves v one state.
func (n *network) assign(v, k int) {
	for i := int(n.size[v]) - 1; i >= 0; i-- {
		if s := n.domain[int(n.first[v])+i]; int(s) != k {
			n.remove(v, int(s))
		}
	}
}

// begin propagates a network that was never looked at.
func (n *network) begin() bool {
	for v := range n.card {
		n.arcQueue.set(v)
		if !n.projectUnary(v) {
			return false
		}
	}
	return n.propagate()
}

// sweep moves energies along the variables in order, or against it: each variable takes what its
// factors have, and shares it among those that have a variable to come (sequential tree-reweighted
// message passing). It is false after a contradiction.
func (n *network) sweep(back bool) bool {
	for i := range n.card {
		v := i
		if back {
			v = len(n.card) - 1 - i
		}
		if n.size[v] < 2 {
			continue
		}
		ahead, behind := 0, 0
		for _, p := range n.factorsOf[v] {
			f := &n.facs[p.f]
			if n.rows(f) > mostRows {
				continue
			}
			if !n.project(p.f, int(p.at)) {
				return false
			}
			if n.reachesAhead(f, v, back) {
				ahead++
			}
			if n.reachesAhead(f, v, !back) {
				behind++
			}
		}
		n.distribute(v, ahead, max(ahead, behind), back)
	}
	return true
}

// reachesAhead reports whether a factor of v has an open variable after it, or before it.
func (n *network) reachesAhead(f *factor, v int, back bool) bool {
	for _, u := range f.scope {
		if n.size[u] > 1 && (int(u) > v) != back && int(u) != v {
			return true
		}
	}
	return false
}

// distribute moves a part of the energies of v to each factor ahead.
func (n *network) distribute(v, ahead, parts int, back bool) {
	if ahead == 0 {
		return
	}
	first := n.first[v]
	for _, k := range n.states(v) {
		n.need[k] = n.cost[first+k] / int64(parts)
	}
	for _, p := range n.factorsOf[v] {
		f := &n.facs[p.f]
		if n.rows(f) > mostRows || !n.reachesAhead(f, v, back) {
			continue
		}
		for _, k := range n.states(v) {
			at := f.delta[p.at] + k
			n.setCost(at, n.cost[at]-n.need[k])
			n.setCost(first+k, n.cost[first+k]-n.need[k])
		}
	}
}
