package bound

import (
	"context"
	"math"
	"slices"
)

// Limits end a search before its proof. The zero value sets none.
type Limits struct {
	Nodes   int // the most variables that the search branches on; 0: any number
	Entries int // the most parts of the problem whose values are kept; 0: 2^21
}

// Found is the result of a search.
type Found struct {
	States []int   // the best states so far, by variable; those of summed variables are meaningless
	Value  float64 // ln of their value; -Inf if no possible states were found
	Bound  float64 // no states have a larger ln
	Proven bool    // Value is the largest up to rounding
	Nodes  int
}

// tie is how much better than the best, relative to its logarithm and at least absolutely, another
// value has to be: rounding may part equal values.
const tie = 1e-11

// branch is a branch and bound over a pseudo tree.
type branch struct {
	*pseudo
	e      *elimination
	ctx    context.Context
	limits Limits

	state   []int
	levels  []level
	memo    []map[uint64]known
	entries int
	nodes   int
	stopped bool
	gained  float64 // the value of the states that the last maximum chose; -Inf if it chose none
}

// level is scratch of one variable of the current path.
type level struct {
	value []float64   // by state
	below [][]float64 // by child and state
	rank  []int
	best  []int // the states of the part with the best state so far, in preorder; made when needed
}

// known is what a search knows of a part for states of its context.
type known struct {
	value float64 // the largest value, or a bound of it
	exact bool
	state int32 // the state of the part's variable, if exact
}

// later marks a variable whose state, as those of its part, follows from tables and the memo, and
// is found by complete if the states are wanted.
const later = -2

func newBranch(ctx context.Context, s *pseudo, e *elimination, limits Limits) *branch {
	if limits.Entries == 0 {
		limits.Entries = 1 << 21
	}
	n := len(s.Card)
	b := &branch{pseudo: s, e: e, ctx: ctx, limits: limits, state: make([]int, n), levels: make([]level, n), memo: make([]map[uint64]known, n)}
	for v := range n {
		l := &b.levels[v]
		l.value, l.rank = make([]float64, s.Card[v]), make([]int, s.Card[v])
		for range s.children[v] {
			l.below = append(l.below, make([]float64, s.Card[v]))
		}
		if s.reusable(v) {
			b.memo[v] = map[uint64]known{}
		}
	}
	return b
}

// reusable reports whether the same states of the context of v may occur again with other states of
// an ancestor, and can be numbered.
func (s *pseudo) reusable(v int) bool {
	p := s.parent[v]
	return p >= 0 && !s.wide[v] && (s.wide[p] || len(s.context[v]) < len(s.context[p])+1)
}

// key numbers the states of the context of v.
func (b *branch) key(v int) uint64 {
	k := uint64(0)
	for _, u := range b.context[v] {
		k = k*uint64(b.Card[u]) + uint64(b.state[u])
	}
	return k
}

// exceeds reports whether x is better than y by more than a tie.
func exceeds(x, y float64) bool {
	return x > y+tie*(1+math.Abs(y)) || math.IsInf(y, -1) && x > y
}

// solve returns the largest value of the part of v, given the states of its context, and sets the
// states of the part. If that is no more than least, or the search is stopped, exact is false and
// the value is a bound.
func (b *branch) solve(v int, least float64) (value float64, exact bool) {
	if b.memo[v] == nil || b.exact[v] {
		return b.expand(v, least)
	}
	key := b.key(v)
	if k, ok := b.memo[v][key]; ok && k.exact {
		b.state[v] = later
		return k.value, true
	} else if ok && !exceeds(k.value, least) {
		return k.value, false
	}
	value, exact = b.expand(v, least)
	if _, ok := b.memo[v][key]; (ok || b.entries < b.limits.Entries) && !b.stopped {
		if !ok {
			b.entries++
		}
		b.memo[v][key] = known{value, exact, int32(b.state[v])}
	}
	return value, exact
}

// look fills the level of v: what each state promises, and the order in which to try them.
func (b *branch) look(v int) *level {
	l := &b.levels[v]
	b.choices(v, b.state, l.value)
	for i, c := range b.children[v] {
		b.below(b.e, c, b.state, l.below[i])
		for k, x := range l.below[i] {
			l.value[k] += x
		}
	}
	for k := range l.rank {
		l.rank[k] = k
	}
	if b.Max[v] { // by insertion, since there are few states, and the first of equals stays first
		for i := 1; i < len(l.rank); i++ {
			for j := i; j > 0 && l.value[l.rank[j]] > l.value[l.rank[j-1]]; j-- {
				l.rank[j], l.rank[j-1] = l.rank[j-1], l.rank[j]
			}
		}
	}
	return l
}

// tick counts a node and reports whether the search has to stop.
func (b *branch) tick() bool {
	b.nodes++
	if b.nodes&255 == 0 && b.ctx.Err() != nil || b.limits.Nodes > 0 && b.nodes > b.limits.Nodes {
		b.stopped = true
	}
	return b.stopped
}

// expand is solve without a memo.
func (b *branch) expand(v int, least float64) (value float64, exact bool) {
	l := b.look(v)
	switch {
	case b.exact[v]:
		return b.closed(v, l, least)
	case b.tick():
		b.gained = math.Inf(-1)
		return b.promise(v, l), false
	case !b.Max[v]:
		return b.sum(v, l)
	}
	best, open := math.Inf(-1), math.Inf(-1)
	for _, k := range l.rank {
		floor := max(best, least)
		if b.stopped || !exceeds(l.value[k], floor) {
			open = max(open, l.value[k])
			break // those after it promise no more
		}
		b.state[v] = k
		x, done := b.product(v, l, k, floor)
		if !done || !exceeds(x, floor) {
			open = max(open, x)
			continue
		}
		best = x
		l.best = l.best[:0]
		for _, u := range b.part(v) {
			l.best = append(l.best, b.state[u])
		}
	}
	if b.gained = best; math.IsInf(best, -1) {
		return open, false
	}
	for i, u := range b.part(v) {
		b.state[u] = l.best[i]
	}
	return max(best, open), !b.stopped
}

// closed is expand for a part whose bound is its value.
func (b *branch) closed(v int, l *level, least float64) (value float64, exact bool) {
	value = b.promise(v, l)
	if b.Max[v] {
		b.state[v] = l.rank[0]
		for _, c := range b.children[v] {
			b.state[c] = later
		}
	}
	b.gained = value
	return value, !b.Max[v] || exceeds(value, least)
}

// product returns the value of state k of v with the best states of all parts below. If the value
// is no more than floor, it may return a bound and false.
func (b *branch) product(v int, l *level, k int, floor float64) (value float64, exact bool) {
	value = l.value[k]
	for i, c := range b.children[v] {
		rest := value - l.below[i][k]
		x, done := b.solve(c, floor-rest)
		value = rest + x
		if !done || !exceeds(value, floor) {
			return value, false
		}
	}
	return value, true
}

// promise returns the bound of the part of v.
func (b *branch) promise(v int, l *level) float64 {
	if b.Max[v] {
		return slices.Max(l.value)
	}
	return logSum(l.value)
}

// sum returns the sum of the part of a variable that is summed out.
func (b *branch) sum(v int, l *level) (value float64, exact bool) {
	terms := make([]float64, 0, len(l.value))
	for k, x := range l.value {
		if math.IsInf(x, -1) {
			continue
		}
		b.state[v] = k
		x, _ := b.product(v, l, k, math.Inf(-1))
		if b.stopped {
			return b.promise(v, l), false
		}
		terms = append(terms, x)
	}
	return logSum(terms), true
}
