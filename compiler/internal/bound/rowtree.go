package bound

import (
	"cmp"
	"math"
	"slices"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// The limit of rows begins at minRows and grows rowGrowth times from one tree to the next. Lists
// are tried if one number of zeroShare is zero.
const (
	minRows   = 1 << 10
	rowGrowth = 4
	zeroShare = 8
)

// rowTable is the table of a box as a list of its numbers that are not zero. Constraints and
// pedigrees have few of these, so that boxes have far more variables in the same time.
type rowTable struct {
	base  []float64 // by row: the product of the problem's factors
	state []uint8   // by row: the state of the box's variable
	group []int32   // by row: the place in the message
	sums  int       // the numbers of the message
	from  [][]int32 // by kid and row: the place in its message
}

// rowItem is a factor or a message while buckets are filled with rows.
type rowItem struct {
	*support
	log []float64 // of a factor
	box int32     // of a message; -1 of a factor
}

// rowPart is a box while its items are joined.
type rowPart struct {
	*support
	items []rowItem
	at    [][]int32 // by item and row: the row of the item
}

// rowTree is a tree with lists of rows as boxes.
type rowTree struct {
	*tree
	limit   int
	buckets [][]rowItem
	rows    int
	zero    bool // a product has no rows: the sum is 0
}

// newRowTree splits buckets so that no box has more than limit rows, except boxes of one item that
// has more. It returns nil if all boxes have more than budget rows, a product has none, or stop
// reports true.
func newRowTree(p *Problem, order []int, limit, budget int, stop func() bool) *rowTree {
	t := &rowTree{tree: &tree{Problem: p, order: order, pos: make([]int, len(p.Card)), boxesOf: make([][]int32, len(p.Card))}, limit: limit, buckets: make([][]rowItem, len(p.Card))}
	for i, v := range order {
		t.pos[v] = i
	}
	for _, n := range p.Card {
		t.evidence = append(t.evidence, make([]float64, n))
	}
	for i := range p.Factors {
		if f := &p.Factors[i]; len(f.Scope) > 0 {
			s, log := supportOf(f, p.Card)
			t.put(rowItem{s, log, -1})
		} else {
			t.constant += f.Log[0]
		}
	}
	for _, v := range order {
		if t.bucket(v); t.zero || t.rows > budget || stop() {
			return nil
		}
	}
	return t
}

// put adds an item to the bucket of its first variable.
func (t *rowTree) put(x rowItem) {
	t.zero = t.zero || x.rows == 0
	if len(x.scope) > 0 {
		first := slices.MinFunc(x.scope, func(a, b int) int { return t.pos[a] - t.pos[b] })
		t.buckets[first] = append(t.buckets[first], x)
	}
}

// bucket makes the boxes of variable v: items of more variables first, each joined with the first
// box that stays within the limit.
func (t *rowTree) bucket(v int) {
	items := t.buckets[v]
	t.buckets[v] = nil
	if len(items) == 0 {
		t.constant += pgmrt.Ln(float64(t.Card[v]))
	}
	slices.SortStableFunc(items, func(a, b rowItem) int { return cmp.Compare(len(b.scope), len(a.scope)) })
	var parts []*rowPart
	for _, x := range items {
		if !slices.ContainsFunc(parts, func(p *rowPart) bool { return p.take(x, t.limit) }) {
			parts = append(parts, newRowPart(x))
		}
	}
	for _, p := range parts {
		t.box(v, p)
	}
}

func newRowPart(x rowItem) *rowPart {
	at := make([]int32, x.rows)
	for i := range at {
		at[i] = int32(i)
	}
	return &rowPart{x.support, []rowItem{x}, [][]int32{at}}
}

// take joins an item with p, unless that has more rows than limit and than both.
func (p *rowPart) take(x rowItem, limit int) bool {
	all, pairs := p.join(x.support, max(limit, p.rows, x.rows))
	if all == nil {
		return false
	}
	own := make([]int32, len(pairs))
	for j, at := range p.at {
		next := make([]int32, len(pairs))
		for i, q := range pairs {
			next[i] = at[q.a]
		}
		p.at[j] = next
	}
	for i, q := range pairs {
		own[i] = q.b
	}
	p.support, p.items, p.at = all, append(p.items, x), append(p.at, own)
	return true
}

// box adds the box of a part, and its message to the bucket where it goes.
func (t *rowTree) box(v int, p *rowPart) {
	rest, group, state := p.sumOut(v)
	r := &rowTable{base: make([]float64, p.rows), state: state, group: group, sums: rest.rows}
	id := int32(len(t.boxes))
	b := box{v: v, parent: -1, rows: r}
	for j, x := range p.items {
		if x.box >= 0 {
			t.boxes[x.box].parent = id
			b.kids, r.from = append(b.kids, kid{box: x.box}), append(r.from, p.at[j])
			continue
		}
		for i, k := range p.at[j] {
			r.base[i] += x.log[k]
		}
	}
	t.rows += p.rows
	t.boxesOf[v], t.boxes = append(t.boxesOf[v], id), append(t.boxes, b)
	t.put(rowItem{rest, nil, id})
}

// planRows returns the tree of rows with the largest boxes of at most budget rows in total, or the
// last that was made before stop reports true; nil of none. A limit that is larger by rowGrowth
// makes more than half as many more rows, so that the last tree ends the search if it leaves less.
func planRows(p *Problem, order []int, budget int, stop func() bool) (best *rowTree) {
	for limit := minRows; limit <= budget && (best == nil || best.rows <= 2*budget/rowGrowth); limit *= rowGrowth {
		t := newRowTree(p, order, limit, budget, stop)
		if t == nil {
			break
		}
		if best = t; !t.splits() {
			break
		}
	}
	return best
}

// manyZeros reports whether lists of rows may pay: one number of zeroShare is zero, and no variable
// has too many states.
func (p *Problem) manyZeros() bool {
	zeros, all := 0, 0
	for i := range p.Factors {
		for _, x := range p.Factors[i].Log {
			if all++; math.IsInf(x, -1) {
				zeros++
			}
		}
	}
	return zeros > 0 && zeroShare*zeros >= all && slices.Max(p.Card) <= maxRowStates
}
