package ges

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/score"
)

// Chickering's theorems 15 and 17: from each of the 185 classes of four variables, the valid
// insertions lead exactly to the classes with a structure that has one edge more than one of the
// class, and the deletions to those with one edge less. The gain of each is as predicted.
func TestOperators(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 9))
	var rows [][]int
	for range 60 {
		rows = append(rows, []int{rng.IntN(2), rng.IntN(3), rng.IntN(2), rng.IntN(2)})
	}
	set := learnertest.New(t, learnertest.Vars("a", 2, "b", 3, "c", 2, "d", 2), rows, nil)
	s, err := score.New("bdeu", data.NewCounter(set, 0), score.Options{})
	if err != nil {
		t.Fatal(err)
	}
	classes, more := map[string][][][]int{}, map[string]map[string]bool{}
	for _, g := range learnertest.DAGs(4) {
		class := learnertest.Class(g)
		classes[class] = append(classes[class], g)
		if more[class] == nil {
			more[class] = map[string]bool{}
		}
		for y := range 4 {
			for x := range 4 {
				if !slices.Contains(g[y], x) && !graph.Reaches(g, y, x) {
					h := graph.Clone(g)
					h[y] = append(h[y], x)
					more[class][learnertest.Class(h)] = true
				}
			}
		}
	}
	less := map[string]map[string]bool{}
	for class := range classes {
		less[class] = map[string]bool{}
	}
	for class, list := range more {
		for other := range list {
			less[other][class] = true
		}
	}
	h := &search{space: &space{score.NewCache(s), 3, math.Inf(-1), &network.Rules{}}}
	for class, list := range classes {
		h.class = graph.Of(list[0])
		before := s.Network(list[0])
		inserted, deleted := map[string]bool{}, map[string]bool{}
		note := func(to map[string]bool, o operator, after *graph.Partial) {
			g, _ := after.Extend()
			to[learnertest.Class(g)] = true
			if got := s.Network(g) - before; math.Abs(got-o.gain) > 1e-9 {
				t.Errorf("from %s, %+v to %s brings %v", class, o, learnertest.Class(g), got)
			}
		}
		all := []int{0, 1, 2, 3}
		for y := range 4 {
			for _, o := range h.inserts(h.class, y, all) {
				if !h.back(&o).Has(o.x) {
					note(inserted, o, insert(h.class, &o))
				}
			}
			for _, o := range h.deletes(h.class, y, all) {
				note(deleted, o, remove(h.class, &o))
			}
		}
		if !same(inserted, more[class]) || !same(deleted, less[class]) {
			t.Errorf("from %s: insertions lead to %v, want %v; deletions to %v, want %v", class, inserted, more[class], deleted, less[class])
		}
	}
}

func same(a, b map[string]bool) bool {
	for k := range a {
		if !b[k] {
			return false
		}
	}
	return len(a) == len(b)
}

// Along a search, the stored operators are those of a search that begins there.
func TestStale(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 3))
	var rows [][]int
	for range 400 {
		row := make([]int, 7)
		for v := range row {
			row[v] = rng.IntN(2)
			if v > 1 && rng.Float64() < 0.8 {
				row[v] = row[v-1] ^ row[v-2]&rng.IntN(2)
			}
		}
		rows = append(rows, row)
	}
	set := learnertest.New(t, learnertest.Vars("a", 2, "b", 2, "c", 2, "d", 2, "e", 2, "f", 2, "g", 2), rows, nil)
	s, err := score.New("bdeu", data.NewCounter(set, 0), score.Options{Size: 10})
	if err != nil {
		t.Fatal(err)
	}
	h := &search{space: &space{score.NewCache(s), 4, 1e-9, &network.Rules{}}, class: graph.New(7)}
	all, kept := []int{0, 1, 2, 3, 4, 5, 6}, 0
	known := make([][]operator, len(all)) // by y, updated
	due := stale(nil, h.class)
	for steps := range 30 {
		for y := range known {
			known[y] = merge(known[y], h.inserts(h.class, y, due[y]), due[y])
			kept += len(all) - len(due[y])
			if fresh := merge(nil, h.inserts(h.class, y, all), nil); !slices.EqualFunc(fresh, known[y], func(a, b operator) bool {
				return a.x == b.x && slices.Equal(a.set, b.set) && slices.Equal(a.clear, b.clear) && a.gain == b.gain
			}) {
				t.Fatalf("after %d steps the operators of %d are %v; want %v", steps, y, known[y], fresh)
			}
		}
		best := h.best(known, insert)
		if best == nil {
			if steps < 5 || kept == 0 {
				t.Errorf("%d steps, after which %d pairs were kept; too few to show anything", steps, kept)
			}
			break
		}
		next := insert(h.class, best)
		due = stale(h.class, next)
		h.class = next
	}
}
