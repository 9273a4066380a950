package order

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// pairs is the graph of a model of n binary variables with a factor for each pair.
func pairs(n int, edges [][2]int) *Graph {
	m := &model.Model{Kind: model.Markov}
	for i := range n {
		m.NewVar(fmt.Sprint("v", i), "0", "1")
	}
	for _, e := range edges {
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{model.VarID(e[0]), model.VarID(e[1])}, Child: -1})
	}
	return FromModel(m)
}

// gridEdges are those of a square grid.
func gridEdges(side int) (edges [][2]int) {
	for i := range side * side {
		if i%side+1 < side {
			edges = append(edges, [2]int{i, i + 1})
		}
		if i+side < side*side {
			edges = append(edges, [2]int{i, i + side})
		}
	}
	return edges
}

// TestRotationByHand turns round the chain 0-1-2 in the order 0, 1, 2. With vertex 1 first, its
// bucket holds all three: 8 states, and the two that are left have 4 and 2. That is 14 instead of 4
// + 4 + 2.
func TestRotationByHand(t *testing.T) {
	f := newForest(pairs(3, [][2]int{{0, 1}, {1, 2}}), []int{0, 1, 2})
	if f.total != 10 || f.parent[0] != 1 || f.parent[1] != 2 || f.parent[2] != -1 {
		t.Fatalf("entries %v, parents %v; want 10, 1 2 -1", f.total, f.parent)
	}
	size, parentSize := f.try(0)
	f.rotate(0, size, parentSize)
	if size != 4 || parentSize != 8 || f.total != 14 {
		t.Errorf("buckets of %v and %v, %v in all; want 4, 8, 14", size, parentSize, f.total)
	}
	if got := f.order([]int{0, 1, 2}); !slices.Equal(got, []int{1, 0, 2}) {
		t.Errorf("order %v; want 1 0 2", got)
	}
}

// TestRotations makes rotations at random and compares the forest with playing its order through
// after each.
func TestRotations(t *testing.T) {
	for seed := range uint64(40) {
		g := FromModel(irtest.RandomModel(seed, irtest.Options{}))
		f := newForest(g, g.Vertices)
		rng := rand.New(rand.NewPCG(seed, 1))
		for i := range 200 {
			v := g.Vertices[rng.IntN(len(g.Vertices))]
			if f.parent[v] < 0 {
				continue
			}
			size, parentSize := f.try(v)
			f.rotate(v, size, parentSize)
			order := f.order(g.Vertices)
			if c := g.CostOf(order); math.Abs(c.Entries-f.total) > 1e-9*c.Entries || len(order) != len(g.Vertices) {
				t.Fatalf("seed %d, rotation %d: %d vertices with %v entries; playing them through gives %v", seed, i, len(order), f.total, c.Entries)
			}
		}
	}
}

// TestAnnealStar begins with the worst order of a star: the hub first, which makes its 21 leaves a
// clique, 2^22 entries in the first bucket and 2^23 - 2 in all. With the leaves first there are 21
// buckets of 4 and one of 2. Where the hub's group goes first, it has to.
func TestAnnealStar(t *testing.T) {
	const leaves = 21
	var edges [][2]int
	hubFirst := make([]int, leaves+1)
	for i := 1; i <= leaves; i++ {
		edges = append(edges, [2]int{0, i})
		hubFirst[i] = 1
	}
	g := pairs(leaves+1, edges)
	worst := Result{Order: g.Vertices, Cost: g.CostOf(g.Vertices)}
	tests := []struct {
		name  string
		group []int
		want  float64
	}{
		{"free", nil, 21*4 + 2},
		{"one group", make([]int, leaves+1), 21*4 + 2},
		{"hub first", hubFirst, 1<<23 - 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := anneal(g, worst, Options{Steps: 20_000, Group: tt.group}, rand.New(rand.NewPCG(0, 1)))
			if math.Abs(r.Cost.Entries-tt.want) > 1e-6*tt.want {
				t.Errorf("%v entries; want %v", r.Cost.Entries, tt.want)
			}
			if c := g.CostOf(r.Order); c != r.Cost {
				t.Errorf("playing the order through costs %+v; the search says %+v", c, r.Cost)
			}
		})
	}
}

// TestAnnealGrid begins with an order row by row of a 17 by 17 grid, whose treewidth is 17.
func TestAnnealGrid(t *testing.T) {
	const side = 17
	g := pairs(side*side, gridEdges(side))
	rows := Result{Order: g.Vertices, Cost: g.CostOf(g.Vertices)}
	opt := Options{Steps: 5000}
	a := anneal(g, rows, opt, rand.New(rand.NewPCG(0, 1)))
	b := anneal(g, rows, opt, rand.New(rand.NewPCG(0, 1)))
	if !slices.Equal(a.Order, b.Order) {
		t.Error("two orders of the same seed")
	}
	if a.Cost.Entries > rows.Cost.Entries/2 || a.Cost.Width < side {
		t.Errorf("%+v of %+v; want half of the entries at most, and a width that is at least the treewidth", a.Cost, rows.Cost)
	}
}

// TestAnnealSmall checks that an order with few entries stays, be it the worst.
func TestAnnealSmall(t *testing.T) {
	g := pairs(12, gridEdges(3))
	r := Result{Order: g.Vertices, Cost: g.CostOf(g.Vertices)}
	if got := anneal(g, r, Options{Steps: 20_000}, rand.New(rand.NewPCG(0, 1))); &got.Order[0] != &r.Order[0] {
		t.Errorf("%v became %v", r.Order, got.Order)
	}
}
