package graph

import "slices"

// Of gives the class graph of a structure without cycles: its colliders whose parents have no edge between them are directed, and then what
// follows from them.
func Of(parents [][]int) *Partial {
	p := New(len(parents))
	for v, list := range parents {
		for _, u := range list {
			p.Join(u, v)
		}
	}
	collide := p.Clone()
	for v, list := range parents {
		for _, u := range list {
			if slices.ContainsFunc(list, func(w int) bool { return w != u && !p.Adjacent(u, w) }) {
				collide.Direct(u, v)
			}
		}
	}
	collide.Close()
	return collide
}

// Close directs all edges whose other direction would make a cycle or a new collider, by the rules of Meek, until none is left. An
// edge that a rule would direct against a way along directed edges, which happens only where those contradict each other, goes along
// that way.
func (p *Partial) Close() {
	for changed := true; changed; {
		changed = false
		for a := range p.out {
			for _, b := range p.Neighbours(a) {
				if !p.Undirected(a, b) || !p.follows(a, b) {
					continue
				}
				if p.Leads(b, a) {
					p.Direct(b, a)
				} else {
					p.Direct(a, b)
				}
				changed = true
			}
		}
	}
}

// follows reports whether the edge between a and b must lead from a to b.
func (p *Partial) follows(a, b int) bool {
	if meet(p.children(a), p.parents(b)) {
		return true // a→c→b: the other direction makes a cycle
	}
	if rest := combine(p.parents(a), p.around(b), butNot); !empty(rest) {
		return true // c→a, and no edge between c and b: the other direction makes a collider
	}
	inner := combine(p.neighbours(a), p.parents(b), and).Members()
	if !p.Clique(inner) {
		return true // a−c→b and a−d→b, and no edge between c and d: one of them would make a cycle or a collider
	}
	return p.fourth(a, b)
}

// fourth is the rule that is needed only where directions are known from elsewhere: a−c→d→b, with an edge between a and d and none between
// c and b.
func (p *Partial) fourth(a, b int) bool {
	for _, d := range combine(p.around(a), p.parents(b), and).Members() {
		ends := combine(p.neighbours(a), p.parents(d), and)
		ends = combine(ends, p.around(b), butNot)
		if ends.Drop(b); !empty(ends) {
			return true
		}
	}
	return false
}

func meet(a, b Set) bool { return !empty(combine(a, b, and)) }

func empty(s Set) bool {
	return !slices.ContainsFunc(s, func(w uint64) bool { return w != 0 })
}

// Extend gives each edge a direction, so that there is neither a cycle nor a collider that was not there before. Where that can't be, it
// makes as few colliders as it sees how to, and forced is the number of variables at which it made some. The directed edges must not make
// a cycle.
//
// A variable becomes a sink if no edge leads away from it, and each of its neighbours is adjacent to all others around it; it is taken out,
// and so on. The last of several such variables is taken.
func (p *Partial) Extend() (parents [][]int, forced int) {
	rest := p.Clone()
	parents = make([][]int, p.Len())
	left := make([]int, p.Len())
	for v := range left {
		left[v] = v
	}
	for len(left) > 0 {
		at, fewest := -1, 0
		for i := len(left) - 1; i >= 0; i-- {
			if !empty(rest.children(left[i])) {
				continue
			}
			if n := rest.loose(left[i]); at < 0 || n < fewest {
				if at, fewest = i, n; n == 0 {
					break
				}
			}
		}
		if at < 0 {
			panic("graph: the directed edges make a cycle")
		}
		if fewest > 0 {
			forced++
		}
		v := left[at]
		parents[v] = rest.Around(v)
		for _, u := range parents[v] {
			rest.Cut(u, v)
		}
		left = slices.Delete(left, at, at+1)
	}
	return parents, forced
}

// loose is the number of pairs of a neighbour of v and another variable around v without an edge between them.
func (p *Partial) loose(v int) int {
	n, around := 0, p.Around(v)
	for _, u := range p.Neighbours(v) {
		for _, w := range around {
			if u != w && !p.Adjacent(u, w) {
				n++
			}
		}
	}
	return n
}
