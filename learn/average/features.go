package average

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/internal/parentsets"
)

// tally counts the features of structures that are drawn, and the structures.
type tally struct {
	paths    [][]float64        // by the last and the first variable of a directed path; nil unless asked for
	blankets [][]float64        // by two variables, the first larger, in the Markov blanket of each other; nil unless asked for
	members  map[string]*member // nil unless a mixture is asked for
}

// structureBytes is the memory of the parents of a variable in a member, about.
const structureBytes = 64

// member is a structure with the number of times that it was drawn.
type member struct {
	parents [][]int
	n       int
}

// features returns the features that are asked for.
func (l *Options) features() (path, blanket bool, err error) {
	for _, name := range strings.Split(l.Features, ",") {
		switch strings.TrimSpace(name) {
		case "path":
			path = true
		case "blanket":
			blanket = true
		case "":
		default:
			return false, false, fmt.Errorf("unknown feature %q of structures; want path, blanket or both", strings.TrimSpace(name))
		}
	}
	return path, blanket, nil
}

// newTally returns an empty tally of what the options, which are valid, ask for.
func (l *Options) newTally(n int) tally {
	path, blanket, _ := l.features()
	var t tally
	if path {
		t.paths = square(n)
	}
	if blanket {
		t.blankets = square(n)
	}
	if l.Mixture > 0 {
		t.members = map[string]*member{}
	}
	return t
}

// square returns n rows of n zeros.
func square(n int) [][]float64 {
	out := make([][]float64, n)
	for x := range out {
		out[x] = make([]float64, n)
	}
	return out
}

// none reports whether nothing is asked for.
func (t *tally) none() bool { return t.paths == nil && t.blankets == nil && t.members == nil }

// add counts a structure.
func (t *tally) add(parents [][]int) {
	if t.paths != nil {
		above := graph.Ancestors(parents)
		for x := range parents {
			for u := range parents {
				if above.Has(x, u) {
					t.paths[x][u]++
				}
			}
		}
	}
	if t.blankets != nil {
		near := make([]graph.Set, len(parents))
		for x := range near {
			near[x] = graph.NewSet(len(parents))
		}
		for x, p := range parents {
			for i, u := range p {
				near[max(x, u)].Add(min(x, u))
				for _, v := range p[:i] {
					near[max(u, v)].Add(min(u, v))
				}
			}
		}
		for x, set := range near {
			for _, u := range set.Members() {
				t.blankets[x][u]++
			}
		}
	}
	if t.members != nil {
		var key []byte
		sorted := make([][]int, len(parents))
		for x, p := range parents {
			sorted[x] = slices.Sorted(slices.Values(p))
			key = binary.AppendUvarint(key, uint64(len(p)))
			for _, u := range sorted[x] {
				key = binary.AppendUvarint(key, uint64(u))
			}
		}
		if m := t.members[string(key)]; m != nil {
			m.n++
		} else {
			t.members[string(key)] = &member{sorted, 1}
		}
	}
}

// draw draws a structure given an order: a parent set of each variable by its probability
// (proposition 18.7 of Koller and Friedman).
func draw(lists [][]parentsets.Set, order []int, rng *rand.Rand) [][]int {
	parents := make([][]int, len(order))
	for x, before := range predecessors(order) {
		sum := 0.0
		eachSet(lists[x], before, func(_ *parentsets.Set, w float64) { sum += w })
		left := rng.Float64() * sum
		eachSet(lists[x], before, func(s *parentsets.Set, w float64) {
			if left >= 0 {
				parents[x] = s.Parents
			}
			left -= w
		})
	}
	return parents
}
