package bound

import (
	"cmp"
	"math"
	"slices"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// tree is a tree of mini-buckets: the order of elimination, and for each variable the boxes into
// which its bucket is split.
type tree struct {
	*Problem
	order    []int
	pos      []int // by variable: its place in order
	boxes    []box // in the order of their variables
	boxesOf  [][]int32
	constant float64 // the product of factors without variables
	total    float64 // the numbers of all boxes
	// evidence is 0, by variable and state, or -Inf for a state that is known to be impossible.
	evidence [][]float64
	buckets  pgmrt.Buckets // the boxes without weights, shifts and messages; set by fill
}

// box is a mini-bucket. Its table has the variable that it eliminates as the last and fastest axis;
// its message, over the others, is a table with the same axes but that one.
type box struct {
	v      int
	scope  []int
	card   []int
	size   int
	parent int32 // the box that receives the message; -1 if the message is a number
	kids   []kid
	base   []float64 // the product of the problem's factors in the box; nil without any
	items  []int     // the numbers of these factors
	rows   *rowTable // in place of a table with axes; nil otherwise
}

// kid is a box that sends its message to another one.
type kid struct {
	box    int32
	stride []int // of the message along the axes of the receiver
}

// item is a factor or a message while buckets are filled.
type item struct {
	scope  []int
	factor int // -1 of a message
	from   int32
}

// newTree splits buckets so that no box has more than limit numbers, except boxes of one factor
// that is larger. It makes no tables.
func newTree(p *Problem, order []int, limit float64) *tree {
	t := &tree{Problem: p, order: order, pos: make([]int, len(p.Card)), boxesOf: make([][]int32, len(p.Card)), evidence: make([][]float64, len(p.Card))}
	for i, v := range order {
		t.pos[v] = i
	}
	buckets := make([][]item, len(p.Card))
	put := func(x item) {
		first := slices.MinFunc(x.scope, func(a, b int) int { return t.pos[a] - t.pos[b] })
		buckets[first] = append(buckets[first], x)
	}
	for i := range p.Factors {
		if f := &p.Factors[i]; len(f.Scope) > 0 {
			put(item{f.Scope, i, -1})
		} else {
			t.constant += f.Log[0]
		}
	}
	for _, v := range order {
		t.split(v, buckets[v], limit)
		for _, b := range t.boxesOf[v] {
			if rest := t.boxes[b].scope; len(rest) > 1 {
				put(item{rest[:len(rest)-1], -1, b})
			}
		}
	}
	return t
}

// dead reports whether state k of v is known to be impossible, and kill notes that it is.
func (t *tree) dead(v, k int) bool { return math.IsInf(t.evidence[v][k], -1) }
func (t *tree) kill(v, k int)      { t.evidence[v][k] = math.Inf(-1) }

// split makes the boxes of variable v: larger items first, each into the first box that it fits.
func (t *tree) split(v int, items []item, limit float64) {
	slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(t.sizeOf(b.scope), t.sizeOf(a.scope)) })
	var scopes [][]int
	var parts [][]item
	for _, x := range items {
		i := slices.IndexFunc(scopes, func(s []int) bool { return t.sizeOf(union(s, x.scope)) <= limit })
		if i < 0 {
			i = len(scopes)
			scopes, parts = append(scopes, nil), append(parts, nil)
		}
		scopes[i], parts[i] = union(scopes[i], x.scope), append(parts[i], x)
	}
	if len(items) == 0 {
		scopes, parts = [][]int{{v}}, [][]item{nil}
	}
	for i, scope := range scopes {
		slices.SortFunc(scope, func(a, b int) int { return t.pos[b] - t.pos[a] })
		b := box{v: v, scope: scope, parent: -1}
		for _, u := range scope {
			b.card = append(b.card, t.Card[u])
		}
		for _, x := range parts[i] {
			if x.factor >= 0 {
				b.items = append(b.items, x.factor)
				continue
			}
			b.kids = append(b.kids, kid{x.from, strides(t.Card, scope, x.scope)})
			t.boxes[x.from].parent = int32(len(t.boxes))
		}
		t.total += t.sizeOf(scope)
		t.boxesOf[v] = append(t.boxesOf[v], int32(len(t.boxes)))
		t.boxes = append(t.boxes, b)
	}
}

// sizeOf returns the number of joint states of some variables.
func (t *tree) sizeOf(scope []int) float64 {
	n := 1.0
	for _, v := range scope {
		n *= float64(t.Card[v])
	}
	return n
}

// union returns the variables of a and the variables of b that a lacks, in a slice of its own.
func union(a, b []int) []int {
	out := slices.Clone(a)
	for _, v := range b {
		if !slices.Contains(a, v) {
			out = append(out, v)
		}
	}
	return out
}

// strides returns the distances between neighbours along the axes of scope in a row-major table
// over the variables of of; 0 along axes that the table lacks.
func strides(card, scope, of []int) []int {
	out := make([]int, len(scope))
	step := 1
	for i := len(of) - 1; i >= 0; i-- {
		out[slices.Index(scope, of[i])] = step
		step *= card[of[i]]
	}
	return out
}

// fill makes the tables of the boxes.
func (t *tree) fill() {
	total := 0
	for i := range t.boxes {
		if b := &t.boxes[i]; len(b.items) > 0 {
			total += int(t.sizeOf(b.scope))
		}
	}
	numbers := make([]float64, total)
	l := newLayout(t)
	l.Numbers = numbers
	at := 0
	for i := range t.boxes {
		b := &t.boxes[i]
		b.size = int(t.sizeOf(b.scope))
		l.box(i)
		if len(b.items) > 0 {
			b.base = numbers[at : at+b.size]
			l.operand(-1-at, strides(t.Card, b.scope, b.scope))
			at += b.size
		}
		for _, f := range b.items {
			add(b.base, b.card, strides(t.Card, b.scope, t.Factors[f].Scope), t.Factors[f].Log)
		}
		l.kids(b)
	}
	t.buckets = l.finish()
	for v := range t.evidence {
		t.evidence[v] = t.buckets.Evidence[t.buckets.First[v]:t.buckets.First[v+1]]
	}
}

// plan returns the tree with the largest boxes of at most budget numbers in total, without tables,
// or the last that was tried before stop reports true. It never has less than the tree of boxes of
// 16 numbers.
func plan(p *Problem, order []int, budget float64, stop func() bool) *tree {
	best := newTree(p, order, 16)
	for limit := 32.0; limit <= math.Min(budget, 1<<30) && !stop(); limit *= 2 {
		t := newTree(p, order, limit)
		if t.total > budget {
			break
		}
		best = t
		if !t.splits() {
			break
		}
	}
	return best
}

// splits reports whether the bucket of some variable is split.
func (t *tree) splits() bool {
	return slices.ContainsFunc(t.boxesOf, func(boxes []int32) bool { return len(boxes) > 1 })
}
