package probmodelxml

import (
	"math"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
)

// cut divides the numbers before at, or after it if the number itself belongs to the left.
type cut struct {
	at    float64
	after bool
}

// compare orders cuts.
func (c cut) compare(d cut) int {
	switch {
	case c.at != d.at && c.at < d.at, c.at == d.at && !c.after && d.after:
		return -1
	case c == d:
		return 0
	}
	return 1
}

// below reports whether c lies below x.
func (c cut) below(x float64) bool { return c.at < x || c.at == x && !c.after }

// holds reports whether x lies between low and high.
func holds(low, high cut, x float64) bool { return low.below(x) && !high.below(x) }

// maxClock bounds the states of a numeric variable.
const maxClock = 10000

// clock gives a variable that starts at a number, to which each slice adds a cycle, the states up
// to the last threshold of a tree.
func (b *builder) clock(n *node, start float64) {
	cuts, last := b.cuts(n), 0.0
	if len(cuts) > 0 {
		top := cuts[len(cuts)-1]
		if last = max(0, math.Ceil((top.at-start)/b.time.cycle)); !top.below(start + last*b.time.cycle) {
			last++
		}
	}
	if !(last < maxClock) {
		b.Errorf(n.pos(), "numeric variable %s goes from %v to the threshold %v; want at most %d cycles", text.Quote(n.name), start, cuts[len(cuts)-1].at, maxClock)
		return
	}
	n.numbers = n.numbers[:0]
	for i := range int(last) + 1 {
		n.numbers = append(n.numbers, start+float64(i)*b.time.cycle)
	}
	n.clock = true
}

// intervals makes a variable without a distribution a given one with a state for each interval.
func (b *builder) intervals(n *node) {
	n.given = true
	list := b.cuts(n)
	for _, v := range n.at {
		if v != nil {
			list = append(list, v.bounds...)
		}
	}
	if len(list) == 0 {
		list = []cut{{at: math.Inf(-1)}, {at: math.Inf(1)}}
	}
	slices.SortFunc(list, cut.compare)
	list = slices.Compact(list)
	for i := range len(list) - 1 {
		low, high := list[i], list[i+1]
		n.numbers = append(n.numbers, between(low, high))
		left, right := "[", ")"
		if low.after {
			left = "("
		}
		if high.after {
			right = "]"
		}
		n.states = append(n.states, left+strconv.FormatFloat(low.at, 'g', -1, 64)+".."+strconv.FormatFloat(high.at, 'g', -1, 64)+right)
	}
	if len(n.states) == 0 || len(n.states) > maxClock {
		b.Errorf(n.pos(), "numeric variable %s has %d intervals; want 1 to %d", text.Quote(n.name), len(n.states), maxClock)
		return
	}
	b.Warnf(n.pos(), "numeric variable %s has no distribution: it is given, by its intervals", text.Quote(n.name))
}

// between returns a number between two cuts.
func between(low, high cut) float64 {
	switch {
	case low.at == high.at:
		return low.at
	case math.IsInf(low.at, -1) && math.IsInf(high.at, 1):
		return 0
	case math.IsInf(low.at, -1):
		return high.at - max(1, math.Abs(high.at))
	case math.IsInf(high.at, 1):
		return low.at + max(1, math.Abs(low.at))
	}
	return low.at + (high.at-low.at)/2
}

// cuts returns the finite thresholds of the branches on a variable in trees, in order.
func (b *builder) cuts(n *node) (list []cut) {
	b.walk(func(q *potential, _ []ref) {
		for _, x := range q.branches {
			if q.top.name == n.name && x.interval {
				for _, c := range []cut{x.low, x.high} {
					if !math.IsInf(c.at, 0) {
						list = append(list, c)
					}
				}
			}
		}
	})
	slices.SortFunc(list, cut.compare)
	return slices.Compact(list)
}

// walk calls do with all potentials and those of their branches, each with the parents that it
// lists, or else those of the potential that it is in.
func (b *builder) walk(do func(q *potential, parents []ref)) {
	var visit func(q *potential, parents []ref)
	visit = func(q *potential, parents []ref) {
		own := q.vars
		if len(q.own) == 0 && len(own) > 0 {
			own = own[1:]
		}
		if len(own) > 0 {
			parents = own
		}
		do(q, parents)
		for _, x := range q.branches {
			if x.reference == "" {
				visit(x.potential, parents)
			}
		}
	}
	for _, q := range b.parser.potentials {
		visit(q, nil)
	}
}
