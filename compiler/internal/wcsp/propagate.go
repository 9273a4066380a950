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
		if n.base >= n.top || !n.consistent() {
			return false
		}
		if v := n.raised.final(); v >= 0 {
			n.ask(v)
			if !n.direct(v) {
				return false
			}
			continue
		}
		if n.base != n.sum && !n.pruneAll() {
			return false
		}
		if !n.removed.empty() {
			continue
		}
		v := n.check.first()
		if v < 0 || checks > mostChecks*len(n.card) {
			return true
		}
		checks++
		if !n.exists(v) {
			return false
		}
	}
}

// consistent projects the factors of variables that lost states.
func (n *network) consistent() bool {
	for v := n.removed.first(); v >= 0; v = n.removed.first() {
		if !n.settle(v) {
			return false
		}
		for _, p := range n.of[v] {
			f := &n.facs[p.f]
			if n.rows(f) > mostRows {
				continue
			}
			if f.open == 0 || f.open == 1 && n.left[v] > 1 {
				if !n.project(p.f, int(p.at)) {
					return false
				}
				continue
			}
			for i, u := range f.scope {
				if int(u) != v && n.left[u] > 1 && !n.project(p.f, i) {
					return false
				}
			}
		}
	}
	return true
}

// ask puts v and its neighbours among those that need an existential check.
func (n *network) ask(v int) {
	n.check.set(v)
	for _, p := range n.of[v] {
		for _, u := range n.facs[p.f].scope {
			if n.left[u] > 1 {
				n.check.set(int(u))
			}
		}
	}
}

// direct hands energies of v to the first variables of its factors.
func (n *network) direct(v int) bool {
	for _, p := range n.of[v] {
		f := &n.facs[p.f]
		if f.open == 0 || f.open == 1 && n.left[v] > 1 {
			continue
		}
		if at := n.leader(f); at != int(p.at) && n.rows(f) <= mostRows && !n.support(p.f, at) {
			return false
		}
	}
	return true
}

// leader returns the place of the first variable of a factor that has several states; -1 of none.
func (n *network) leader(f *factor) int {
	best := -1
	for i, u := range f.scope {
		if n.left[u] > 1 && (best < 0 || u < f.scope[best]) {
			best = i
		}
	}
	return best
}

// exists makes sure that a state of v has no energy in any of its factors with the energies of
// their other variables; if none has, moving these raises the constant.
func (n *network) exists(v int) bool {
	if n.left[v] < 2 {
		return true
	}
	total := make([]int64, n.card[v])
	copy(total, n.unary(v))
	for _, p := range n.of[v] {
		f := &n.facs[p.f]
		if n.rows(f) > mostRows || !n.burdened(f, int(p.at)) {
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
	if least <= (n.top-n.base)>>gapShare {
		return true
	}
	for _, p := range n.of[v] {
		if n.rows(&n.facs[p.f]) <= mostRows && !n.support(p.f, int(p.at)) {
			return false
		}
	}
	return true
}

// pruneAll removes the states that the constant has made too much.
func (n *network) pruneAll() bool {
	n.sum = n.base
	for v := range n.card {
		if n.left[v] > 1 && !n.prune(v) {
			return false
		}
	}
	return true
}

// assign leaves v one state.
func (n *network) assign(v, k int) {
	for i := int(n.left[v]) - 1; i >= 0; i-- {
		if s := n.vals[int(n.first[v])+i]; int(s) != k {
			n.remove(v, int(s))
		}
	}
}

// begin propagates a network that was never looked at.
func (n *network) begin() bool {
	for v := range n.card {
		n.removed.set(v)
		if !n.settle(v) {
			return false
		}
	}
	return n.propagate()
}

// sweep hands energies along the variables in order, or against it: each variable takes what its
// factors have, and shares it among those that have a variable to come (sequential tree-reweighted
// message passing). It is false after a contradiction.
func (n *network) sweep(back bool) bool {
	for i := range n.card {
		v := i
		if back {
			v = len(n.card) - 1 - i
		}
		if n.left[v] < 2 {
			continue
		}
		ahead, behind := 0, 0
		for _, p := range n.of[v] {
			f := &n.facs[p.f]
			if n.rows(f) > mostRows {
				continue
			}
			if !n.project(p.f, int(p.at)) {
				return false
			}
			if n.beyond(f, v, back) {
				ahead++
			}
			if n.beyond(f, v, !back) {
				behind++
			}
		}
		n.share(v, ahead, max(ahead, behind), back)
	}
	return true
}

// beyond reports whether a factor of v has an open variable after it, or before it.
func (n *network) beyond(f *factor, v int, back bool) bool {
	for _, u := range f.scope {
		if n.left[u] > 1 && (int(u) > v) != back && int(u) != v {
			return true
		}
	}
	return false
}

// share hands a part of the energies of v to each factor ahead.
func (n *network) share(v, ahead, parts int, back bool) {
	if ahead == 0 {
		return
	}
	first := n.first[v]
	for _, k := range n.states(v) {
		n.need[k] = n.cost[first+k] / int64(parts)
	}
	for _, p := range n.of[v] {
		f := &n.facs[p.f]
		if n.rows(f) > mostRows || !n.beyond(f, v, back) {
			continue
		}
		for _, k := range n.states(v) {
			at := f.handed[p.at] + k
			n.set(at, n.cost[at]-n.need[k])
			n.set(first+k, n.cost[first+k]-n.need[k])
		}
	}
}
