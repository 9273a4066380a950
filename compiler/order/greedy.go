package order

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Heuristic ranks vertices: the greedy search eliminates one with the least score next.
type Heuristic uint8

// The heuristics.
const (
	MinFill         Heuristic = iota // edges that the elimination adds
	MinWeight                        // the size of the bucket that it makes
	WeightedMinFill                  // edges that it adds, each counting the product of its ends' states
)

// Heuristics lists all heuristics, in the order in which Best tries them.
var Heuristics = []Heuristic{MinFill, WeightedMinFill, MinWeight}

var heuristicNames = [...]string{"min-fill", "min-weight", "weighted-min-fill"}

// String returns the name that [ParseHeuristic] reads.
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

// Options control a search. The zero value asks for one deterministic run of each heuristic.
type Options struct {
	Heuristics []Heuristic // nil: all
	Steps      int         // vertices that randomised restarts may eliminate in all, and rotations in proportion; 0: neither
	Seed       uint64
	Group      []int // by vertex: lower groups are eliminated first; nil: one group
	Quick      bool  // gives up a run after an eighth of the work, for callers that try many graphs

	// Stop reports whether a deadline has passed; nil: there is none. The search then ends with the
	// best order so far, or with one in which the last vertices stand as the scores ranked them.
	Stop func() bool
}

// stopped reports whether the search has to end.
func (o *Options) stopped() bool { return o.Stop != nil && o.Stop() }

// Result is an order and its cost.
type Result struct {
	Order     []int
	Cost      Cost
	Heuristic Heuristic // the heuristic that found it
	Annealed  bool      // whether rotations improved it

	work int // of the search
}

// Name is how to ask for the order again: the name of its heuristic, or auto if rotations improved
// it.
func (r *Result) Name() string {
	if r.Annealed {
		return "auto"
	}
	return r.Heuristic.String()
}

// The bounds of the work of a search, in words of bits or edges that it looks at. It takes some
// nanoseconds for each. Work is counted, not timed, so that a search ends at the same place on
// every machine.
const (
	mostWork     = 4e8 // of one run of a heuristic
	quickWork    = 5e7 // of one run if Options.Quick is set
	restartsWork = 2e8 // of all runs after which no other restart begins
)

// fewVertices is the largest number of vertices for which the least cost is found beforehand: the
// buckets of all sets then take less time than the restarts that it makes needless.
const fewVertices = 12

// checkEvery is the number of eliminations between two looks at the deadline.
const checkEvery = 16

// Best runs each heuristic once with ties broken by number, then again with ties broken at random
// until the steps or the work are used up, a run has to be given up, or the order of a small graph
// is known to be best. It takes the order with the fewest bucket entries. If opt names no
// heuristics and the entries are many, rotations improve that order. The same graph and options
// give the same order.
func Best(g *Graph, opt Options) Result {
	heuristics := opt.Heuristics
	if heuristics == nil {
		heuristics = Heuristics
	}
	if len(g.Vertices) == 0 {
		return Result{Order: []int{}}
	}
	best := Result{Cost: Cost{Entries: math.Inf(1)}}
	gaveUp, work := false, 0
	try := func(h Heuristic, rng *rand.Rand) {
		r := greedy(g, h, &opt, rng, best.Cost.Entries)
		gaveUp = gaveUp || r.Cost.hopeless()
		work += r.work
		if r.Order != nil && (best.Order == nil || r.Cost.Entries < best.Cost.Entries) {
			best = r
		}
	}
	for _, h := range heuristics {
		if best.Order == nil || !opt.stopped() {
			try(h, nil)
		}
	}
	least := 0.0
	if n := len(g.Vertices); n <= fewVertices && n<<n <= 4*opt.Steps && best.Cost.Entries < annealFrom {
		least = leastEntries(g, opt.Group)
	}
	rng := rand.New(rand.NewPCG(opt.Seed, 0x9e3779b97f4a7c15))
	for steps := 0; best.Cost.Entries > least && !gaveUp && !opt.stopped() && work < restartsWork && steps+len(g.Vertices) <= opt.Steps; steps += len(g.Vertices) {
		try(heuristics[steps/len(g.Vertices)%len(heuristics)], rng)
	}
	best.work = work
	if opt.Heuristics != nil || gaveUp || opt.stopped() {
		return best
	}
	return anneal(g, best, opt, rng)
}

// candidateSteps bounds the eliminations that go into orders with ties broken at random. Each takes
// time in proportion to the number of vertices, so that a network of tens of thousands gets few
// such orders.
const candidateSteps = 100_000

// Candidates returns up to n different orders, for callers with a measure of their own: first,
// which is the order of [Best], then one of each heuristic, then more with ties broken at random.
// It searches for an order when the caller asks for it.
func Candidates(g *Graph, first []int, opt Options, n int) iter.Seq[[]int] {
	heuristics := opt.Heuristics
	if heuristics == nil {
		heuristics = Heuristics
	}
	return func(yield func([]int) bool) {
		orders := [][]int{first}
		if n < 1 || !yield(first) {
			return
		}
		rng, work := rand.New(rand.NewPCG(opt.Seed, 0xd1b54a32d192ed03)), 0
		for i := 0; len(orders) < n && i < 4*n && work < restartsWork; i++ {
			var ties *rand.Rand
			if i >= len(heuristics) {
				if (i+1)*len(g.Vertices) > candidateSteps {
					return
				}
				ties = rng
			}
			r := greedy(g, heuristics[i%len(heuristics)], &opt, ties, math.Inf(1))
			work += r.work
			if slices.ContainsFunc(orders, func(x []int) bool { return slices.Equal(x, r.Order) }) {
				continue
			}
			if orders = append(orders, r.Order); !yield(r.Order) {
				return
			}
		}
	}
}

