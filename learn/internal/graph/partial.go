package graph

import (
	"math/bits"
	"slices"
)

// Partial is a partially directed graph.
type Partial struct {
	out, in []Set // by variable: its children and parents; an undirected edge puts each end into both sets of the other
}

// New returns a graph of n variables without edges.
func New(n int) *Partial {
	words := (n + 63) / 64
	all := make(Set, 2*n*words)
	p := &Partial{make([]Set, n), make([]Set, n)}
	for v := range n {
		p.out[v], p.in[v] = all[2*v*words:(2*v+1)*words], all[(2*v+1)*words:(2*v+2)*words]
	}
	return p
}

// Len returns the number of variables.
func (p *Partial) Len() int { return len(p.out) }

// Clone returns a copy of the graph.
func (p *Partial) Clone() *Partial {
	q := New(p.Len())
	for v := range p.out {
		copy(q.out[v], p.out[v])
		copy(q.in[v], p.in[v])
	}
	return q
}

// Equal reports whether two graphs of the same variables have the same edges.
func (p *Partial) Equal(q *Partial) bool {
	return slices.EqualFunc(p.out, q.out, func(a, b Set) bool { return slices.Equal(a, b) })
}

// SameAround reports whether v has the same edges in two graphs.
func (p *Partial) SameAround(q *Partial, v int) bool {
	return slices.Equal(p.out[v], q.out[v]) && slices.Equal(p.in[v], q.in[v])
}

// Changed returns the variables that are adjacent to v in one of two graphs only.
func (p *Partial) Changed(q *Partial, v int) Set {
	return combine(p.around(v), q.around(v), func(a, b uint64) uint64 { return a ^ b })
}

// Join adds an undirected edge.
func (p *Partial) Join(a, b int) {
	p.out[a].Add(b)
	p.out[b].Add(a)
	p.in[a].Add(b)
	p.in[b].Add(a)
}

// Direct adds the edge from a to b, or directs the existing edge between them that way.
func (p *Partial) Direct(a, b int) {
	p.out[a].Add(b)
	p.in[b].Add(a)
	p.out[b].Drop(a)
	p.in[a].Drop(b)
}

// Cut removes the edge between a and b.
func (p *Partial) Cut(a, b int) {
	p.out[a].Drop(b)
	p.out[b].Drop(a)
	p.in[a].Drop(b)
	p.in[b].Drop(a)
}

// Adjacent reports whether there is an edge between a and b.
func (p *Partial) Adjacent(a, b int) bool { return p.out[a].Has(b) || p.in[a].Has(b) }

// Directed reports whether there is an edge from a to b.
func (p *Partial) Directed(a, b int) bool { return p.out[a].Has(b) && !p.in[a].Has(b) }

// Undirected reports whether there is an undirected edge between a and b.
func (p *Partial) Undirected(a, b int) bool { return p.out[a].Has(b) && p.in[a].Has(b) }

// Neighbours returns the variables at the other ends of v's undirected edges, ascending.
func (p *Partial) Neighbours(v int) []int { return p.neighbours(v).Members() }

// Parents returns the variables from which an edge leads to v, ascending.
func (p *Partial) Parents(v int) []int { return p.parents(v).Members() }

// Around returns the variables that are adjacent to v, ascending.
func (p *Partial) Around(v int) []int { return p.around(v).Members() }

// combine combines two sets word by word.
func combine(a, b Set, f func(a, b uint64) uint64) Set {
	s := make(Set, len(a))
	for i := range a {
		s[i] = f(a[i], b[i])
	}
	return s
}

func and(a, b uint64) uint64    { return a & b }
func or(a, b uint64) uint64     { return a | b }
func butNot(a, b uint64) uint64 { return a &^ b }

func (p *Partial) neighbours(v int) Set { return combine(p.out[v], p.in[v], and) }
func (p *Partial) parents(v int) Set    { return combine(p.in[v], p.out[v], butNot) }
func (p *Partial) around(v int) Set     { return combine(p.out[v], p.in[v], or) }

// Clique reports whether all of vars are adjacent to each other.
func (p *Partial) Clique(vars []int) bool {
	for i, a := range vars {
		for _, b := range vars[:i] {
			if !p.Adjacent(a, b) {
				return false
			}
		}
	}
	return true
}

// Leads reports whether a directed path leads from x to y.
func (p *Partial) Leads(x, y int) bool { return p.reach(x, nil, true).Has(y) }

// Semidirected returns blocked and the variables to which a path leads from x that goes against no
// directed edge and visits none of blocked.
func (p *Partial) Semidirected(x int, blocked Set) Set { return p.reach(x, blocked, false) }

// reach returns blocked and the variables to which a path leads from x that visits none of blocked,
// along directed edges only or also undirected ones.
func (p *Partial) reach(x int, blocked Set, directed bool) Set {
	seen := NewSet(p.Len())
	copy(seen, blocked)
	seen.Add(x)
	for list := []int{x}; len(list) > 0; {
		v := list[len(list)-1]
		list = list[:len(list)-1]
		for i, w := range p.out[v] {
			if directed {
				w &^= p.in[v][i]
			}
			w &^= seen[i]
			seen[i] |= w
			for ; w != 0; w &= w - 1 {
				list = append(list, 64*i+bits.TrailingZeros64(w))
			}
		}
	}
	return seen
}

// Edge is an edge of a graph, from A to B if it is directed.
type Edge struct {
	A, B     int
	Directed bool
}

// Edges lists all edges in the order of their ends. An undirected edge has its smaller end first.
func (p *Partial) Edges() []Edge {
	var list []Edge
	for a := range p.out {
		for _, b := range p.out[a].Members() {
			switch {
			case p.Directed(a, b):
				list = append(list, Edge{a, b, true})
			case a < b:
				list = append(list, Edge{a, b, false})
			}
		}
	}
	return list
}
