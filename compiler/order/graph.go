// Package order finds elimination orders, which decide the cost of exact inference.
//
// It knows graphs of weighted vertices and nothing of factors, evidence or code. Orders come from
// greedy heuristics with random restarts, improved by annealing ([Best]), or from a file ([Read]).
// Groups ask for an order that eliminates some vertices last.
//
// Heuristics: min-fill and its weighted variant, min-weight (Kjærulff 1990; Koller and Friedman,
// section 9.4.3).
package order

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Graph is an undirected graph of the variables of a model. Two are adjacent if a factor has both
// in its scope.
type Graph struct {
	Vertices []int        // the vertices that are to be eliminated, ascending
	logCard  []float64    // ln of the number of states, by vertex
	weights  *edgeWeights // the weights of edges
	adj      adjacency
}

// NewGraph returns the graph over all of m's variables, without edges and without vertices to
// eliminate.
func NewGraph(m *model.Model) *Graph {
	n := len(m.Vars)
	g := &Graph{logCard: make([]float64, n), adj: newAdjacency(n)}
	for v := range n {
		g.logCard[v] = pgmrt.Ln(float64(m.Card(model.VarID(v))))
	}
	g.weights = newEdgeWeights(g.logCard)
	return g
}

// FromModel returns the interaction graph of all of m's factors, with every variable to be
// eliminated.
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
	for i, a := range vars {
		for _, b := range vars[:i] {
			if a != b {
				g.adj.join(int(a), int(b))
			}
		}
	}
}

func (g *Graph) clone() *Graph {
	h := *g
	h.adj = g.adj.clone()
	return &h
}

// Cost is the cost of eliminating a graph's vertices in a certain order.
type Cost struct {
	Entries float64 // the sum of the sizes of all buckets; infinite if the search gave up
	Largest float64 // the size of the largest bucket
	Members float64 // the vertices of all buckets, counted in each
	Width   int     // the most neighbours of a vertex at its elimination: the induced width
}

// CostOf returns the cost of order on g. A bucket is a vertex and its neighbours at its
// elimination.
func (g *Graph) CostOf(order []int) Cost {
	h := g.clone()
	var c Cost
	var nb []int
	for _, v := range order {
		nb = h.adj.neighbours(v, nb)
		if h.count(&c, v, nb); c.hopeless() {
			break
		}
		h.adj.eliminate(v, nb)
	}
	return c
}

// count adds the bucket of v with its neighbours to c.
func (g *Graph) count(c *Cost, v int, nb []int) {
	size := g.bucket(v, nb)
	c.Entries += size
	c.Largest = max(c.Largest, size)
	c.Members += float64(len(nb) + 1)
	c.Width = max(c.Width, len(nb))
	if _, large := g.adj.(*lists); large && size > hopelessBucket {
		c.Entries = math.Inf(1)
	}
}

// hopelessBucket is the size of a bucket at which the search in a large graph ends: no table may
// have as many entries, and the search takes long if buckets are large.
const hopelessBucket = 1 << 40

// hopeless reports whether the search should end. Width and largest bucket are then those so far.
func (c *Cost) hopeless() bool { return math.IsInf(c.Entries, 1) }

// equal reports whether the same vertices of equal graphs are to be eliminated.
func (g *Graph) equal(h *Graph) bool {
	return slices.Equal(g.Vertices, h.Vertices) && slices.Equal(g.logCard, h.logCard) && g.adj.equal(h.adj)
}

// bucket is the number of joint states of v and its neighbours.
func (g *Graph) bucket(v int, nb []int) float64 {
	sum := g.logCard[v]
	for _, u := range nb {
		sum += g.logCard[u]
	}
	return math.Exp(sum)
}
