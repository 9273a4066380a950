package ges

import (
	"slices"

	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/score"
)

// operator changes the edge between x and y in a class, together with some neighbours of y. It adds
// or deletes the edge from x to y in those structures of the class in which exactly these
// neighbours of y are its parents.
type operator struct {
	x, y  int
	set   []int // insertion: the neighbours of y that become its parents; deletion: those that become its children
	clear []int // insertion: every path back from y to x must pass through this set
	gain  float64
}

// space defines the operators that the search considers, and their scores.
type space struct {
	s    *score.Cache
	most int     // most parents
	over float64 // an operator is listed if it gains more than this

	rules *network.Rules // no operator deletes a required edge
}

// family joins lists of parents of y. ok is false if the family is too large.
func (g *space) family(y int, lists ...[]int) (parents []int, ok bool) {
	parents = slices.Concat(lists...)
	return parents, len(parents) <= g.most && g.s.Fits(y, parents...)
}

// inserts lists the insertions of an edge from x to y that improve the score. It does not check for
// paths from y to x.
func (g *space) inserts(p *graph.Partial, x, y int) (list []operator) {
	if x == y || p.Adjacent(x, y) {
		return nil
	}
	parents := p.Parents(y)
	common, free := split(p, y, x)
	if !p.Clique(common) {
		return nil
	}
	free = slices.DeleteFunc(free, func(v int) bool { return !joined(p, v, common) })
	cliques(p, free, func(set []int) bool {
		with, ok := g.family(y, parents, common, set, []int{x})
		if !ok {
			return false
		}
		if gain := g.s.Family(y, with...) - g.s.Family(y, with[:len(with)-1]...); gain > g.over {
			list = append(list, operator{x, y, slices.Clone(set), slices.Concat(common, set), gain})
		}
		return true
	})
	return list
}

// deletes lists the deletions of the edge from x to y, or between them, that improve the score.
func (g *space) deletes(p *graph.Partial, x, y int) (list []operator) {
	if !p.Directed(x, y) && !p.Undirected(x, y) || g.rules.Required[[2]int{x, y}] || g.rules.Required[[2]int{y, x}] {
		return nil
	}
	parents := slices.DeleteFunc(p.Parents(y), func(v int) bool { return v == x })
	common, _ := split(p, y, x)
	cliques(p, common, func(keep []int) bool {
		with := slices.Concat(parents, keep, []int{x})
		if gain := g.s.Family(y, with[:len(with)-1]...) - g.s.Family(y, with...); gain > g.over {
			rest := slices.DeleteFunc(slices.Clone(common), func(v int) bool { return slices.Contains(keep, v) })
			list = append(list, operator{x: x, y: y, set: rest, gain: gain})
		}
		return true
	})
	return list
}

// split returns the neighbours of y that are adjacent to x, and the others.
func split(p *graph.Partial, y, x int) (common, free []int) {
	for _, v := range p.Neighbours(y) {
		switch {
		case v == x:
		case p.Adjacent(v, x):
			common = append(common, v)
		default:
			free = append(free, v)
		}
	}
	return common, free
}

// joined reports whether v is adjacent to all of vars.
func joined(p *graph.Partial, v int, vars []int) bool {
	return !slices.ContainsFunc(vars, func(u int) bool { return !p.Adjacent(u, v) })
}

// cliques calls f for each clique within vars, the empty one first. If f returns false, cliques
// skips all supersets of that clique. The argument of f is reused by the next call.
func cliques(p *graph.Partial, vars []int, f func(set []int) bool) {
	var grow func(set, rest []int)
	grow = func(set, rest []int) {
		if !f(set) {
			return
		}
		for i, v := range rest {
			var next []int
			for _, u := range rest[i+1:] {
				if p.Adjacent(u, v) {
					next = append(next, u)
				}
			}
			grow(append(set, v), next)
		}
	}
	grow(nil, vars)
}

// insert returns the class after an insertion.
func insert(p *graph.Partial, o *operator) *graph.Partial {
	q := p.Clone()
	q.Direct(o.x, o.y)
	for _, v := range o.set {
		q.Direct(v, o.y)
	}
	return complete(q)
}

// remove returns the class after a deletion.
func remove(p *graph.Partial, o *operator) *graph.Partial {
	q := p.Clone()
	q.Cut(o.x, o.y)
	for _, v := range o.set {
		q.Direct(o.y, v)
		if q.Undirected(o.x, v) {
			q.Direct(o.x, v)
		}
	}
	return complete(q)
}

// complete returns the class of the structures that extend a graph. A valid operator leaves at
// least one.
func complete(p *graph.Partial) *graph.Partial {
	parents, forced := p.Extend()
	if forced > 0 {
		panic("ges: an operator leaves no structure")
	}
	return graph.Of(parents)
}
