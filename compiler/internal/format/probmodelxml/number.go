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

// number makes a numeric variable one with states: those of a clock, or intervals.
func (b *builder) number(n *node) {
	first, next := b.own(n, 0), b.potentials[id{n.name, 1}]
	cuts := b.cuts(n)
	shift := next != nil && next.kind == "CycleLengthShift" && len(next.vars) == 2 && next.vars[1].id == id{n.name, 0}
	same := next == nil || next.kind == "SameAsPrevious"
	switch {
	case first != nil && first.kind == "Delta" && first.hasNumber && (shift || same):
		b.clock(n, first.number, shift, cuts)
	case (first == nil || first.kind == "Uniform") && (shift || same):
		b.intervals(n, cuts)
	case first == nil || first.kind == "Uniform":
		first = next
		fallthrough
	default:
		b.Errorf(first.pos, "numeric variable %s has a potential of the type %s; want Delta with a number, then CycleLengthShift, or Uniform", text.Quote(n.name), text.Quote(first.kind))
	}
}

// clock gives a variable that starts at a number the states up to the last cut.
func (b *builder) clock(n *node, start float64, shift bool, cuts []cut) {
	n.shift = shift
	last := 0.0
	if shift && len(cuts) > 0 {
		top := cuts[len(cuts)-1]
		if last = max(0, math.Ceil(top.at-start)); !top.below(start + last) {
			last++
		}
	}
	if !(last < maxClock) {
		b.Errorf(n.pos(), "numeric variable %s goes from %v to the threshold %v; want at most %d cycles", text.Quote(n.name), start, cuts[len(cuts)-1].at, maxClock)
		return
	}
	for i := range int(last) + 1 {
		x := start + float64(i)
		n.numbers, n.states = append(n.numbers, x), append(n.states, strconv.FormatFloat(x, 'g', -1, 64))
	}
	if end := len(n.states) - 1; shift {
		n.states[end] = ">=" + n.states[end]
	}
}

// intervals makes a variable without a distribution a given one with a state for each interval.
func (b *builder) intervals(n *node, cuts []cut) {
	n.given = true
	list := append([]cut{}, cuts...)
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
	var walk func(q *potential)
	walk = func(q *potential) {
		for _, x := range q.branches {
			if q.top.name == n.name && x.interval {
				for _, c := range []cut{x.low, x.high} {
					if !math.IsInf(c.at, 0) {
						list = append(list, c)
					}
				}
			}
			if x.reference == "" {
				walk(x.potential)
			}
		}
	}
	for _, q := range b.parser.potentials {
		if !b.about(q) {
			walk(q)
		}
	}
	slices.SortFunc(list, cut.compare)
	return slices.Compact(list)
}
