package order_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/ir/model"
)

// largeGraph is n binary vertices, each joined with those that parents gives, itself and negative
// ones aside.
func largeGraph(n int, parents func(i int) []int) *order.Graph {
	m := &model.Model{Kind: model.Markov}
	for i := range n {
		m.NewVar(fmt.Sprint(i), "0", "1")
	}
	for i := range n {
		scope := []model.VarID{model.VarID(i)}
		for _, p := range parents(i) {
			if v := model.VarID(p); p >= 0 && !slices.Contains(scope, v) {
				scope = append(scope, v)
			}
		}
		for _, v := range scope[1:] {
			m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{scope[0], v}, Child: -1})
		}
	}
	return order.FromModel(m)
}

// TestLargeWidth finds the textbook widths in graphs that a bit matrix is too large for: of 40,000
// vertices it would take 200 MB.
func TestLargeWidth(t *testing.T) {
	const n = 40_000
	tests := []struct {
		name    string
		width   int
		parents func(i int) []int
	}{
		{"chain", 1, func(i int) []int { return []int{i - 1} }},
		{"star", 1, func(int) []int { return []int{0} }},
		{"tree", 1, func(i int) []int { return []int{i / 3} }},
		{"chain below a star", 2, func(i int) []int { return []int{0, i - 1} }},
		{"strip of triangles", 2, func(i int) []int { return []int{i - 2, i - 1} }},
		{"ring", 2, func(i int) []int { return []int{(i + 1) % n} }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := largeGraph(n, tt.parents)
			for _, h := range order.Heuristics {
				r := order.Best(g, order.Options{Heuristics: []order.Heuristic{h}})
				if r.Cost.Width != tt.width || len(r.Order) != n {
					t.Errorf("%v: width %d, %d vertices; want %d, %d", h, r.Cost.Width, len(r.Order), tt.width, n)
				}
				if c := g.CostOf(r.Order); c != r.Cost {
					t.Errorf("%v: playing the order through costs %+v; the search says %+v", h, c, r.Cost)
				}
			}
		})
	}
}

// TestHopeless checks that a search in a large and wide graph ends, with an order of all vertices
// and no end of costs. A 70 by 70 grid has treewidth 70.
func TestHopeless(t *testing.T) {
	const side = 70
	g := largeGraph(side*side, func(i int) (list []int) {
		if i%side > 0 {
			list = append(list, i-1)
		}
		if i >= side {
			list = append(list, i-side)
		}
		return list
	})
	r := order.Best(g, order.Options{Group: make([]int, side*side)})
	if !math.IsInf(r.Cost.Entries, 1) || r.Cost.Width < 40 || r.Cost.Largest < 1<<40 || len(r.Order) != side*side {
		t.Errorf("%+v, %d vertices; want no end of entries, a width of at least 40, %d vertices", r.Cost, len(r.Order), side*side)
	}
}
