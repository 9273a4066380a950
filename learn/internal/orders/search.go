package orders

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// Search holds an order of some variables and their parents. Required edges lead forward.
type Search struct {
	s     *score.Cache
	rules *network.Rules
	job   *learner.Job
	most  int // most parents
	trees []*tree
	bytes atomic.Int64 // of all trees
	room  int64        // most bytes of all trees
	tie   float64      // the difference up to which scores count as equal

	order []int
	sets  []*node // by variable: its parents among its predecessors; nil if it is not in the order
}

// New returns a search. Call Set next. The trees take a quarter of the memory of the counter's
// cache.
func New(s *score.Cache, rules *network.Rules, job *learner.Job, maxParents int) *Search {
	h := &Search{s: s, rules: rules, job: job, most: maxParents, trees: make([]*tree, len(job.Train.Vars)), room: s.Counter.Lend(4)}
	families := make([]float64, len(h.trees))
	for x := range families {
		families[x] = s.Family(x, rules.ParentsOf(x)...)
	}
	h.tie = score.Tie(families...)
	h.plant()
	return h
}

// plant replaces all trees by empty ones.
func (h *Search) plant() {
	h.bytes.Store(0)
	all := graph.NewSet(len(h.trees))
	for x := range h.trees {
		all.Add(x)
	}
	for x := range h.trees {
		h.trees[x] = &tree{s: h.s, x: x, most: h.most, all: all, required: h.rules.ParentsOf(x), tie: h.tie, nodes: map[string]*node{}, bytes: &h.bytes}
	}
}

// Set sets the order of all or some variables, in which required edges must lead forward.
func (h *Search) Set(ctx context.Context, order []int) {
	h.order, h.sets = slices.Clone(order), make([]*node, len(h.trees))
	before := h.prefixes(order)
	h.job.Each(len(order), func(i int) { h.sets[order[i]] = h.trees[order[i]].leaf(ctx, before[i], 1) })
}

// Add adds a variable at the end of the order and then moves it to its best position.
func (h *Search) Add(ctx context.Context, x int) {
	h.sets[x] = h.trees[x].leaf(ctx, h.prefixes(h.order)[len(h.order)], h.job.Cores)
	h.order = append(h.order, x)
	h.Move(ctx, x)
}

// Tie returns the difference up to which totals count as equal.
func (h *Search) Tie() float64 { return h.tie }

// Order returns the order. The caller must not change it.
func (h *Search) Order() []int { return h.order }

// Total returns the sum of the scores of the variables in the order.
func (h *Search) Total() float64 {
	total := 0.0
	for _, n := range h.sets {
		if n != nil {
			total += n.score
		}
	}
	return total
}

// Parents returns the parents of each variable. Variables that are not in the order have the
// required ones.
func (h *Search) Parents() [][]int {
	out := make([][]int, len(h.sets))
	for x, n := range h.sets {
		if n != nil {
			out[x] = slices.Clone(n.parents)
		} else {
			out[x] = h.rules.ParentsOf(x)
		}
	}
	return out
}

// prefixes returns, by position in a list of variables and for its end, the set of variables
// before.
func (h *Search) prefixes(list []int) []graph.Set {
	words := (len(h.trees) + 63) / 64
	all := make(graph.Set, (len(list)+1)*words)
	out := make([]graph.Set, len(list)+1)
	for i := range out {
		out[i] = all[i*words : (i+1)*words]
		if i > 0 {
			copy(out[i], out[i-1])
			out[i].Add(list[i-1])
		}
	}
	return out
}

// Move moves a variable of the order to the position that improves the score most, the first of
// ties, and reports whether one does. If ctx ends, nothing moves.
//
// It assumes that more predecessors do not lower the score of a variable. Of neighbouring positions
// at which the others have the same parents, only the last one then counts, and only if the
// variable would gain enough there with all others as predecessors.
func (h *Search) Move(ctx context.Context, x int) bool {
	if h.bytes.Load() > h.room {
		h.plant()
	}
	from := slices.Index(h.order, x)
	rest := slices.Delete(slices.Clone(h.order), from, from+1)
	before := h.prefixes(rest)
	other := h.crossed(ctx, x, from, rest, before)
	gains := make([]float64, len(before)) // of the other variables, by the new position of x
	for i := from - 1; i >= 0; i-- {
		gains[i] = gains[i+1] + other[i].score - h.sets[rest[i]].score
	}
	for i := from; i < len(rest); i++ {
		gains[i+1] = gains[i] + other[i].score - h.sets[rest[i]].score
	}
	first, last := h.span(rest, x)
	most := h.trees[x].leaf(ctx, before[last], h.job.Cores).score - h.sets[x].score
	best := score.Best[int]{Over: h.tie, Tie: h.tie}
	for i := first; i <= last; i++ {
		if (i == last || other[i] != h.sets[rest[i]]) && gains[i]+most > best.Most() {
			best.Add(i, gains[i]+h.trees[x].leaf(ctx, before[i], h.job.Cores).score-h.sets[x].score)
		}
	}
	to, _, ok := best.First()
	if !ok || ctx.Err() != nil {
		return false
	}
	for i := min(from, to); i < max(from, to); i++ {
		h.sets[rest[i]] = other[i]
	}
	h.sets[x] = h.trees[x].leaf(ctx, before[to], h.job.Cores)
	h.order = slices.Insert(rest, to, x)
	return true
}

// crossed returns the sets of parents that each of the rest has if x moves to the other side of it.
func (h *Search) crossed(ctx context.Context, x, from int, rest []int, before []graph.Set) []*node {
	other := make([]*node, len(rest))
	h.job.Each(len(rest), func(i int) {
		set := before[i]
		if i < from {
			set = slices.Clone(set)
			set.Add(x)
		}
		other[i] = h.trees[rest[i]].leaf(ctx, set, 1)
	})
	return other
}

// span returns the first and the last position of x among the rest at which required edges lead
// forward.
func (h *Search) span(rest []int, x int) (first, last int) {
	last = len(rest)
	for i, v := range rest {
		if h.rules.Required[[2]int{v, x}] {
			first = i + 1
		}
		if h.rules.Required[[2]int{x, v}] {
			last = min(last, i)
		}
	}
	return first, last
}