// greedy eliminates the vertex with the least score until none is left. It returns no order if the
// cost reaches bound, unless the bound is infinite. If it has to give up, it lists the rest by the
// scores that they have.
func greedy(g *Graph, h Heuristic, opt *Options, rng *rand.Rand, bound float64) Result {
	s := newSearch(g, h, opt.Group, rng)
	r, most := Result{Heuristic: h}, int(mostWork)
	if opt.Quick {
		most = quickWork
	}
	for i := range g.Vertices {
		if i%checkEvery == 0 && opt.stopped() {
			r.Order, r.Cost.Entries = s.rest(r.Order), math.Inf(1)
			return r
		}
		v := s.pick()
		s.nb = s.g.adj.neighbours(v, s.nb)
		s.g.count(&r.Cost, v, s.nb)
		if r.work = s.g.adj.work(); r.work > most {
			r.Cost.Entries = math.Inf(1)
		}
		if r.Cost.Entries >= bound && !math.IsInf(bound, 1) {
			return Result{work: r.work}
		}
		r.Order = append(r.Order, v)
		s.left[v] = false
		if r.Cost.hopeless() {
			r.Order = s.rest(r.Order)
			return r
		}
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
	round []int // by vertex: the elimination at which it was last rescored
	now   int
	best  *tournament // nil if rng is set, because the search then needs all ties
}

func newSearch(g *Graph, h Heuristic, group []int, rng *rand.Rand) *search {
	n := len(g.logCard)
	s := &search{g: g.clone(), h: h, group: group, rng: rng, score: make([]float64, n), left: make([]bool, n), round: make([]int, n)}
	for _, v := range g.Vertices {
		s.left[v] = true
	}
	for _, v := range g.Vertices {
		s.update(v)
	}
	if rng == nil {
		s.best = newTournament(n, s.before)
	}
	return s
}

// before reports whether vertex a should be eliminated before vertex b, the one with the higher
// number; it should if they tie.
func (s *search) before(a, b int) bool {
	if !s.left[a] || !s.left[b] {
		return s.left[a]
	}
	return s.compare(a, b) <= 0
}

// rest appends the vertices that are left, lower groups first, then those with lower scores.
func (s *search) rest(order []int) []int {
	start := len(order)
	for _, v := range s.g.Vertices {
		if s.left[v] {
			order = append(order, v)
		}
	}
	slices.SortStableFunc(order[start:], s.compare)
	return order
}

// pick is the vertex of the lowest group with the least score; ties go to the first or, with rng,
// to a random one.
func (s *search) pick() int {
	if s.best != nil {
		return s.best.winner()
	}
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

// compare is negative if v should be eliminated before best, and zero if they tie.
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

// eliminate removes v and rescores the vertices with scores that may have changed: its neighbours,
// which have changed buckets, and for the fill heuristics the vertices adjacent to two of them.
func (s *search) eliminate(v int) {
	if s.best != nil {
		s.best.update(v)
	}
	s.now++
	added := s.g.adj.eliminate(v, s.nb)
	for _, u := range s.nb {
		s.rescore(u)
	}
	if s.h != MinWeight && added {
		s.g.adj.near(s.nb, s.rescore)
	}
}

// rescore updates the score of v, at most once an elimination.
func (s *search) rescore(v int) {
	if s.round[v] == s.now || !s.left[v] {
		return
	}
	s.round[v] = s.now
	s.update(v)
	if s.best != nil {
		s.best.update(v)
	}
}

// update computes the score of v.
func (s *search) update(v int) {
	if s.g.adj.crowded(v) {
		s.score[v] = math.Inf(1)
		return
	}
	s.nb2 = s.g.adj.neighbours(v, s.nb2)
	switch s.h {
	case MinWeight:
		s.score[v] = pgmrt.Ln(s.g.bucket(v, s.nb2))
	case MinFill:
		s.score[v] = s.g.adj.fill(v, s.nb2, nil)
	case WeightedMinFill:
		s.score[v] = s.g.adj.fill(v, s.nb2, s.g.weights)
	}
}

// tournament is a tree of matches between vertices. The winner of all is at the root, and a new
// score is played upwards from its vertex.
type tournament struct {
	size   int     // the number of leaves, a power of two
	winOf  []int32 // by node, 1 being the root; -1 if there is no vertex
	before func(a, b int) bool
}

func newTournament(n int, before func(a, b int) bool) *tournament {
	t := &tournament{size: 1, before: before}
	for t.size < n {
		t.size *= 2
	}
	t.winOf = make([]int32, 2*t.size)
	for i := range t.size {
		t.winOf[t.size+i] = -1
		if i < n {
			t.winOf[t.size+i] = int32(i)
		}
	}
	for i := t.size - 1; i > 0; i-- {
		t.play(i)
	}
	return t
}

// play lets the winners below the children of node i meet; the left one has the lower number.
func (t *tournament) play(i int) {
	a, b := t.winOf[2*i], t.winOf[2*i+1]
	if t.winOf[i] = a; b >= 0 && !t.before(int(a), int(b)) {
		t.winOf[i] = b
	}
}

func (t *tournament) update(v int) {
	for i := (t.size + v) / 2; i > 0; i /= 2 {
		t.play(i)
	}
}

func (t *tournament) winner() int { return int(t.winOf[1]) }
