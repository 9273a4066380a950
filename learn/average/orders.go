package average

import (
	"math"
	"math/rand/v2"

	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/internal/parentsets"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// orderWalk is a Markov chain over orders of the variables.
type orderWalk struct {
	lists [][]parentsets.Set
	order []int
	terms []float64 // by variable
}

func newOrderWalk(lists [][]parentsets.Set, order []int) *orderWalk {
	w := &orderWalk{lists, order, make([]float64, len(order))}
	for x, before := range predecessors(order) {
		w.terms[x] = term(lists[x], before)
	}
	return w
}

// step proposes a swap of two variables. The terms of the variables before the first and after the
// second do not change.
func (w *orderWalk) step(rng *rand.Rand) bool {
	n := len(w.order)
	if n < 2 {
		return false
	}
	i, j := rng.IntN(n), rng.IntN(n-1)
	if j >= i {
		j++
	}
	i, j = min(i, j), max(i, j)
	w.order[i], w.order[j] = w.order[j], w.order[i]
	before := graph.SetOf(n, w.order[:i]...)
	terms, gain := make([]float64, j-i+1), 0.0
	for k, x := range w.order[i : j+1] {
		terms[k] = term(w.lists[x], before)
		gain += terms[k] - w.terms[x]
		before.Add(x)
	}
	if !w.accepts(1-rng.Float64(), gain) {
		w.order[i], w.order[j] = w.order[j], w.order[i]
		return false
	}
	for k, x := range w.order[i : j+1] {
		w.terms[x] = terms[k]
	}
	return true
}

// accepts reports whether a swap that raises ln P by gain is accepted, given a number u that is
// uniform in (0, 1]. If a chain accepted all swaps, an even number of steps would lead to the even
// permutations only. Among these, all sets of predecessors of a variable are as frequent as among
// all orders if there are four variables or more. Of fewer, swaps between equally probable orders
// are accepted half of the time.
func (w *orderWalk) accepts(u, gain float64) bool {
	const rounding = 1e-9 // of the sums of terms
	if len(w.order) < 4 && math.Abs(gain) < rounding {
		return u <= .5
	}
	return pgmrt.Ln(u) < gain
}

func (w *orderWalk) sample(edges [][]float64) {
	for x, before := range predecessors(w.order) {
		addParents(edges[x], w.lists[x], before)
	}
}

func (w *orderWalk) draw(rng *rand.Rand) [][]int { return draw(w.lists, w.order, rng) }

func (w *orderWalk) best() (parents [][]int, score float64) {
	for x, before := range predecessors(w.order) {
		set := parentsets.First(w.lists[x], before)
		parents, score = append(parents, set.Parents), score+set.Score
	}
	return parents, score
}
