package order

import (
	"math"
	"math/bits"
	"slices"
)

// forest is an elimination forest: the parent of a vertex is the vertex of its bucket that is
// eliminated next. All orders that put children before their parents make the same buckets, so that
// a search over forests does not wander among equal orders.
//
// Its one move is a rotation: a vertex and its parent change places. That changes the buckets of
// the two and no others, and rotations lead from any forest to any other (Manneville and Pilaud,
// "Compatibility fans for graphical nested complexes", 2017).
type forest struct {
	words  int
	card   []float64 // by vertex: its number of states
	edges  []uint64  // rows of bits, by vertex: neighbours in the graph
	below  []uint64  // the vertices of the subtree, its root included
	bucket []uint64
	size   []float64 // of the bucket, in joint states
	parent []int     // -1 for a root
	kids   [][]int
	total  float64 // the sizes of all buckets
	b, d   []uint64
	looked int // words of bits that moves have looked at
}

// newForest returns the forest of an order that eliminates all vertices of g, which has a matrix of
// edges.
func newForest(g *Graph, order []int) *forest {
	m := g.adj.(*matrix)
	n := len(g.logCard)
	f := &forest{words: m.words, card: make([]float64, n), edges: m.bits, below: make([]uint64, len(m.bits)), bucket: make([]uint64, len(m.bits)),
		size: make([]float64, n), parent: make([]int, n), kids: make([][]int, n), b: make([]uint64, m.words), d: make([]uint64, m.words)}
	rank := make([]int, n)
	for i, v := range order {
		rank[v] = i
	}
	for v := range n {
		f.card[v] = math.Exp(g.logCard[v])
		f.parent[v] = -1
	}
	for _, v := range order {
		f.gather(v, f.kids[v])
		copy(f.row(f.bucket, v), f.b)
		copy(f.row(f.below, v), f.d)
		f.size[v] = f.states(f.b)
		f.total += f.size[v]
		f.parent[v] = f.next(f.b, v, rank)
		if p := f.parent[v]; p >= 0 {
			f.kids[p] = append(f.kids[p], v)
		}
	}
	return f
}

// row returns the set of v.
func (f *forest) row(set []uint64, v int) []uint64 { return set[v*f.words : (v+1)*f.words] }

// next returns the vertex of bucket that is eliminated first after v, or -1 if there is none.
func (f *forest) next(bucket []uint64, v int, rank []int) int {
	first := -1
	for w, word := range bucket {
		for ; word != 0; word &= word - 1 {
			u := w<<6 + bits.TrailingZeros64(word)
			if u != v && (first < 0 || rank[u] < rank[first]) {
				first = u
			}
		}
	}
	return first
}

// has reports whether u is in the set of v.
func (f *forest) has(set []uint64, v, u int) bool {
	return set[v*f.words+u>>6]>>(u&63)&1 != 0
}

// states is the number of joint states of a set.
func (f *forest) states(set []uint64) float64 {
	size := 1.0
	for w, word := range set {
		for ; word != 0; word &= word - 1 {
			size *= f.card[w<<6+bits.TrailingZeros64(word)]
		}
	}
	return size
}

// gather sets f.d to the vertices below v and f.b to the bucket of v, if the children of v are
// kids.
func (f *forest) gather(v int, kids []int) {
	copy(f.b, f.row(f.edges, v))
	clear(f.d)
	for _, c := range kids {
		f.merge(c)
	}
	f.close(v)
}

// merge adds child c's vertices to f.b and f.d.
func (f *forest) merge(c int) {
	f.looked += f.words
	bucket, below := f.row(f.bucket, c), f.row(f.below, c)
	for w := range f.b {
		f.b[w] |= bucket[w]
		f.d[w] |= below[w]
	}
}

// close removes the vertices below v from f.b, and adds v to both sets.
func (f *forest) close(v int) {
	for w := range f.b {
		f.b[w] &^= f.d[w]
	}
	f.b[v>>6] |= 1 << (v & 63)
	f.d[v>>6] |= 1 << (v & 63)
}

// try returns the sizes that the buckets of v and its parent would have after a rotation, and
// leaves the parent's in f.b and f.d.
func (f *forest) try(v int) (size, parentSize float64) {
	p := f.parent[v]
	f.looked += 3*f.words + len(f.kids[v])
	copy(f.b, f.row(f.edges, p))
	clear(f.d)
	for _, c := range f.kids[p] {
		if c != v {
			f.merge(c)
		}
	}
	for _, c := range f.kids[v] {
		if f.has(f.bucket, c, p) {
			f.merge(c)
		}
	}
	f.close(p)
	return f.size[p] / f.card[p] * f.card[v], f.states(f.b)
}

// rotate exchanges v and its parent. It must follow try at once.
func (f *forest) rotate(v int, size, parentSize float64) {
	p := f.parent[v]
	f.total += size + parentSize - f.size[v] - f.size[p]
	f.size[v], f.size[p] = size, parentSize

	bucket := f.row(f.bucket, v)
	copy(bucket, f.row(f.bucket, p))
	bucket[p>>6] &^= 1 << (p & 63)
	bucket[v>>6] |= 1 << (v & 63)
	copy(f.row(f.bucket, p), f.b)
	copy(f.row(f.below, v), f.row(f.below, p))
	copy(f.row(f.below, p), f.d)

	up := f.parent[p]
	if up >= 0 {
		f.kids[up][slices.Index(f.kids[up], p)] = v
	}
	i := slices.Index(f.kids[p], v)
	f.kids[p] = slices.Delete(f.kids[p], i, i+1)
	keep := f.kids[v][:0]
	for _, c := range f.kids[v] {
		if f.has(f.bucket, c, p) {
			f.kids[p] = append(f.kids[p], c)
			f.parent[c] = p
		} else {
			keep = append(keep, c)
		}
	}
	f.kids[v] = append(keep, p)
	f.parent[v], f.parent[p] = up, v
}

// order lists vertices, children before their parents.
func (f *forest) order(vertices []int) []int {
	var out []int
	var visit func(v int)
	visit = func(v int) {
		for _, c := range f.kids[v] {
			visit(c)
		}
		out = append(out, v)
	}
	for _, v := range vertices {
		if f.parent[v] < 0 {
			visit(v)
		}
	}
	return out
}
