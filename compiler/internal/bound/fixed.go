package bound

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Fixed is a tree of mini-buckets with boxes, weights and shifts that were chosen once, without
// evidence. They bound for any evidence, so that a program can have them as constants: the words
// and numbers of pgmrt.BoundSums and pgmrt.SearchStates. Numbers have -math.MaxFloat64 for ln 0.
type Fixed struct {
	tree   *tree
	search bool

	Words  []int32   // of pgmrt.Buckets
	Search []int32   // of the search after them; nil without one
	Tables []float64 // of the model's factors
	// Never has 0 for each state of each variable, or ln 0 if it is impossible for any evidence,
	// then ln of the product of the factors without variables, and how far rounding may move a
	// bound.
	Never        []float64
	Upper, Lower []float64 // weights and shifts; Lower is nil for maxima
	Exact        bool      // no bucket is split
	Boxes        int
	Messages     int // numbers of all messages
	Box          int // numbers of the largest box
	Kept, Ints   int // further numbers and integers of a search
}

// FixOptions are the limits of [Fix].
type FixOptions struct {
	MaxTable int     // the most numbers of a table of the model
	Numbers  float64 // the most of all boxes
	Slots    int     // the most integers that a search keeps of parts it knows
}

// mostWords bounds the words of a program.
const mostWords = 1 << 22

// Fix chooses boxes of m for an elimination in that order, to bound the sum over all joint states
// or, with search set, the largest number of one, and lays out the search for it. The weights and
// shifts are 0 until Improve.
func Fix(ctx context.Context, m *model.Model, order []int, search bool, opt FixOptions) (*Fixed, error) {
	p, err := FromModel(m, slices.Repeat([]bool{search}, len(m.Vars)), opt.MaxTable)
	if err != nil {
		return nil, err
	}
	t := plan(p, order, min(opt.Numbers, mostNumbers), func() bool { return ctx.Err() != nil })
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b, tables := t.plain()
	f := &Fixed{tree: t, search: search, Exact: !t.splits(), Boxes: len(t.boxes), Messages: len(b.Message), Box: len(b.Work)}
	f.Words, f.Tables, f.Never = words(&b), b.Numbers, make([]float64, len(b.Evidence)+2)
	f.Upper = make([]float64, len(b.Var)+len(b.Shift))
	if search {
		s := newPseudo(t)
		if s == nil {
			return nil, errors.New("the search would look up too many tables at a node")
		}
		newSearchLayout(s, tables, opt.Slots).write(f)
	} else {
		f.Lower = make([]float64, len(f.Upper))
	}
	if n := len(f.Words) + len(f.Search); n > mostWords {
		return nil, fmt.Errorf("the mini-buckets take %d words of description; %d is the most", n, mostWords)
	}
	return f, nil
}

// Improve sets the weights and shifts to those that some rounds find, in place, and the bounds of
// states by them. It returns early with the error of ctx.
func (f *Fixed) Improve(ctx context.Context, rounds int) error {
	t, stop := f.tree, func() bool { return ctx.Err() != nil }
	t.fill()
	up := newElimination(t, upper)
	up.improve(rounds, stop)
	copy(f.Upper, up.parameters())
	if !f.search {
		down := newElimination(t, lower)
		down.improve(rounds, stop)
		copy(f.Lower, down.parameters())
	}
	at := 0
	for _, list := range t.evidence {
		for _, x := range list {
			f.Never[at] = finite(x)
			at++
		}
	}
	f.Never[at], f.Never[at+1] = finite(t.constant), t.slack()
	return ctx.Err()
}

// parameters returns the weights and the shifts of e.
func (e *elimination) parameters() []float64 { return slices.Concat(e.weight, e.buckets.Shift) }

// plain returns the tree as one that reads the tables of the factors themselves, so that boxes need
// no numbers of their own, and by factor the place of its table.
func (t *tree) plain() (b pgmrt.Buckets, at []int) {
	l := newLayout(t)
	at = make([]int, len(t.Factors))
	for i := range t.Factors {
		at[i] = len(l.Numbers)
		for _, x := range t.Factors[i].Log {
			l.Numbers = append(l.Numbers, finite(x))
		}
	}
	for i := range t.boxes {
		box := &t.boxes[i]
		l.box(i)
		for _, f := range box.items {
			l.operand(-1-at[f], strides(t.Card, box.scope, t.Factors[f].Scope))
		}
		l.kids(box)
	}
	return l.finish(), at
}

// searchLayout writes a pseudo tree as pgmrt.SearchStates reads it. The fields are in its order.
type searchLayout struct {
	*pseudo
	tables                          []int // by factor: the place of its table
	up, open, width, pre            []int32
	childAt, child, ownAt, outAt    []int32
	contextAt, in, touchAt, touch   []int32
	slots, slotInts, slotNums, best []int32
	term, termVar                   []int32
	line, ints, nums, states        int
}

