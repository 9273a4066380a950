package probmodelxml

import (
	"math"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// maxWork bounds the steps in evaluating numbers: about a second.
const maxWork = 1 << 26

// spend counts steps in evaluating a potential, and reports an error if they are too many.
func (b *builder) spend(steps int, pos diag.Pos) {
	if b.work += steps; b.work > maxWork && !b.HasErrors() {
		b.Errorf(pos, "the values of numeric variables and their functions take more than %d steps; want fewer slices, parents or operations", maxWork)
	}
}

// enumerate gives numeric variables the states that they can have in the slices of the file, in
// their order. The value of each is a function of those of its parents.
func (b *builder) enumerate() {
	var list []*node
	for _, n := range b.nodes {
		if n.first.kind == "numeric" && !n.given {
			list = append(list, n)
		}
	}
	b.measured()
	for t := 0; t <= b.steps; t++ {
		same := t > 1
		for _, n := range list {
			if b.fill(n, t); b.HasErrors() {
				return
			}
			same = same && slices.Equal(n.values[t], n.values[t-1])
		}
		if same { // and so in all later slices
			b.steps = t
		}
	}
	for _, n := range list {
		n.order()
		switch {
		case len(n.numbers) == 0:
			b.Errorf(n.pos(), "numeric variable %s has no value; want a potential with one", text.Quote(n.name))
		case n.grows && b.time.slices == 0:
			b.Errorf(n.pos(), "numeric variable %s has a new value in each slice, and the file has no number of slices; want one in TemporalOptions", text.Quote(n.name))
		case n.grows:
			b.Warnf(n.pos(), "numeric variable %s has the values of %d slices; it keeps the last one in later slices", text.Quote(n.name), b.steps)
		}
	}
}

// measured finds the numeric variables of which not only the interval matters.
func (b *builder) measured() {
	b.walk(func(q *potential, parents []ref) {
		if !q.calculates() {
			return
		}
		for _, r := range parents {
			if n := b.byName[r.name]; n != nil {
				n.measured = true
			}
		}
		if q.time != nil && b.byName[q.time.name] != nil {
			b.byName[q.time.name].measured = true
		}
	})
}

// numeric returns the potential of a numeric variable in slice t, or nil if it begins in slice 1.
func (b *builder) numeric(n *node, t int) *potential {
	if t > 0 {
		if q := b.potentials[id{n.name, 1}]; q != nil && q.kind != "SameAsPrevious" {
			return q
		}
	}
	return b.own(n, 0)
}

// fill finds the values of a numeric variable in slice t.
func (b *builder) fill(n *node, t int) {
	if n.first.kind != "numeric" || n.given || len(n.values) > t || b.HasErrors() {
		return
	}
	b.spend(64, n.pos()) // what a slice takes to store
	switch {
	case n.clock:
		n.values = append(n.values, []int32{int32(min(t, len(n.numbers)-1))})
		return
	case t > 0 && n.at[2] != nil:
		n.values = append(n.values, n.values[t-1])
		return
	}
	q := b.numeric(n, t)
	switch {
	case q == nil && t == 0 && n.at[0] == nil && n.at[1] != nil:
		n.values = append(n.values, nil)
		return
	case q == nil:
		b.Errorf(n.pos(), "variable %s has no potential; want one", text.Quote(n.name))
		return
	case n.filling:
		b.Errorf(q.pos, "numeric variable %s depends on itself in the same slice; want an order", text.Quote(n.name))
		return
	}
	n.filling = true
	list := b.reach(n, q, t)
	n.filling = false
	if b.HasErrors() {
		return
	}
	n.values = append(n.values, list)
	if next := b.potentials[id{n.name, 1}]; t == 0 && len(list) == 1 && !n.measured && next != nil && next.shifts(n) {
		b.clock(n, n.numbers[list[0]])
		n.values[0] = []int32{0}
	}
}

// shifts reports whether a potential adds a cycle to the value of the slice before.
func (q *potential) shifts(n *node) bool {
	return q.kind == "CycleLengthShift" && len(q.vars) == 2 && q.vars[1].id == id{n.name, 0}
}

// reach returns the values of a numeric variable in slice t, given those of its parents. After the
// last slice it adds none.
func (b *builder) reach(n *node, q *potential, t int) (list []int32) {
	f := b.family(number, &node{name: n.name, states: []string{n.name}}, q)
	if f == nil {
		return nil
	}
	choices := make([][]int32, len(f.parents))
	for i, p := range f.parents {
		at := f.slice(i, t)
		if b.fill(p, at); b.HasErrors() {
			return nil
		}
		if p.values != nil {
			choices[i] = p.values[at]
		} else {
			choices[i] = b.ordinals(len(p.states))
		}
		if len(choices[i]) == 0 {
			return nil
		}
	}
	if !f.check(q) {
		return nil
	}
	seen := map[int32]bool{}
	for at := make([]int, len(choices)); ; {
		for i, c := range choices {
			f.state[i] = int(c[at[i]])
		}
		x := f.value(q)
		b.spend(16, q.pos)
		switch {
		case b.HasErrors():
		case len(n.numbers) > maxClock:
			b.Errorf(n.pos(), "numeric variable %s has more than %d values; want fewer", text.Quote(n.name), maxClock)
		case !finite(x):
			b.Errorf(q.pos, "numeric variable %s is %v%s; want a finite number", text.Quote(n.name), x, f.where())
		}
		if b.HasErrors() {
			return nil
		}
		if k := n.find(x, t < b.steps); k >= 0 && !seen[k] {
			seen[k], list = true, append(list, k)
		}
		if !advance(at, func(i int) int { return len(choices[i]) }) {
			return list
		}
	}
}

// ordinals returns the numbers below n.
func (b *builder) ordinals(n int) []int32 {
	for len(b.counting) < n {
		b.counting = append(b.counting, int32(len(b.counting)))
	}
	return b.counting[:n]
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// label names a number by its first 12 digits: sums in another order are then the same number.
func label(x float64) string { return strconv.FormatFloat(x+0, 'g', 12, 64) }

// find returns the number of a value. If it is new, it is added, or else the variable grows.
func (n *node) find(x float64, add bool) int32 {
	name := label(x)
	k, ok := n.index[name]
	switch {
	case ok:
		return k
	case !add:
		n.grows = true
		return -1
	case n.index == nil:
		n.index = map[string]int32{}
	}
	x, _ = strconv.ParseFloat(name, 64) // never fails
	n.index[name] = int32(len(n.numbers))
	n.numbers = append(n.numbers, x)
	return n.index[name]
}

// order sorts the values of a variable and names its states.
func (n *node) order() {
	if !n.clock {
		by := make([]int32, len(n.numbers))
		for i := range by {
			by[i] = int32(i)
		}
		slices.SortFunc(by, func(i, j int32) int { return cut{at: n.numbers[i]}.compare(cut{at: n.numbers[j]}) })
		to, sorted := make([]int32, len(by)), make([]float64, len(by))
		for k, i := range by {
			to[i], sorted[k] = int32(k), n.numbers[i]
		}
		n.numbers = sorted
		for t, list := range n.values {
			n.values[t] = nil
			for _, i := range list {
				n.values[t] = append(n.values[t], to[i])
			}
		}
	}
	for _, x := range n.numbers {
		n.states = append(n.states, strconv.FormatFloat(x, 'g', -1, 64))
	}
	if end := len(n.states) - 1; n.clock {
		n.states[end] = ">=" + n.states[end]
	}
}

// nearest returns the state with the number closest to x.
func (n *node) nearest(x float64) int32 {
	k, ok := slices.BinarySearchFunc(n.numbers, x, func(a, b float64) int { return cut{at: a}.compare(cut{at: b}) })
	if !ok && k > 0 && (k == len(n.numbers) || x-n.numbers[k-1] <= n.numbers[k]-x) {
		k--
	}
	return int32(k)
}
