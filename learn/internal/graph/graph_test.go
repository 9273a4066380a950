package graph_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// members groups all structures of n variables by their class.
func members(n int) map[string][][][]int {
	out := map[string][][][]int{}
	for _, g := range learnertest.DAGs(n) {
		class := learnertest.Class(g)
		out[class] = append(out[class], g)
	}
	return out
}

// agreed returns the graph of the directions in which all structures of one class agree.
func agreed(list [][][]int) *graph.Partial {
	p := graph.New(len(list[0]))
	for v, parents := range list[0] {
		for _, u := range parents {
			if slices.ContainsFunc(list, func(g [][]int) bool { return !slices.Contains(g[v], u) }) {
				p.Join(u, v)
			} else {
				p.Direct(u, v)
			}
		}
	}
	return p
}

// TestClasses checks all structures of up to four variables, in 2, 11 and 185 classes: the class
// graph has the directions in which all members agree, and its extension is a member.
func TestClasses(t *testing.T) {
	for n, count := range map[int]int{2: 2, 3: 11, 4: 185} {
		classes := members(n)
		if len(classes) != count {
			t.Errorf("%d classes of %d variables; want %d", len(classes), n, count)
		}
		for class, list := range classes {
			want := agreed(list)
			for _, g := range list {
				if got := graph.Of(g); !got.Equal(want) {
					t.Fatalf("%v: class graph %v; want %v", g, got.Edges(), want.Edges())
				}
			}
			if g, forced := want.Extend(); forced != 0 || learnertest.Class(g) != class {
				t.Errorf("%v extends to %v, %d forced", want.Edges(), g, forced)
			}
		}
	}
}

// TestKnowledge checks that, given the directions of some edges, the rules find those in which all
// members with them agree (Meek 1995, theorem 4). Without the fourth rule they do not find all.
func TestKnowledge(t *testing.T) {
	for _, list := range members(4) {
		class := agreed(list)
		var open []graph.Edge
		for _, e := range class.Edges() {
			if !e.Directed {
				open = append(open, e)
			}
		}
		for _, g := range list {
			for known := range 1 << len(open) {
				p, fit := class.Clone(), list
				for i, e := range open {
					if known>>i&1 == 0 {
						continue
					}
					if !slices.Contains(g[e.B], e.A) {
						e.A, e.B = e.B, e.A
					}
					p.Direct(e.A, e.B)
					fit = slices.DeleteFunc(slices.Clone(fit), func(h [][]int) bool { return !slices.Contains(h[e.B], e.A) })
				}
				if p.Close(); !p.Equal(agreed(fit)) {
					t.Fatalf("%v with %b of %v known: got %v; want %v", g, known, open, p.Edges(), agreed(fit).Edges())
				}
			}
		}
	}
}

// TestForced checks an undirected square without diagonals, which is no class: one collider is
// unavoidable.
func TestForced(t *testing.T) {
	p := graph.New(4)
	for v := range 4 {
		p.Join(v, (v+1)%4)
	}
	g, forced := p.Extend()
	if forced != 1 || learnertest.Class(g) != "0-1 0-3 1-2 2-3 0>3<2" && learnertest.Class(g) != "0-1 0-3 0>3<2 1-2 2-3" {
		t.Errorf("got %v, %d forced", learnertest.Class(g), forced)
	}
	// These directions contradict each other: c→a requires a→b, but a path leads from b through d
	// to a.
	q := graph.New(5)
	q.Join(0, 1)
	q.Direct(2, 0)
	q.Direct(1, 3)
	q.Direct(3, 4)
	q.Direct(4, 0)
	q.Close()
	if !q.Directed(1, 0) {
		t.Errorf("got %v; want 1→0, along the way 1→3→4→0", q.Edges())
	}
}

