package bound

import (
	"context"
	"math"
)

// run searches all parts. start has states to begin with, or is nil.
func (b *branch) run(start []int) Found {
	f := Found{Value: b.alone, Bound: b.alone, States: make([]int, len(b.Card))}
	for _, v := range b.roots {
		floor := math.Inf(-1)
		if start != nil {
			floor = b.valueOf(v, start)
			b.keep(f.States, v, start)
		}
		value, bound := b.search(v, floor)
		if value > floor && b.Max[v] {
			b.complete(v)
			b.keep(f.States, v, b.state)
		}
		f.Value += value
		f.Bound += max(value, bound)
	}
	f.Proven = !b.stopped
	f.Nodes = b.nodes
	return f
}

// search searches the part of a root for a value above floor. It returns the best value and a
// bound.
func (b *branch) search(v int, floor float64) (value, bound float64) {
	if b.stopped {
		return floor, b.root(b.e, v)
	}
	b.gained = math.Inf(-1)
	bound, exact := b.solve(v, floor)
	switch {
	case !b.Max[v] && exact:
		return bound, bound
	case b.Max[v] && b.gained > floor:
		floor = b.gained
	}
	if !b.stopped {
		bound = floor // what else there is differs by a tie
	}
	return floor, bound
}

// keep copies the states of the part of v.
func (b *branch) keep(to []int, v int, from []int) {
	for _, u := range b.part(v) {
		to[u] = max(0, from[u])
	}
}

// valueOf returns the value of the part of v at given states of the maximised variables; -Inf if
// the search is stopped meanwhile.
func (b *branch) valueOf(v int, at []int) float64 {
	if !b.Max[v] {
		if x, exact := b.solve(v, math.Inf(-1)); exact {
			return x
		}
		return math.Inf(-1)
	}
	b.state[v] = at[v]
	b.choices(v, b.state, b.levels[v].value)
	value := b.levels[v].value[at[v]]
	for _, c := range b.children[v] {
		if math.IsInf(value, -1) {
			break
		}
		value += b.valueOf(c, at)
	}
	return value
}

// complete finds the states of the part of v that were left for later.
func (b *branch) complete(v int) {
	ctx, limits, stopped := b.ctx, b.limits, b.stopped
	b.ctx, b.stopped, b.limits.Nodes = context.Background(), false, 0
	b.finish(v)
	b.ctx, b.limits, b.stopped = ctx, limits, stopped
}

func (b *branch) finish(v int) {
	if !b.Max[v] {
		return
	}
	if b.state[v] == later {
		k, ok := b.memo[v][b.key(v)]
		if !ok || b.exact[v] {
			b.expand(v, math.Inf(-1))
		} else {
			b.state[v] = int(k.state)
			floor := k.value - 4*tie*(1+math.Abs(k.value))
			if _, done := b.product(v, b.look(v), b.state[v], floor); !done {
				b.product(v, b.look(v), b.state[v], math.Inf(-1))
			}
		}
	}
	for _, c := range b.children[v] {
		b.finish(c)
	}
}
