// Package order finds elimination orders: the decision on which the cost of exact inference hangs.
//
// It knows graphs of weighted vertices and nothing of factors, evidence or code. Orders come from greedy heuristics
// with random restarts ([Best]) or from a file ([Read]); an order that must eliminate some vertices last is asked for by
// groups.
//
// Heuristics: min-fill and its weighted variant, min-weight (Kjærulff 1990; Koller and Friedman, section 9.4.3).
package order

import (
	"math"
	"math/bits"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Graph is an undirected graph whose vertices are variables of a model; two are adjacent where a factor holds both.
type Graph struct {
	Vertices []int     // the vertices that are to be eliminated, ascending
	logCard  []float64 // ln of the number of states, by vertex
	words    int
	adj      []uint64 // a bit matrix of len(logCard) rows of words
}

// NewGraph gives the graph over all of m's variables without edges or vertices to eliminate.
func NewGraph(m *model.Model) *Graph {
	n := len(m.Vars)
	g := &Graph{logCard: make([]float64, n), words: (n + 63) / 64}
	g.adj = make([]uint64, n*g.words)
	for v := range n {
		g.logCard[v] = math.Log(float64(m.Card(model.VarID(v))))
	}
	return g
}

// FromModel gives the interaction graph of all of m's factors, every variable to be eliminated.
func FromModel(m *model.Model) *Graph {
	g := NewGraph(m)
	for v := range m.Vars {
		g.Vertices = append(g.Vertices, v)
	}
	for _, f := range m.Factors {
		g.AddClique(f.Scope)
	}
	return g
}

// AddClique makes all of vars adjacent to each other.
func (g *Graph) AddClique(vars []model.VarID) {
	for _, a := range vars {
		for _, b := range vars {
			if a != b {
				g.row(int(a))[b>>6] |= 1 << (b & 63)
			}
		}
	}
}

func (g *Graph) row(v int) []uint64 { return g.adj[v*g.words : (v+1)*g.words] }

func (g *Graph) clone() *Graph {
	h := *g
	h.adj = slices.Clone(g.adj)
	return &h
}

// neighbours lists the set bits of a row.
func neighbours(row []uint64, buf []int) []int {
	buf = buf[:0]
	for w, word := range row {
		for word != 0 {
			buf = append(buf, w<<6+bits.TrailingZeros64(word))
			word &= word - 1
		}
	}
	return buf
}

// eliminate joins the neighbours of v with each other and takes v out of the graph; nb are v's neighbours.
func (g *Graph) eliminate(v int, nb []int) {
	row := g.row(v)
	for _, u := range nb {
		r := g.row(u)
		for w := range r {
			r[w] |= row[w]
		}
		r[u>>6] &^= 1 << (u & 63)
		r[v>>6] &^= 1 << (v & 63)
	}
	clear(row)
}

// Cost is what eliminating in a certain order makes of a graph.
type Cost struct {
	Entries float64 // the sizes of all buckets (eliminated vertex and its neighbours at that time), added up
	Largest float64 // the size of the largest bucket
	Width   int     // the neighbours of a vertex at its elimination, at most: the induced width
}

// CostOf plays order through on g.
func (g *Graph) CostOf(order []int) Cost {
	h := g.clone()
	var c Cost
	var nb []int
	for _, v := range order {
		nb = neighbours(h.row(v), nb)
		size := h.bucket(v, nb)
		c.Entries += size
		c.Largest = max(c.Largest, size)
		c.Width = max(c.Width, len(nb))
		h.eliminate(v, nb)
	}
	return c
}

// bucket is the number of joint states of v and its neighbours.
func (g *Graph) bucket(v int, nb []int) float64 {
	sum := g.logCard[v]
	for _, u := range nb {
		sum += g.logCard[u]
	}
	return math.Exp(sum)
}
