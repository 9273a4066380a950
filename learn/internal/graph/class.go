package graph

import (
	"math"
	"slices"
)

// Of returns the class graph (CPDAG) of a structure without cycles: it directs the colliders with
// parents that are not adjacent, then all edges that follow from them.
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

// Close applies the rules of Meek until no rule applies: it directs each edge if its other
// direction would make a cycle or a new collider. If the directed edges contradict each other, an
// edge that a rule would direct against a directed path is directed along that path.
func (p *Partial) Close() {
	for changed := true; changed; {
		changed = false
		for a := range p.out {
			if !p.undirected(a) {
				continue
			}
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

// undirected reports whether v has an undirected edge.
func (p *Partial) undirected(v int) bool {
	for i, w := range p.out[v] {
		if w&p.in[v][i] != 0 {
			return true
		}
	}
	return false
}

// follows reports whether a rule directs the edge between a and b from a to b.
func (p *Partial) follows(a, b int) bool {
	inner, further := uint64(0), uint64(0)
	for i := range p.out[a] {
		toA, fromA, toB, fromB := p.in[a][i], p.out[a][i], p.in[b][i], p.out[b][i]
		if fromA&^toA&(toB&^fromB) != 0 {
			return true // a→c→b: the other direction makes a cycle
		}
		if toA&^fromA&^(toB|fromB) != 0 {
			return true // c→a, and no edge between c and b: the other direction makes a collider
		}
		inner |= toA & fromA & (toB &^ fromB)
		further |= (toA | fromA) & (toB &^ fromB)
	}
	if inner != 0 && !p.Clique(combine(p.neighbours(a), p.parents(b), and).Members()) {
		return true // a−c→b and a−d→b, and no edge between c and d: one of them would make a cycle or a collider
	}
	return further != 0 && p.fourth(a, b)
}

// fourth is Meek's fourth rule, which applies only if some directions are background knowledge:
// a−c→d→b, with an edge between a and d and none between c and b.
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

func empty(s Set) bool {
	return !slices.ContainsFunc(s, func(w uint64) bool { return w != 0 })
}

// Extend directs every edge so that no cycle and no new collider arises (Dor and Tarsi 1992). If
// that is impossible, it greedily makes few colliders, and forced is the number of variables at
// which it made one. The directed edges must not form a cycle.
//
// The algorithm removes sinks one after the other: a variable is a sink if no edge leads away from
// it and each of its neighbours is adjacent to all other variables around it. If there are several,
// it removes the last one.
func (p *Partial) Extend() (parents [][]int, forced int) {
	rest := p.Clone()
	parents = make([][]int, p.Len())
	left := make([]int, p.Len())
	loose := make([]int, p.Len()) // by variable: the result of rest.loose; unknown after a change
	for v := range left {
		left[v], loose[v] = v, unknown
	}
	for len(left) > 0 {
		at, fewest := -1, leads
		for i := len(left) - 1; i >= 0 && fewest > 0; i-- {
			v := left[i]
			if loose[v] == unknown {
				loose[v] = rest.loose(v)
			}
			if loose[v] < fewest {
				at, fewest = i, loose[v]
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
			loose[u] = unknown
		}
		left = slices.Delete(left, at, at+1)
	}
	return parents, forced
}

// The results of loose that are no counts.
const (
	unknown = -1
	leads   = math.MaxInt // an edge leads away from the variable
)

// loose counts the pairs of a neighbour of v and another variable around v that are not adjacent.
func (p *Partial) loose(v int) int {
	for i, w := range p.out[v] {
		if w&^p.in[v][i] != 0 {
			return leads
		}
	}
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
