package order

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
)

// Heuristic ranks vertices: the greedy search eliminates one with the least score next.
type Heuristic uint8

// The heuristics.
const (
	MinFill         Heuristic = iota // edges that the elimination adds
	MinWeight                        // the size of the bucket that it makes
	WeightedMinFill                  // edges that it adds, each counting the product of its ends' states
)

// Heuristics lists them all, in the order in which Best tries them.
var Heuristics = []Heuristic{MinFill, WeightedMinFill, MinWeight}

var heuristicNames = [...]string{"min-fill", "min-weight", "weighted-min-fill"}

// String names the heuristic as `--order` does.
func (h Heuristic) String() string { return heuristicNames[h] }

// ParseHeuristic reads the name of a heuristic.
func ParseHeuristic(s string) (Heuristic, error) {
	for i, name := range heuristicNames {
		if s == name {
			return Heuristic(i), nil
		}
	}
	return 0, fmt.Errorf("unknown order heuristic %q; want %s, auto, or a file with one variable a line", s, strings.Join(heuristicNames[:], ", "))
}

// Options steer a search. The zero value asks for one deterministic run of each heuristic.
type Options struct {
	Heuristics []Heuristic // nil: all
	Steps      int         // vertices that randomised restarts may eliminate altogether; 0: no restart
	Seed       uint64
	Group      []int // by vertex: lower groups are eliminated first; nil: one group
}

// Result is an order and its cost.
type Result struct {
	Order     []int
	Cost      Cost
	Heuristic Heuristic
}

// Best runs each heuristic once with ties broken by number, then again with ties broken at random until the steps
// are used up, and gives the order with the fewest bucket entries. The same graph and options give the same order.
func Best(g *Graph, opt Options) Result {
	heuristics := opt.Heuristics
	if heuristics == nil {
		heuristics = Heuristics
	}
	best := Result{Cost: Cost{Entries: math.Inf(1)}}
	try := func(h Heuristic, rng *rand.Rand) {
		r := greedy(g, h, opt.Group, rng, best.Cost.Entries)
		if r.Order != nil && (best.Order == nil || r.Cost.Entries < best.Cost.Entries) {
			best = r
		}
	}
	for _, h := range heuristics {
		try(h, nil)
	}
	rng := rand.New(rand.NewPCG(opt.Seed, 0x9e3779b97f4a7c15))
	for steps := 0; len(g.Vertices) > 0 && steps+len(g.Vertices) <= opt.Steps; steps += len(g.Vertices) {
		try(heuristics[steps/len(g.Vertices)%len(heuristics)], rng)
	}
	return best
}

// greedy eliminates the vertex with the least score until none is left; it gives no order where the cost reaches bound,
// unless the bound is infinite.
func greedy(g *Graph, h Heuristic, group []int, rng *rand.Rand, bound float64) Result {
	s := &search{g: g.clone(), h: h, group: group, rng: rng, score: make([]float64, len(g.logCard)), left: make([]bool, len(g.logCard))}
	for _, v := range g.Vertices {
		s.left[v] = true
	}
	for _, v := range g.Vertices {
		s.update(v)
	}
	r := Result{Heuristic: h}
	for range g.Vertices {
		v := s.pick()
		s.nb = neighbours(s.g.row(v), s.nb)
		size := s.g.bucket(v, s.nb)
		r.Cost.Entries += size
		r.Cost.Largest = max(r.Cost.Largest, size)
		r.Cost.Width = max(r.Cost.Width, len(s.nb))
		if r.Cost.Entries >= bound {
			return Result{}
		}
		r.Order = append(r.Order, v)
		s.eliminate(v)
	}
	return r
}

type search struct {
	g     *Graph
	h     Heuristic
	group []int
	rng   *rand.Rand
	score []float64
	left  []bool
	nb    []int
	nb2   []int
	touch []uint64
}

// pick is the vertex of the lowest group with the least score; ties go to the first or, with rng, to a random one.
func (s *search) pick() int {
	best, ties := -1, 0
	for _, v := range s.g.Vertices {
		if !s.left[v] {
			continue
		}
		c := s.compare(v, best)
		switch {
		case c < 0:
			best, ties = v, 1
		case c == 0 && s.rng != nil:
			ties++
			if s.rng.IntN(ties) == 0 {
				best = v
			}
		}
	}
	return best
}

// compare is negative where v should go before best, zero where they tie.
func (s *search) compare(v, best int) int {
	if best < 0 {
		return -1
	}
	if s.group != nil && s.group[v] != s.group[best] {
		return s.group[v] - s.group[best]
	}
	switch {
	case s.score[v] < s.score[best]:
		return -1
	case s.score[v] > s.score[best]:
		return 1
	}
	return 0
}

// eliminate takes v out and rescores what that may have changed: its neighbours, whose buckets changed, and for the fill
// heuristics the vertices that see two of them.
func (s *search) eliminate(v int) {
	s.left[v] = false
	s.g.eliminate(v, s.nb)
	if s.h == MinWeight {
		for _, u := range s.nb {
			s.update(u)
		}
		return
	}
	if s.touch == nil {
		s.touch = make([]uint64, s.g.words)
	}
	clear(s.touch)
	for _, u := range s.nb {
		s.touch[u>>6] |= 1 << (u & 63)
		for w, word := range s.g.row(u) {
			s.touch[w] |= word
		}
	}
	for w, word := range s.touch {
		for ; word != 0; word &= word - 1 {
			s.update(w<<6 + bits.TrailingZeros64(word))
		}
	}
}

// update computes the score of v.
func (s *search) update(v int) {
	if !s.left[v] {
		return
	}
	s.nb2 = neighbours(s.g.row(v), s.nb2)
	if s.h == MinWeight {
		s.score[v] = math.Log(s.g.bucket(v, s.nb2))
		return
	}
	row, total := s.g.row(v), 0.0
	for _, u := range s.nb2 {
		r := s.g.row(u)
		for w, word := range row {
			missing := word &^ r[w]
			if w == u>>6 {
				missing &^= 1 << (u & 63)
			}
			total += s.fill(u, w, missing)
		}
	}
	s.score[v] = total / 2
}

// fill is the weight of the edges from u to the vertices in word w of a set.
func (s *search) fill(u, w int, missing uint64) float64 {
	if s.h == MinFill {
		return float64(bits.OnesCount64(missing))
	}
	total := 0.0
	for ; missing != 0; missing &= missing - 1 {
		total += math.Exp(s.g.logCard[u] + s.g.logCard[w<<6+bits.TrailingZeros64(missing)])
	}
	return total
}
