package bound

import (
	"math/rand/v2"
	"slices"
)

// neighbours improves a joint state many variables at a time: it fixes some variables at random so
// that the buckets of the others are small, and finds the best states of these by elimination.
// Repeated, this leaves local optima that no exchange of a few states leaves.
type neighbours struct {
	*Problem
	order     []int
	factorsOf [][]int // by variable: its factors
	limit     float64 // the most numbers of a bucket
	state     []int
	value     float64
}

func newNeighbours(p *Problem, order, state []int, limit float64) *neighbours {
	n := &neighbours{Problem: p, order: order, factorsOf: make([][]int, len(p.Card)), limit: limit, state: slices.Clone(state), value: p.Value(state)}
	for i := range p.Factors {
		for _, v := range p.Factors[i].Scope {
			n.factorsOf[v] = append(n.factorsOf[v], i)
		}
	}
	return n
}

// fix returns which variables to fix: as the buckets are filled in order, random members of those
// that are too large.
func (n *neighbours) fix(rng *rand.Rand) []bool {
	fixed, gone := make([]bool, len(n.Card)), make([]bool, len(n.Card))
	scopes := make([][]int, len(n.Card)) // by variable: the scopes of its messages, together
	at := make([]int, len(n.Card))
	for i, v := range n.order {
		at[v] = i
	}
	for _, v := range n.order {
		gone[v] = true
		if fixed[v] {
			continue
		}
		scope := scopes[v]
		for _, i := range n.factorsOf[v] {
			scope = union(scope, n.Factors[i].Scope)
		}
		scope = slices.DeleteFunc(scope, func(u int) bool { return fixed[u] || gone[u] })
		for n.size(scope)*float64(n.Card[v]) > n.limit && len(scope) > 0 {
			k := rng.IntN(len(scope))
			fixed[scope[k]] = true
			scope = slices.Delete(scope, k, k+1)
		}
		if len(scope) > 0 {
			next := slices.MinFunc(scope, func(a, b int) int { return at[a] - at[b] })
			scopes[next] = union(scopes[next], scope)
		}
	}
	return fixed
}

func (n *neighbours) size(scope []int) float64 {
	x := 1.0
	for _, v := range scope {
		x *= float64(n.Card[v])
	}
	return x
}

// conditioned returns the problem that fixed variables leave, each with its one state.
func (n *neighbours) conditioned(fixed []bool) *Problem {
	p := &Problem{Card: slices.Clone(n.Card)}
	for v, f := range fixed {
		if f {
			p.Card[v] = 1
		}
	}
	for i := range n.Factors {
		p.Factors = append(p.Factors, restrict(&n.Factors[i], n.Card, fixed, n.state))
	}
	return p
}

// restrict returns f with some variables fixed.
func restrict(f *Factor, card []int, fixed []bool, state []int) Factor {
	var out Factor
	size, first, step := 1, 0, 1
	strides := []int{}
	for j := len(f.Scope) - 1; j >= 0; j-- {
		if v := f.Scope[j]; fixed[v] {
			first += state[v] * step
		} else {
			out.Scope, strides = append(out.Scope, v), append(strides, step)
			size *= card[v]
		}
		step *= card[f.Scope[j]]
	}
	slices.Reverse(out.Scope)
	slices.Reverse(strides)
	if len(out.Scope) == len(f.Scope) {
		return *f
	}
	if out.Log = make([]float64, size); len(out.Scope) == 0 {
		out.Log[0] = f.Log[first]
		return out
	}
	axes := make([]int, len(out.Scope))
	for j, v := range out.Scope {
		axes[j] = card[v]
	}
	add(out.Log, axes, strides, f.Log[first:])
	return out
}

// eliminate eliminates the variables that are not fixed: all by maxima, or all by sums.
func (n *neighbours) eliminate(fixed []bool, maxima bool) *elimination {
	p := n.conditioned(fixed)
	p.Max = slices.Repeat([]bool{maxima}, len(p.Card))
	t := newTree(p, n.order, n.limit*float64(slices.Max(n.Card)))
	t.fill()
	e := newElimination(t, upper)
	e.forward()
	return e
}

// round re-optimises the variables that are not fixed, which never makes the states worse.
func (n *neighbours) round(rng *rand.Rand) {
	fixed := n.fix(rng)
	e := n.eliminate(fixed, true)
	r := newRows(e)
	for i := len(e.order) - 1; i >= 0; i-- {
		v := e.order[i]
		row, _ := r.read(e.boxesOf[v][0])
		for k, x := range row {
			if x > row[r.state[v]] {
				r.state[v] = k
			}
		}
	}
	for v, f := range fixed {
		if f {
			r.state[v] = n.state[v]
		}
	}
	if x := n.Problem.Value(r.state); x >= n.value {
		n.value = x
		copy(n.state, r.state)
	}
}

// run takes some rounds.
func (n *neighbours) run(rounds int, rng *rand.Rand, stop func() bool) {
	for range rounds {
		if stop() {
			return
		}
		n.round(rng)
	}
}
