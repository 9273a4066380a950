package bound

import (
	"context"
	"math"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Limits end a search before its proof. The zero value sets none.
type Limits struct {
	Nodes   int // the most variables that the search branches on; 0: any number
	Entries int // the most parts of the problem whose values are kept; 0: 2^21
	Keep    int // the number of best states to find; 0: 1
}

// branch is a depth-first branch and bound over a pseudo tree. Several of them share a memo, which
// none changes: each notes its results in one of its own.
type branch struct {
	*pseudo
	e    *elimination
	ctx  context.Context
	keep int     // the number of best solutions to find
	tie  float64 // values that differ by no more are taken for equal, since rounding may part them

	state      []int
	fixedState []int // by variable: the one state that it may have; -1 for any
	levels     []level
	sharedMemo []map[uint64]memoEntry
	memo       []map[uint64]memoEntry
	touched    []int            // the variables with entries of their own
	tied       []map[uint64]int // by variable and context: the first of the best states, where several tie
	ties       int
	entries    int
	maxEntries int // the most entries
	nodes      int
	maxNodes   int // the most nodes
	stopped    bool
	passedOver bool // states were passed over for others that are better by rounding at most

	left, right []int // scratch of before
}

// level is scratch of one variable of the current path.
type level struct {
	value []float64   // by state
	below [][]float64 // by child and state
	rank  []int
	terms []float64
	lists [][]*solution // by child
}

// memoEntry holds a search's results for a part, given states of its context.
type memoEntry struct {
	solutions []*solution // the best, first; nil if none are known
	floor     float64     // all solutions of at least this value, or as many as are kept, are in list
	bound     float64     // no solution is better; of a part that is summed out, its value
}

// newBranch returns a search that reads and does not change the memo shared.
func newBranch(ctx context.Context, s *pseudo, e *elimination, keep int, shared []map[uint64]memoEntry) *branch {
	n := len(s.Card)
	b := &branch{pseudo: s, e: e, ctx: ctx, keep: keep, tie: s.slack(), state: make([]int, n), fixedState: make([]int, n), levels: make([]level, n),
		sharedMemo: shared, memo: make([]map[uint64]memoEntry, n), tied: make([]map[uint64]int, n), left: make([]int, n), right: make([]int, n)}
	for v := range n {
		l := &b.levels[v]
		l.value, l.rank, l.terms = make([]float64, s.Card[v]), make([]int, s.Card[v]), make([]float64, s.Card[v])
		l.lists = make([][]*solution, len(s.children[v]))
		for range s.children[v] {
			l.below = append(l.below, make([]float64, s.Card[v]))
		}
		b.fixedState[v] = -1
	}
	return b
}

// room returns the number of entries that the memos may still get.
func (b *branch) room() int { return b.maxEntries - b.entries }

// reusable reports whether the same states of the context of v may occur again with other states of
// an ancestor, and can be numbered.
func (s *pseudo) reusable(v int) bool {
	p := s.parent[v]
	return p >= 0 && !s.wide[v] && (s.wide[p] || len(s.context[v]) < len(s.context[p])+1)
}

// key numbers the states of the context of v.
func (s *pseudo) key(v int, state []int) uint64 {
	k := uint64(0)
	for _, u := range s.context[v] {
		k = k*uint64(s.Card[u]) + uint64(state[u])
	}
	return k
}

// lookup returns the known results for the part of v at the present states.
func (b *branch) lookup(v int, key uint64) (memoEntry, bool) {
	if k, ok := b.memo[v][key]; ok {
		return k, true
	}
	k, ok := b.sharedMemo[v][key]
	return k, ok
}

// store stores the results for the part of v.
func (b *branch) store(v int, key uint64, k memoEntry) {
	if b.stopped || b.room() <= 0 {
		return
	}
	if b.memo[v] == nil {
		b.memo[v] = map[uint64]memoEntry{}
		b.touched = append(b.touched, v)
	}
	b.memo[v][key] = k
	b.entries++
}

// solve returns the best solutions of the part of v, given the states of its context: all that are
// not worse than least, but no more than keep. Without any it returns none, and a bound. If the
// search is stopped, solutions are missing.
func (b *branch) solve(v int, least float64) ([]*solution, float64) {
	if b.exact[v] && b.keep == 1 || b.fixedState[v] >= 0 || !b.reusable(v) {
		return b.expand(v, least)
	}
	key := b.key(v, b.state)
	if k, ok := b.lookup(v, key); ok {
		if len(k.solutions) == b.keep || k.solutions != nil && k.floor <= least || b.worse(k.bound, least) {
			return k.solutions, k.bound
		}
	}
	list, bound := b.expand(v, least)
	b.store(v, key, memoEntry{list, least, bound})
	return list, bound
}

// evaluateStates fills the level of v: the bound of each state, and the order in which to try them.
func (b *branch) evaluateStates(v int) *level {
	l := &b.levels[v]
	b.choices(v, b.state, l.value)
	for i, c := range b.children[v] {
		b.below(b.e, c, b.state, l.below[i])
		for k, x := range l.below[i] {
			l.value[k] += x
		}
	}
	l.rank = l.rank[:len(l.value)]
	for k := range l.rank {
		l.rank[k] = k
	}
	if k := b.fixedState[v]; k >= 0 {
		l.rank = l.rank[:1]
		l.rank[0] = k
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
	if b.nodes&255 == 0 && b.ctx.Err() != nil || b.nodes > b.maxNodes {
		b.stopped = true
	}
	return b.stopped
}

// expand is solve without a memo.
func (b *branch) expand(v int, least float64) (best []*solution, open float64) {
	l := b.evaluateStates(v)
	open = math.Inf(-1)
	switch {
	case b.exact[v] && b.keep == 1:
		value := l.value[l.rank[0]]
		if b.worse(value, least) {
			return nil, value
		}
		return single(solution{value: value, v: v, closed: true}), value
	case b.tick():
		return nil, l.value[l.rank[0]]
	}
	top := math.Inf(-1)
	for _, k := range l.rank {
		floor := least
		if len(best) == b.keep {
			floor = max(least, best[b.keep-1].value)
		}
		if b.stopped || b.worse(l.value[k], floor) {
			open = max(open, l.value[k])
			break // those after it promise no more
		}
		if b.keep == 1 && best != nil && l.value[k] <= top+b.tie && !b.precedable(v, k, best[0]) {
			b.passedOver = true
			continue
		}
		b.state[v] = k
		found, bound := b.product(v, l, k, max(floor, top))
		open = max(open, bound)
		if best = b.merge(v, best, found); best != nil && b.keep == 1 {
			top = max(top, best[0].value)
		}
	}
	if best != nil {
		open = max(open, best[0].value)
	}
	return best, open
}

// precedable reports whether states with state k of v may come before the states of a solution.
func (b *branch) precedable(v, k int, s *solution) bool {
	b.load(v, b.left, s)
	return b.mayPrecede(v, k, func(u int) int { return b.left[u] })
}

// product returns the best solutions of state k of v with solutions of all parts below that are not
// worse than floor; none and a bound if there are none.
func (b *branch) product(v int, l *level, k int, floor float64) ([]*solution, float64) {
	value := l.value[k]
	for i, c := range b.children[v] {
		rest := value - l.below[i][k]
		l.lists[i] = nil
		if b.Max[c] {
			list, bound := b.solve(c, floor-rest)
			if list == nil {
				return nil, rest + bound
			}
			l.lists[i], value = list, rest+list[0].value
		} else if value = rest + b.sumPart(c); b.stopped {
			return nil, l.value[k]
		}
		if b.worse(value, floor) {
			return nil, value
		}
	}
	return b.combine(v, k, value), math.Inf(-1)
}

// sumPart returns the sum of the part of a variable that is summed out; NaN if the search is
// stopped.
func (b *branch) sumPart(v int) float64 {
	l := b.evaluateStates(v)
	if b.exact[v] {
		return pgmrt.LogSum(l.value)
	}
	key, reusable := uint64(0), b.reusable(v)
	if reusable {
		key = b.key(v, b.state)
		if k, ok := b.lookup(v, key); ok {
			return k.bound
		}
	}
	if b.tick() {
		return math.NaN()
	}
	for k, x := range l.value {
		b.state[v] = k
		for i, c := range b.children[v] {
			if !math.IsInf(x, -1) {
				x += b.sumPart(c) - l.below[i][k]
			}
		}
		if b.stopped {
			return math.NaN()
		}
		l.terms[k] = x
	}
	sum := pgmrt.LogSum(l.terms)
	if reusable {
		b.store(v, key, memoEntry{bound: sum})
	}
	return sum
}
