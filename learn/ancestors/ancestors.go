// Package ancestors keeps which nodes of a growing directed graph are ancestors of which, so that a search can ask in one look whether
// an edge would close a cycle.
//
// It takes no edges back. Cost: a bit for each pair of nodes, and a pass over the descendants for each edge.
package ancestors

// Closure is the ancestors of all nodes.
type Closure struct {
	words int
	bits  []uint64 // by node, its ancestors
}

// New makes the closure of n nodes without edges.
func New(n int) *Closure {
	words := (n + 63) / 64
	return &Closure{words, make([]uint64, n*words)}
}

func (c *Closure) row(v int) []uint64 { return c.bits[v*c.words : (v+1)*c.words] }

// Has reports whether a is an ancestor of v.
func (c *Closure) Has(v, a int) bool { return c.row(v)[a/64]>>(a%64)&1 != 0 }

// Closes reports whether an edge from p to x would close a cycle.
func (c *Closure) Closes(p, x int) bool { return p == x || c.Has(p, x) }

// Add adds an edge from p to x, which closes no cycle.
func (c *Closure) Add(p, x int) {
	up := append([]uint64(nil), c.row(p)...)
	up[p/64] |= 1 << (p % 64)
	for v := range len(c.bits) / c.words {
		if v != x && !c.Has(v, x) {
			continue
		}
		row := c.row(v)
		for i, w := range up {
			row[i] |= w
		}
	}
}
