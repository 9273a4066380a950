package ges

import (
	"math"
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

	failed int // the last step for which it was not valid
}

// space defines the operators that the search considers, and their scores.
type space struct {
	s    *score.Cache
	most int     // most parents
	over float64 // an operator is listed if it gains more than this, which is rounding, see score.Tie

	rules *network.Rules // no operator deletes a required edge
}

// inserts lists the insertions of an edge to y from each of xs that improve the score, in any order
// of x. It does not check for paths back from y.
func (g *space) inserts(p *graph.Partial, y int, xs []int) (list []operator) {
	parents, near := p.Parents(y), p.Neighbours(y)
	xs = slices.DeleteFunc(slices.Clone(xs), func(x int) bool { return x == y || p.Adjacent(x, y) })
	for len(xs) > 0 {
		common, free := split(p, near, xs[0])
		var same, rest []int // by whether they are adjacent to the same neighbours of y
		for _, x := range xs {
			if slices.ContainsFunc(near, func(v int) bool { return p.Adjacent(v, x) != p.Adjacent(v, xs[0]) }) {
				rest = append(rest, x)
			} else {
				same = append(same, x)
			}
		}
		if p.Clique(common) {
			free = slices.DeleteFunc(free, func(v int) bool { return !joined(p, v, common) })
			cliques(p, free, func(set []int) bool {
				gains := g.gains(y, slices.Concat(parents, common, set), same)
				for i, gain := range gains {
					if gain > g.over {
						list = append(list, operator{x: same[i], y: y, set: slices.Clone(set), clear: slices.Concat(common, set), gain: gain})
					}
				}
				return gains != nil
			})
		}
		xs = rest
	}
	return list
}

// gains returns what the score of y with some parents gains by each of xs as a further one, -Inf if
// the family is too large. It returns nil if all families are.
func (g *space) gains(y int, parents, xs []int) []float64 {
	if len(parents) >= g.most || !g.s.Fits(y, parents...) {
		return nil
	}
	var fit, at []int
	for i, x := range xs {
		if g.s.Fits(y, append(parents, x)...) {
			fit, at = append(fit, x), append(at, i)
		}
	}
	if len(fit) == 0 {
		return nil
	}
	scores, gains := make([]float64, len(fit)), make([]float64, len(xs))
	for i := range gains {
		gains[i] = math.Inf(-1)
	}
	g.s.Adding(y, parents, fit, scores)
	before := g.s.Family(y, parents...)
	for k, i := range at {
		gains[i] = scores[k] - before
	}
	return gains
}

// deletes lists the deletions of an edge to y from each of xs, or between them, that improve the
// score.
func (g *space) deletes(p *graph.Partial, y int, xs []int) (list []operator) {
	for _, x := range xs {
		if p.Directed(x, y) || p.Undirected(x, y) {
			list = append(list, g.deletesOf(p, x, y)...)
		}
	}
	return list
}

func (g *space) deletesOf(p *graph.Partial, x, y int) (list []operator) {
	if g.rules.Required[[2]int{x, y}] || g.rules.Required[[2]int{y, x}] {
		return nil
	}
	parents := slices.DeleteFunc(p.Parents(y), func(v int) bool { return v == x })
	common, _ := split(p, p.Neighbours(y), x)
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

// split returns the variables of near other than x that are adjacent to x, and the others.
func split(p *graph.Partial, near []int, x int) (common, free []int) {
	for _, v := range near {
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
