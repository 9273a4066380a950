package bound

import (
	"context"
	"math"

	"github.com/pgmc-go/pgmc/compiler/internal/heap"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Interval holds bounds of ln Z.
type Interval struct {
	Lower, Upper float64
	Exact        bool // they are equal up to rounding
	Nodes        int  // of the search
}

// node is a partial assignment: the states of the first variables of the search's sequence.
type node struct {
	parent       int32 // -1 of the empty assignment
	state        int32 // of the last of these variables
	depth        int32
	open         bool // it has no successors yet
	upper, lower float64
}

// refiner is a best-first search that replaces the bounds of a partial assignment by the bounds of
// its extensions.
type refiner struct {
	*pseudo
	upper, lower *elimination
	sequence     []int // the variables to assign, ancestors first; the bound of the rest is exact
	nodes        []node
	queue        heap.Heap[openNode] // the open nodes
	leaves       float64             // ln of the sum of complete assignments
	shares       [][]float64         // by variable of the sequence and state: the part of that sum, by exp whole
	logScale     float64             // up.value when the search began
	state        []int
	value        []float64
	below        []float64
	low          []float64
	report       func(Interval)
}

// openNode is an open node and the width of its interval.
type openNode struct {
	width float64
	node  int32
}

// Before reports whether w is to be replaced before another node: if its interval is wider.
func (w openNode) Before(other openNode) bool { return w.width > other.width }

// width returns ln of how much the bounds of a node differ.
func (r *refiner) width(i int32) float64 {
	n := &r.nodes[i]
	if n.lower >= n.upper {
		return math.Inf(-1)
	}
	return n.upper + math.Log1p(-math.Exp(n.lower-n.upper))
}

func newRefiner(s *pseudo, up, down *elimination) *refiner {
	r := &refiner{pseudo: s, upper: up, lower: down, leaves: math.Inf(-1), state: make([]int, len(s.Card)), logScale: up.value, report: func(Interval) {}}
	r.shares = make([][]float64, len(s.Card))
	most := 0
	for _, v := range s.preorder {
		if !s.exact[v] {
			r.sequence, r.shares[v] = append(r.sequence, v), make([]float64, s.Card[v])
			most = max(most, s.Card[v])
		}
	}
	r.value, r.below, r.low = make([]float64, most), make([]float64, most), make([]float64, most)
	r.add(node{parent: -1, upper: up.value, lower: min(down.value, up.value)})
	return r
}

// add puts a node into the queue, or its value among the leaves if nothing is left to assign.
func (r *refiner) add(n node) int32 {
	switch {
	case math.IsInf(n.upper, -1):
		return -1
	case int(n.depth) == len(r.sequence):
		r.leaves = pgmrt.LogAdd(r.leaves, n.upper)
		r.share(&n, n.upper)
		return -1
	}
	n.open = true
	r.nodes = append(r.nodes, n)
	i := int32(len(r.nodes) - 1)
	r.queue.Push(openNode{r.width(i), i})
	return i
}

// share adds a part of the sum to the shares of a node's states.
func (r *refiner) share(n *node, log float64) {
	for w := math.Exp(log - r.logScale); n.parent >= 0; n = &r.nodes[n.parent] {
		r.shares[r.sequence[n.depth-1]][n.state] += w
	}
}

// locate sets the states of node i and of its ancestors.
func (r *refiner) locate(i int32) {
	for n := &r.nodes[i]; n.parent >= 0; n = &r.nodes[n.parent] {
		r.state[r.sequence[n.depth-1]] = int(n.state)
	}
}

// expand replaces open node i, with located states, by its extensions. It returns the one with the
// largest upper bound; -1 without any.
func (r *refiner) expand(i int32) int32 {
	n := r.nodes[i]
	r.nodes[i].open = false
	v := r.sequence[n.depth]
	card := r.Card[v]
	value, low := r.value[:card], r.low[:card]
	r.choices(v, r.state, value)
	copy(low, value)
	for _, c := range r.children[v] {
		r.addBelow(r.upper, c, value)
		r.addBelow(r.lower, c, low)
	}
	upper, lower := n.upper-r.partBound(r.upper, v, r.state), n.lower-r.partBound(r.lower, v, r.state)
	best, most := int32(-1), math.Inf(-1)
	for k := range card {
		x := node{parent: i, state: int32(k), depth: n.depth + 1, upper: upper + value[k], lower: math.Inf(-1)}
		if l := lower + low[k]; l == l {
			x.lower = min(l, x.upper)
		}
		if j := r.add(x); j >= 0 && x.upper > most {
			best, most = j, x.upper
		}
	}
	return best
}

// addBelow adds the bounds of the part of c to value, by the state of its parent.
func (r *refiner) addBelow(e *elimination, c int, value []float64) {
	below := r.below[:len(value)]
	r.pseudo.below(e, c, r.state, below)
	for k, x := range below {
		value[k] += x
	}
}

// The search dives to a complete assignment at its start and every diveEvery nodes, since complete
// assignments may be the only lower bound; otherwise it extends the node with the widest bounds.
// The interval is reported whenever the number of nodes has doubled.
const diveEvery = 64

// run searches until the interval is exact, ctx ends or there are most nodes.
func (r *refiner) run(ctx context.Context, most int) Interval {
	dive, next := int32(-1), 1<<12
	for steps := 0; len(r.queue) > 0 && len(r.nodes) < most; steps++ {
		if steps&255 == 0 && ctx.Err() != nil {
			break
		}
		if len(r.nodes) >= next {
			r.report(r.interval())
			next = 2 * len(r.nodes)
		}
		i := dive
		if i < 0 {
			i = r.queue.Pop().node
			if !r.nodes[i].open {
				continue
			}
			r.locate(i)
		} else {
			r.state[r.sequence[r.nodes[i].depth-1]] = int(r.nodes[i].state)
		}
		child := r.expand(i)
		if dive >= 0 || steps%diveEvery == 0 {
			dive = child
		}
	}
	return r.interval()
}

// interval sums up the bounds of all open nodes.
func (r *refiner) interval() Interval {
	out := Interval{Lower: r.leaves, Upper: r.leaves, Exact: true, Nodes: len(r.nodes)}
	for i := range r.nodes {
		if n := &r.nodes[i]; n.open {
			out.Exact = false
			out.Lower, out.Upper = pgmrt.LogAdd(out.Lower, n.lower), pgmrt.LogAdd(out.Upper, n.upper)
		}
	}
	slack := r.slack()
	out.Lower, out.Upper = min(max(out.Lower, r.lower.value), out.Upper)-slack, min(out.Upper, r.upper.value)+slack
	return out
}

// tightenMarginals tightens bounds of the marginals after a search: the joint states of known sum
// with a state of a variable are a part of its posterior. most is an upper bound of ln of the whole
// sum.
func (r *refiner) tightenMarginals(bounds [][]Bound, most float64) {
	for i := range r.nodes {
		if n := &r.nodes[i]; n.open {
			r.share(n, n.lower)
		}
	}
	// Each share is a sum of at most so many roundings, of logarithms with slack.
	scale := math.Exp(r.logScale-most) * (1 - 2*r.slack() - 0x1p-52*float64(len(r.nodes)+len(r.sequence)))
	for _, v := range r.sequence {
		for k, x := range r.shares[v] {
			bounds[v][k].Lower = max(bounds[v][k].Lower, x*scale-rounding)
			bounds[v][k].order()
		}
		complement(bounds[v])
	}
}
