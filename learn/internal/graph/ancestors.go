package graph

import "slices"

// Closure holds the ancestors of each variable.
type Closure struct{ above []Set }

// NewClosure returns the closure of a structure of n variables without edges.
func NewClosure(n int) *Closure {
	words := (n + 63) / 64
	all := make(Set, n*words)
	c := &Closure{make([]Set, n)}
	for v := range n {
		c.above[v] = all[v*words : (v+1)*words]
	}
	return c
}

// Ancestors computes the closure of a structure without cycles.
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

// Add adds the edge from p to x, which must not close a cycle.
func (c *Closure) Add(p, x int) {
	up := append(Set(nil), c.above[p]...)
	up.Add(p)
	for v, above := range c.above {
		if v == x || above.Has(x) {
			above.Join(up)
		}
	}
}

// Detour reports whether a path leads from x to its child y other than the edge from x to y.
func (c *Closure) Detour(parents [][]int, x, y int) bool {
	return slices.ContainsFunc(parents[y], func(p int) bool { return p != x && c.Has(p, x) })
}

// Reaches reports whether a directed path leads from x to y. Each variable reaches itself.
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

// Order returns a topological order of a structure without cycles: each next variable is the first
// one with all parents listed.
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

// Clone returns a copy of a structure.
func Clone(parents [][]int) [][]int {
	out := make([][]int, len(parents))
	for i := range parents {
		out[i] = slices.Clone(parents[i])
	}
	return out
}