func newSearchLayout(s *pseudo, tables []int, slots int) *searchLayout {
	l := &searchLayout{pseudo: s, tables: tables, up: int32s(s.parent), pre: int32s(s.preorder)}
	n := len(s.Card)
	l.open, l.width, l.best = make([]int32, n), make([]int32, n), make([]int32, n)
	place := int32(0)
	for _, v := range s.preorder {
		l.open[v] = -1
		if !s.exact[v] {
			l.open[v] = place
			place++
		}
	}
	for v := range n {
		for _, u := range s.part(v) {
			if !s.exact[u] {
				l.width[v]++
			}
		}
		l.best[v] = int32(l.line)
		l.line += int(l.width[v])
		l.states += s.Card[v]
	}
	l.lists()
	l.memory(slots)
	return l
}

func int32s(list []int) []int32 {
	out := make([]int32, len(list))
	for i, x := range list {
		out[i] = int32(x)
	}
	return out
}

// lists sets the lists of children, look-ups, contexts and neighbours.
func (l *searchLayout) lists() {
	touches := make([][]int32, len(l.Card))
	factors := make([][]int, len(l.Card))
	for v, boxes := range l.boxesOf {
		for _, b := range boxes {
			factors[v] = append(factors[v], l.boxes[b].items...)
		}
		for _, f := range factors[v] {
			for _, u := range l.Factors[f].Scope {
				if u != v && !slices.Contains(touches[u], int32(v)) {
					touches[u] = append(touches[u], int32(v))
				}
			}
		}
	}
	for v := range l.Card {
		l.childAt, l.child = append(l.childAt, int32(len(l.child))), append(l.child, int32s(l.children[v])...)
		l.contextAt, l.in = append(l.contextAt, int32(len(l.in))), append(l.in, int32s(l.context[v])...)
		l.touchAt, l.touch = append(l.touchAt, int32(len(l.touch))), append(l.touch, touches[v]...)
		l.ownAt = append(l.ownAt, int32(len(l.term)/termWords))
		for _, f := range factors[v] {
			l.look(-1-l.tables[f], l.pseudo.term(0, l.Factors[f].Scope, v))
		}
	}
	l.ownAt = append(l.ownAt, int32(len(l.term)/termWords))
	for v := range l.Card {
		l.outAt = append(l.outAt, int32(len(l.term)/termWords))
		for _, x := range l.outgoing[v] {
			l.look(int(x.box), x)
		}
	}
	l.childAt, l.contextAt = append(l.childAt, int32(len(l.child))), append(l.contextAt, int32(len(l.in)))
	l.touchAt, l.outAt = append(l.touchAt, int32(len(l.touch))), append(l.outAt, int32(len(l.term)/termWords))
}

// termWords is the number of words of a look-up without its variables.
const termWords = 4

// look adds a look-up of a table.
func (l *searchLayout) look(from int, x term) {
	first := len(l.termVar)
	for i, v := range x.vars {
		l.termVar = append(l.termVar, int32(v), int32(x.stride[i]))
	}
	l.term = append(l.term, int32(from), int32(x.last), int32(first), int32(len(l.termVar)))
}

// slotWords is the number of integers of an entry without its states.
const slotWords = 4

// memory lays out tables of the search's results for parts, by the states of their contexts. Small
// parts, which are met most often, get their tables first.
func (l *searchLayout) memory(most int) {
	n := len(l.Card)
	l.slots, l.slotInts, l.slotNums = make([]int32, n), make([]int32, n), make([]int32, n)
	var list []int
	for v := range l.Card {
		if !l.exact[v] && l.reusable(v) {
			list = append(list, v)
		}
	}
	need := func(v int) float64 { return l.sizeOf(l.context[v]) * float64(slotWords+l.width[v]) }
	slices.SortStableFunc(list, func(a, b int) int {
		switch x, y := need(a), need(b); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	for i, v := range list {
		each := slotWords + int(l.width[v])
		share := (most - l.ints) / (len(list) - i)
		l.slots[v] = int32(math.Min(l.sizeOf(l.context[v]), float64(share/each)))
		l.slotInts[v], l.slotNums[v] = int32(l.ints), int32(l.nums)
		l.ints += int(l.slots[v]) * each
		l.nums += int(l.slots[v])
	}
}

// The integers and the numbers of a search, besides tables of contexts and the best states of
// parts.
const (
	controls      = 4
	intsAVariable = 5
	numsAVariable = 5
)

// write sets the words of the search, and what memory it needs.
func (l *searchLayout) write(f *Fixed) {
	n := len(l.Card)
	f.Search = append(f.Search, int32(l.line), int32(l.ints), int32(l.nums), int32(len(l.term)), int32(len(l.termVar)))
	for _, part := range [...][]int32{l.up, l.open, l.width, l.pre, l.childAt, l.child, l.ownAt, l.outAt, l.contextAt, l.in,
		l.touchAt, l.touch, l.slots, l.slotInts, l.slotNums, l.best, l.term, l.termVar} {
		f.Search = append(f.Search, part...)
	}
	f.Ints = controls + intsAVariable*n + l.states + l.line + l.ints
	f.Kept = l.states + numsAVariable*n + l.nums
}
