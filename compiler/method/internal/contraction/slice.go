package contraction

import (
	"math"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// mostSliced is the most variables that Slice fixes.
const mostSliced = 64

// Slice fixes variables until the cost of t fits, and returns them in the order in which they were
// fixed, or false if that takes more than mostSliced or the deadline passes. It fixes the variable
// that leaves the fewest operations for all of its states together, of those in a largest product
// or result (Chen et al. 2018; Gray and Kourtis 2021, section 4), and then anneals the remaining
// tree. The network has a known state for them afterwards.
func (t *Tree) Slice(fits func(Cost) bool, may func(v int) bool, seed uint64) (vars []int, ok bool) {
	for !fits(t.Cost()) {
		v := t.slice(may)
		if v < 0 || len(vars) == mostSliced || t.stopped() {
			return vars, false
		}
		vars = append(vars, v)
		t.net.States[v] = 0
		t.measure()
		t.anneal(seed, 1)
	}
	return vars, true
}

// slice returns the variable to fix next, or -1 if there is none.
func (t *Tree) slice(may func(v int) bool) int {
	largest := 0.0
	for p := range t.kids {
		largest = max(largest, t.kept(int32(p)))
	}
	candidate := make([]bool, len(t.net.States))
	all, saved := 0.0, make([]float64, len(t.net.States)) // by variable: the share of the products with it
	for p := range t.kids {
		p := int32(p)
		if t.leaf(p) {
			continue
		}
		t.a.union(t.scope[t.kids[p][0]], t.scope[t.kids[p][1]])
		u := t.net.size(t.a)
		all += u
		t.a.each(func(v int) { saved[v] += u })
		if t.size[p] == largest {
			t.scope[p].each(func(v int) { candidate[v] = true })
		}
	}
	best, least := -1, math.Inf(1)
	for v, k := range t.net.States {
		if !candidate[v] || k < 2 || !may(v) {
			continue
		}
		// Products without v are formed k times, those with it as often as before. Variables of
		// more states leave less memory, so that fewer follow.
		if excess := pgmrt.Ln(1+(k-1)*(all-saved[v])/all) / pgmrt.Ln(k); excess < least {
			best, least = v, excess
		}
	}
	return best
}