func TestWays(t *testing.T) {
	p := graph.New(4) // 0→1−2→3
	p.Direct(0, 1)
	p.Join(1, 2)
	p.Direct(2, 3)
	for _, c := range []struct {
		x, y        int
		leads, semi bool
	}{{0, 1, true, true}, {0, 2, false, true}, {0, 3, false, true}, {3, 0, false, false}, {2, 1, false, true}, {2, 0, false, false}, {1, 1, true, true}} {
		if got := p.Leads(c.x, c.y); got != c.leads {
			t.Errorf("a way from %d to %d: %v", c.x, c.y, got)
		}
		if got := p.Semidirected(c.x, nil).Has(c.y); got != c.semi {
			t.Errorf("a semidirected way from %d to %d: %v", c.x, c.y, got)
		}
	}
	if p.Semidirected(0, graph.SetOf(4, 2)).Has(3) {
		t.Error("a way through a blocked variable")
	}
	above := graph.Ancestors([][]int{{}, {0}, {1}, {0, 2}})
	if !above.Has(3, 1) || above.Has(1, 3) || !above.Detour([][]int{{}, {0}, {1}, {0, 2}}, 0, 3) || above.Detour([][]int{{}, {0}, {1}, {0, 2}}, 0, 1) {
		t.Error("ancestors are wrong")
	}
	grown := graph.NewClosure(4) // the same structure, edge by edge
	for _, e := range [][2]int{{1, 2}, {2, 3}, {0, 1}, {0, 3}} {
		grown.Add(e[0], e[1])
	}
	for v := range 4 {
		for a := range 4 {
			if grown.Has(v, a) != above.Has(v, a) {
				t.Errorf("%d is an ancestor of %d: %v", a, v, grown.Has(v, a))
			}
		}
	}
	if order := graph.Order([][]int{{3}, {}, {0, 1}, {}}); !slices.Equal(order, []int{1, 3, 0, 2}) {
		t.Errorf("got order %v; want 1 3 0 2", order)
	}
	if parents := [][]int{{}, {0}, {1}}; !graph.Reaches(parents, 0, 2) || graph.Reaches(parents, 2, 0) {
		t.Error("ways in a structure are wrong")
	}
}

// TestNumbers checks the numbers of structures: Robinson's numbers, those with a bound on parents,
// and those that agree with an order.
func TestNumbers(t *testing.T) {
	for n, want := range map[int]int{1: 1, 2: 3, 3: 25, 4: 543} {
		if got := len(learnertest.DAGs(n)); got != want {
			t.Errorf("%d structures of %d variables; want %d", got, n, want)
		}
	}
	for _, c := range []struct{ n, most, all, ordered int }{{3, 1, 16, 6}, {3, 2, 25, 8}, {4, 1, 125, 24}, {4, 2, 443, 56}, {4, 3, 543, 64}} {
		all, ordered := 0, 0
		for _, g := range learnertest.DAGs(c.n) {
			if slices.ContainsFunc(g, func(p []int) bool { return len(p) > c.most }) {
				continue
			}
			all++
			agrees := true
			for v, p := range g {
				agrees = agrees && !slices.ContainsFunc(p, func(u int) bool { return u > v })
			}
			if agrees {
				ordered++
			}
		}
		if all != c.all || ordered != c.ordered {
			t.Errorf("%d variables, %d parents: %d structures, %d by order; want %d and %d", c.n, c.most, all, ordered, c.all, c.ordered)
		}
	}
}

// TestExtendOrder checks that Extend removes the last of the variables with the fewest pairs around
// them that are not adjacent, as a plain search finds them, on random graphs with directed edges
// that make no cycle.
func TestExtendOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 8))
	const n = 9
	forced := 0
	for range 3000 {
		p, order := graph.New(n), rng.Perm(n)
		for i, b := range order {
			for _, a := range order[:i] {
				switch rng.IntN(6) {
				case 0:
					p.Direct(a, b)
				case 1:
					p.Join(a, b)
				}
			}
		}
		got, k := p.Extend()
		forced += k
		gone, rest := make([]bool, n), p.Clone()
		for range n {
			at, fewest := -1, 0
			for v := range n {
				if gone[v] || slices.ContainsFunc(rest.Around(v), func(u int) bool { return rest.Directed(v, u) }) {
					continue
				}
				pairs := 0
				for _, u := range rest.Neighbours(v) {
					for _, w := range rest.Around(v) {
						if u != w && !rest.Adjacent(u, w) {
							pairs++
						}
					}
				}
				if at < 0 || pairs <= fewest {
					at, fewest = v, pairs
				}
			}
			if want := rest.Around(at); !slices.Equal(got[at], want) {
				t.Fatalf("%v: the parents of %d are %v; want %v", p.Edges(), at, got[at], want)
			}
			for _, u := range rest.Around(at) {
				rest.Cut(u, at)
			}
			gone[at] = true
		}
	}
	if forced == 0 {
		t.Error("no graph needs colliders")
	}
}
