package hillclimb

import (
	"context"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/score"
)

// kind is the operation of a move.
type kind uint8

const (
	add kind = iota
	remove
	reverse
)

// move changes the edge from x to y.
type move struct {
	kind kind
	x, y int
}

// undo returns the inverse of m.
func (m move) undo() move {
	switch m.kind {
	case add:
		return move{remove, m.x, m.y}
	case remove:
		return move{add, m.x, m.y}
	}
	return move{reverse, m.y, m.x}
}

// choose returns the next move: the legal one of the highest gain, the first of ties by child and
// then parent, or by parent and then child if there are real variables, see byParent. With
// FirstAscent it is any move that improves the score.
func (h *search) choose() (m move, gain float64) {
	above := graph.Ancestors(h.parents)
	best := score.Best[move]{Over: h.tie, Tie: h.tie}
	if h.l.FirstAscent {
		for _, k := range h.rng.Perm(h.n * h.n) {
			h.try(k/h.n, k%h.n, above, &best)
			if m, gain, ok := best.First(); ok {
				return m, gain
			}
		}
	}
	best.Over = math.Inf(-1)
	tops := h.tops()
	consider := func(y, x int) {
		if h.delta[y][x] > best.Most() || slices.Contains(h.parents[y], x) {
			h.try(y, x, above, &best)
		}
	}
	for i := range h.n {
		if h.byParent {
			for y := range h.n {
				if tops[y] > best.Most() {
					consider(y, i)
				}
			}
		} else if tops[i] > best.Most() {
			for _, x := range h.open[i] {
				consider(i, x)
			}
		}
	}
	m, gain, _ = best.First()
	return m, gain
}

// likely returns the child of the best move that changes no family of vars, and the families that
// the search scores after it, if the counts come from a source, and those of vars are not known
// already: a source that is asked for both is asked half as often. It clears the gains of vars,
// which are out of date.
func (h *search) likely(vars []int) (child int, sets [][]int) {
	if !h.job.Train.Counted() || h.l.FirstAscent || h.l.MaxWidth > 0 {
		return 0, nil
	}
	if slices.Equal(h.parents[vars[0]], h.ahead) {
		h.ahead = nil
		return 0, nil
	}
	for _, y := range vars {
		h.most[y], h.open[y] = math.Inf(-1), nil
		for x := range h.delta[y] {
			h.delta[y][x] = math.Inf(-1)
		}
	}
	m, gain := h.choose()
	with := append(slices.Clone(h.parents[m.y]), m.x)
	if m.kind != add || !(gain > h.tie) || len(with) >= h.l.MaxParents {
		return 0, nil
	}
	h.ahead = with
	for x := range h.n {
		if set := append(slices.Clone(with), x); x != m.y && !slices.Contains(with, x) && h.s.Fits(m.y, set...) {
			sets = append(sets, set)
		}
	}
	return m.y, sets
}

// tops returns, for each y, the largest gain of a move of an edge to y, even if none is legal.
func (h *search) tops() []float64 {
	tops := slices.Clone(h.most)
	for y, p := range h.parents {
		for _, x := range p {
			tops[y] = max(tops[y], h.delta[y][x]+h.delta[x][y])
		}
	}
	return tops
}

// try adds the legal moves of the edge from x to y to best, if they may be better.
func (h *search) try(y, x int, above *graph.Closure, best *score.Best[move]) {
	if x == y {
		return
	}
	g := h.delta[y][x]
	if !slices.Contains(h.parents[y], x) {
		if m := (move{add, x, y}); g > best.Most() && !above.Has(x, y) && h.allowed(m) {
			best.Add(m, g)
		}
		return
	}
	if m := (move{remove, x, y}); g > best.Most() && h.allowed(m) {
		best.Add(m, g)
	}
	if m := (move{reverse, x, y}); g+h.delta[x][y] > best.Most() && !above.Detour(h.parents, x, y) && h.allowed(m) {
		best.Add(m, g+h.delta[x][y])
	}
}

// allowed reports whether the tabu list, the rules and the bound on the width all permit a move.
func (h *search) allowed(m move) bool {
	return h.until[m] < h.steps+1 && h.permitted(m) && h.bound.allows(h.parents, m)
}

// permitted reports whether the rules permit a move.
func (h *search) permitted(m move) bool {
	e, back := [2]int{m.x, m.y}, [2]int{m.y, m.x}
	switch m.kind {
	case add:
		return !h.rules.Forbidden[e]
	case remove:
		return !h.rules.Required[e]
	}
	return !h.rules.Required[e] && !h.rules.Forbidden[back]
}

// apply makes a move.
func (h *search) apply(ctx context.Context, m move) {
	drop := func(y, x int) {
		h.parents[y] = slices.DeleteFunc(slices.Clone(h.parents[y]), func(p int) bool { return p == x })
	}
	insert := func(y, x int) { h.parents[y] = append(slices.Clone(h.parents[y]), x) }
	switch m.kind {
	case add:
		insert(m.y, m.x)
		h.rate(ctx, m.y)
	case remove:
		drop(m.y, m.x)
		h.rate(ctx, m.y)
	case reverse:
		drop(m.y, m.x)
		insert(m.x, m.y)
		h.rate(ctx, m.x, m.y)
	}
}
