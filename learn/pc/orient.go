package pc

import (
	"cmp"
	"slices"

	"github.com/pgmc-go/pgmc/learn/internal/graph"
)

// collider is a variable with two parents that are not adjacent.
type collider struct {
	a, b, child int
	best        float64 // how well the separation of its parents agrees with independence
}

// orient directs the edges of a skeleton: edges with a direction by the rules, edges of colliders,
// and edges that follow.
func (f *finder) orient(s *skeleton) *graph.Partial {
	p := s.Partial
	f.know(s)
	list := s.colliders()
	slices.SortStableFunc(list, func(x, y collider) int { return cmp.Compare(y.best, x.best) })
	for _, c := range list {
		if p.Directed(c.child, c.a) || p.Directed(c.child, c.b) || p.Leads(c.child, c.a) || p.Leads(c.child, c.b) {
			s.counts.Contradicted++
			continue
		}
		p.Direct(c.a, c.child)
		p.Direct(c.b, c.child)
	}
	p.Close()
	return p
}

// know directs the edges with a required direction, then those with one forbidden direction. It
// removes an edge if one direction is forbidden and the other closes a cycle.
func (f *finder) know(s *skeleton) {
	if f.rules == nil {
		return
	}
	edges := s.Edges()
	for _, e := range edges {
		switch {
		case f.rules.Required[[2]int{e.A, e.B}]:
			s.Direct(e.A, e.B)
		case f.rules.Required[[2]int{e.B, e.A}]:
			s.Direct(e.B, e.A)
		}
	}
	for _, e := range edges {
		switch {
		case !s.Undirected(e.A, e.B):
		case f.rules.Forbidden[[2]int{e.B, e.A}]:
			s.settle(e.A, e.B)
		case f.rules.Forbidden[[2]int{e.A, e.B}]:
			s.settle(e.B, e.A)
		}
	}
}

// settle directs an edge from a to b, or removes it if that closes a cycle.
func (s *skeleton) settle(a, b int) {
	if s.Leads(b, a) {
		s.Cut(a, b)
		s.counts.Contradicted++
		return
	}
	s.Direct(a, b)
}

// colliders returns the colliders with parents that are separated by a set without the child, in
// the order of their parents and then the child.
func (s *skeleton) colliders() []collider {
	var list []collider
	n := s.Len()
	for b := range n {
		for a := range b {
			sep := s.separated[[2]int{a, b}]
			if !sep.found {
				continue
			}
			for _, c := range s.Around(a) {
				if s.Adjacent(c, b) && !slices.Contains(sep.given, c) {
					list = append(list, collider{a, b, c, sep.best})
				}
			}
		}
	}
	return list
}
