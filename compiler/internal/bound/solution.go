package bound

import (
	"math"
	"slices"
)

// solution is a joint state of the maximised variables of the part of v, for states of its
// ancestors. Solutions share the solutions of the parts below.
type solution struct {
	value  float64
	v      int
	state  int
	closed bool        // the states follow from the tables, and state and below are not set
	below  []*solution // by child of v; nil of children that are summed out
}

// single returns a list of one solution, in one allocation.
func single(s solution) []*solution {
	x := &struct {
		s    solution
		list [1]*solution
	}{s: s}
	x.list[0] = &x.s
	return x.list[:]
}

// worse reports whether a value is less than another by more than rounding, or zero.
func (b *branch) worse(x, than float64) bool { return math.IsInf(x, -1) || x < than-b.tie }

// fill sets the states of the part of s, given the states of its ancestors.
func (b *branch) fill(s *solution, state []int) {
	if s.closed {
		b.follow(s.v, state)
		return
	}
	state[s.v] = s.state
	for _, c := range s.below {
		if c != nil {
			b.fill(c, state)
		}
	}
}

// maxTies is the most contexts with tied states that an attempt compares. Beyond them, the first
// of the tied states of a variable is taken.
const maxTies = 1 << 16

// follow sets the states of a part with a bound that is its value: of the best ones, the first in
// the order of the file. Tied states of a variable are compared by the states that follow from
// each, once for each context.
func (b *branch) follow(v int, state []int) {
	value := make([]float64, b.Card[v])
	b.promises(v, state, value)
	least := slices.Max(value) - b.tie
	var tied []int
	for k, x := range value {
		if x >= least {
			tied = append(tied, k)
		}
	}
	b.passedOver = b.passedOver || len(tied) > 1
	if len(tied) == 1 || b.ties == maxTies {
		b.followAs(v, tied[0], state)
		return
	}
	key := b.key(v, state)
	if k, ok := b.tied[v][key]; ok {
		b.followAs(v, k, state)
		return
	}
	best, first, lowest := 0, []int(nil), slices.Min(b.part(v))
	for _, k := range tied {
		if first != nil && !b.mayPrecede(v, k, func(u int) int { return first[u-lowest] }) {
			continue
		}
		b.followAs(v, k, state)
		if now := b.copyPart(v, state); first == nil || slices.Compare(now, first) < 0 {
			best, first = k, now
		}
	}
	if b.tied[v] == nil {
		b.tied[v] = map[uint64]int{}
	}
	b.tied[v][key] = best
	b.ties++
	b.followAs(v, best, state)
}

// followAs is follow with a given state of v.
func (b *branch) followAs(v, k int, state []int) {
	state[v] = k
	for _, c := range b.children[v] {
		if b.Max[c] {
			b.follow(c, state)
		}
	}
}

// promises sets value to the bound of the part of v, by the state of v.
func (b *branch) promises(v int, state []int, value []float64) {
	below := make([]float64, len(value))
	b.choices(v, state, value)
	for _, c := range b.children[v] {
		b.below(b.e, c, state, below)
		for k, x := range below {
			value[k] += x
		}
	}
}

// copyPart returns the states of the maximised variables of the part of v by variable, counted from
// the first of the part in the order of the file; 0 of all others.
func (b *branch) copyPart(v int, state []int) []int {
	lowest := slices.Min(b.part(v))
	out := make([]int, slices.Max(b.part(v))-lowest+1)
	for _, u := range b.part(v) {
		if b.Max[u] {
			out[u-lowest] = state[u]
		}
	}
	return out
}

// mayPrecede reports whether states of the part of v with state k of v may come before the states
// of a solution, in the order of the file.
func (b *branch) mayPrecede(v, k int, of func(int) int) bool {
	first := len(b.Card) // the first variable that could have a lower state
	for _, u := range b.part(v) {
		if u < first && b.Max[u] && of(u) > 0 {
			first = u
		}
	}
	switch {
	case first == v:
		return k < of(v)
	case v < first:
		return false // v is in its first state, which k is not
	}
	return first < len(b.Card)
}

// before reports whether the states of one solution of the part of v come before the states of
// another, in the order of the file. Solutions may lack the parts of some children.
func (b *branch) before(v int, x, y *solution) bool {
	b.load(v, b.left, x)
	b.load(v, b.right, y)
	first := len(b.Card)
	for _, u := range b.part(v) {
		if u < first && b.left[u] != b.right[u] {
			first = u
		}
	}
	return first < len(b.Card) && b.left[first] < b.right[first]
}

// load sets the states of a solution and of the ancestors of v.
func (b *branch) load(v int, state []int, s *solution) {
	for u := b.parent[v]; u >= 0; u = b.parent[u] {
		state[u] = b.state[u]
	}
	for _, u := range b.part(v) {
		state[u] = 0
	}
	b.fill(s, state)
	for _, u := range b.part(v) {
		if !b.Max[u] {
			state[u] = 0
		}
	}
}

// merge puts solutions of the part of v into a list of the best, which has no more than keep:
// better ones first, and of equal ones the first in the order of the file.
func (b *branch) merge(v int, list, more []*solution) []*solution {
	if list == nil {
		return more
	}
	list = slices.Clone(list)
	for _, s := range more {
		at := len(list)
		for at > 0 && b.precedes(v, s, list[at-1]) {
			at--
		}
		if list = slices.Insert(list, at, s); len(list) > b.keep {
			list = list[:b.keep]
		}
	}
	return list
}

// precedes reports whether solution x of the part of v is better than y, or as good and before it.
func (b *branch) precedes(v int, x, y *solution) bool {
	switch {
	case x.value > y.value+b.tie:
		return true
	case x.value < y.value-b.tie:
		return false
	}
	b.passedOver = true
	return b.before(v, x, y)
}

// combine returns the best solutions of the part of v in state k, from the solutions of its
// children. value is the best one's.
func (b *branch) combine(v, k int, value float64) []*solution {
	lists := b.levels[v].lists
	if b.keep == 1 {
		s := solution{value: value, v: v, state: k}
		if len(lists) > 0 {
			s.below = make([]*solution, len(lists))
		}
		for i, list := range lists {
			if list != nil {
				s.below[i] = list[0]
			}
		}
		return single(s)
	}
	out := single(solution{value: value, v: v, state: k})
	for _, list := range lists {
		var next []*solution
		for _, s := range out {
			if list == nil {
				next = append(next, &solution{value: s.value, v: v, state: k, below: append(slices.Clone(s.below), nil)})
			}
			for _, c := range list {
				x := &solution{value: s.value - (list[0].value - c.value), v: v, state: k, below: append(slices.Clone(s.below), c)}
				next = b.merge(v, next, []*solution{x})
			}
		}
		out = next
	}
	return out
}
