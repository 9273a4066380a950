package graph

import "slices"

// Closure says which variables are ancestors of which.
type Closure struct{ above []Set }

// NewClosure is that of a structure of n variables without edges.
func NewClosure(n int) *Closure {
	words := (n + 63) / 64
	all := make(Set, n*words)
	c := &Closure{make([]Set, n)}
	for v := range n {
		c.above[v] = all[v*words : (v+1)*words]
	}
	return c
}

// Ancestors finds all ancestors in a structure without cycles.
func Ancestors(parents [][]int) *Closure {
	n := len(parents)
	c, done := NewClosure(n), make([]bool, n)
	var visit func(v int)
	visit = func(v int) {
		if done[v] {
			return
		}
		done[v] = true
		set := c.above[v]
		for _, p := range parents[v] {
			visit(p)
			set.Add(p)
			set.Join(c.above[p])
		}
	}
	for v := range n {
		visit(v)
	}
	return c
}

// Has reports whether a is an ancestor of v.
func (c *Closure) Has(v, a int) bool { return c.above[v].Has(a) }

// Add adds an edge from p to x, which closes no cycle.
func (c *Closure) Add(p, x int) {
	up := append(Set(nil), c.above[p]...)
	up.Add(p)
	for v, above := range c.above {
		if v == x || above.Has(x) {
			above.Join(up)
		}
	}
}

// Detour reports whether there is a way from x to y, one of whose parents it is, beside the edge.
func (c *Closure) Detour(parents [][]int, x, y int) bool {
	return slices.ContainsFunc(parents[y], func(p int) bool { return p != x && c.Has(p, x) })
}

// Reaches reports whether there is a way along the edges of a structure from x to y; there is one from each variable to itself.
func Reaches(parents [][]int, x, y int) bool {
	seen := make([]bool, len(parents))
	var up func(v int) bool
	up = func(v int) bool {
		if v == x {
			return true
		}
		if seen[v] {
			return false
		}
		seen[v] = true
		return slices.ContainsFunc(parents[v], up)
	}
	return up(y)
}

// Order lists the variables of a structure without cycles, each one behind its parents: always the first that can be next.
func Order(parents [][]int) []int {
	var order []int
	seen := NewSet(len(parents))
	for len(order) < len(parents) {
		next := 0
		for seen.Has(next) || slices.ContainsFunc(parents[next], func(u int) bool { return !seen.Has(u) }) {
			next++
		}
		seen.Add(next)
		order = append(order, next)
	}
	return order
}

// Clone copies a structure.
func Clone(parents [][]int) [][]int {
	out := make([][]int, len(parents))
	for i := range parents {
		out[i] = slices.Clone(parents[i])
	}
	return out
}
