package wcsp

import "math/bits"

// network is a problem between a reparameterisation and the next: what was projected from factors,
// the energies of single variables, the states that are left, and a trail that restores them.
type network struct {
	card      []int
	facs      []factor
	factorsOf [][]place // by variable
	first     []int32   // by variable: where its states begin in cost, domain and position
	// cost has the energies of single states, then for each factor and place in its scope the
	// energy that was projected from the factor to each state of that variable.
	cost     []int64
	domain   []int32 // the states that are left, from first of each variable on
	position []int32 // by state: its place in domain
	size     []int32 // by variable: how many states are left
	lower    int64   // the constant: a lower bound
	top      int64   // energies from here on are too large: joint states of them are not searched
	weight   []float64
	last     int // the factor of the last projection

	trail []undo
	saved []int32 // by place in cost: the level at which it was last saved
	level int32   // every mark, and every return to one, begins another

	arcQueue, directionalQueue, existentialQueue marks // variables that wait for arc consistency, directional and existential
	pruned                                       int64 // the constant when the states of all variables were last pruned
	w                                            [][]int64
	out, need                                    []int64
	open                                         []int // places of the factor at hand with several states
	work                                         int   // rows looked at so far
}

// factor is a table in the network.
type factor struct {
	scope  []int32
	stride []int32
	e      []int64
	delta  []int32 // by place: where the energies projected from it begin in cost
	open   int32   // how many of its variables have several states
}

// place is a factor of a variable, and the variable's place in its scope.
type place struct{ f, at int32 }

// undo restores a number of cost, the constant (-1), or how many states variable -2-at has.
type undo struct {
	at  int32
	old int64
}

// mostRows bounds the rows of a factor, over the states that are left, that propagation looks at. A
// larger factor waits until some of its variables have fewer states.
const mostRows = 1 << 13

// newNetwork returns a network of p. Variables without tables have one state, the first.
func newNetwork(p *energies) *network {
	card := p.card
	n := &network{card: card, factorsOf: make([][]place, len(card)), arcQueue: newMarks(len(card)), directionalQueue: newMarks(len(card)), existentialQueue: newMarks(len(card)),
		lower: p.alone, top: p.alone + 1, last: -1}
	states, most := 0, 1
	for _, k := range card {
		n.first = append(n.first, int32(states))
		states += k
		most = max(most, k)
	}
	n.cost, n.domain, n.position = make([]int64, states), make([]int32, states), make([]int32, states)
	arity := 1
	for i := range p.tabs {
		t := &p.tabs[i]
		n.addFactor(t)
		arity = max(arity, len(t.scope))
		n.top += t.most()
	}
	for v, k := range card {
		n.size = append(n.size, int32(k))
		for s := range k {
			n.domain[int(n.first[v])+s], n.position[int(n.first[v])+s] = int32(s), int32(s)
		}
		if len(n.factorsOf[v]) == 0 && !n.hasUnary(v) {
			n.size[v] = 1
		}
		if k > 1 {
			n.countOpen(v, 1)
		}
	}
	n.saved = make([]int32, len(n.cost))
	for range arity {
		n.w = append(n.w, make([]int64, most))
	}
	n.out, n.need = make([]int64, most), make([]int64, most)
	return n
}

// hasUnary reports if v has energies of its own.
func (n *network) hasUnary(v int) bool {
	for k := range n.card[v] {
		if n.unary(v)[k] != 0 {
			return true
		}
	}
	return false
}

// addFactor adds a table; a table of one variable is its energies.
func (n *network) addFactor(t *table) {
	if len(t.scope) == 1 {
		for k, e := range t.e {
			u := n.unary(t.scope[0])
			u[k] = add(u[k], e)
		}
		return
	}
	f := factor{e: t.e}
	step := int32(len(t.e))
	for i, v := range t.scope {
		step /= int32(n.card[v])
		f.scope, f.stride, f.delta = append(f.scope, int32(v)), append(f.stride, step), append(f.delta, int32(len(n.cost)))
		n.cost = append(n.cost, make([]int64, n.card[v])...)
		n.factorsOf[v] = append(n.factorsOf[v], place{int32(len(n.facs)), int32(i)})
	}
	n.facs, n.weight = append(n.facs, f), append(n.weight, 1)
}

// unary returns the energies of v, by state.
func (n *network) unary(v int) []int64 { return n.cost[n.first[v]:][:n.card[v]] }

// states returns the states that v has left.
func (n *network) states(v int) []int32 { return n.domain[n.first[v]:][:n.size[v]] }

// has reports whether v has state k left.
func (n *network) has(v, k int) bool { return n.position[int(n.first[v])+k] < n.size[v] }

// setCost changes a number of cost.
func (n *network) setCost(at int32, x int64) {
	if n.saved[at] != n.level {
		n.saved[at] = n.level
		n.trail = append(n.trail, undo{at, n.cost[at]})
	}
	n.cost[at] = x
}

// raiseLower adds to the constant.
func (n *network) raiseLower(x int64) {
	n.trail = append(n.trail, undo{-1, n.lower})
	n.lower += x
}

// remove takes state k from v; false if it was the last.
func (n *network) remove(v, k int) bool {
	at := n.first[v]
	n.trail = append(n.trail, undo{-2 - int32(v), int64(n.size[v])})
	n.size[v]--
	i, last := n.position[int(at)+k], n.size[v]
	other := n.domain[at+last]
	n.domain[at+i], n.domain[at+last] = other, int32(k)
	n.position[at+other], n.position[int(at)+k] = i, last
	n.arcQueue.set(v)
	if last == 1 {
		n.countOpen(v, -1)
	}
	return last > 0
}

// countOpen counts v as one of the variables with several states of its factors, or with -1 no
// longer.
func (n *network) countOpen(v int, by int32) {
	for _, p := range n.factorsOf[v] {
		n.facs[p.f].open += by
	}
}

// mark begins a level and returns what back needs to end it.
func (n *network) mark() int {
	n.level++
	return len(n.trail)
}

// backtrack restores the state at a mark.
func (n *network) backtrack(at int) {
	for i := len(n.trail) - 1; i >= at; i-- {
		switch u := n.trail[i]; {
		case u.at >= 0:
			n.cost[u.at] = u.old
		case u.at == -1:
			n.lower = u.old
		default:
			v := -2 - u.at
			if n.size[v] < 2 && u.old > 1 {
				n.countOpen(int(v), 1)
			}
			n.size[v] = int32(u.old)
		}
	}
	n.trail = n.trail[:at]
	n.level++ // what an outer level saved is saved once more, which restores it as well
	n.arcQueue.clear()
	n.directionalQueue.clear()
	n.existentialQueue.clear()
}

// marks is a set of variables.
type marks []uint64

func newMarks(n int) marks { return make(marks, (n+63)/64) }

func (m marks) set(v int) { m[v>>6] |= 1 << (v & 63) }

func (m marks) clear() { clear(m) }

// popMin removes and returns the least variable; -1 of none.
func (m marks) popMin() int {
	for i, x := range m {
		if x != 0 {
			m[i] = x & (x - 1)
			return i<<6 + bits.TrailingZeros64(x)
		}
	}
	return -1
}

// popMax removes and returns the largest variable; -1 of none.
func (m marks) popMax() int {
	for i := len(m) - 1; i >= 0; i-- {
		if m[i] != 0 {
			b := 63 - bits.LeadingZeros64(m[i])
			m[i] &^= 1 << b
			return i<<6 + b
		}
	}
	return -1
}

// empty reports whether the set has no variable.
func (m marks) empty() bool {
	for _, x := range m {
		if x != 0 {
			return false
		}
	}
	return true
}
