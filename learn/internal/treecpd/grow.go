package treecpd

import (
	"context"
	"slices"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/score"
)

// Grower grows trees on one data set. Several goroutines may use it at once, each with its own
// finder.
type Grower struct {
	set      *data.Set
	minCount float64
	scorer   []*leafScorer // by variable
	sets     [][][]uint64  // by variable and state: the rows that have it; nil if sets would be slower
	whole    []bool        // by variable: no row misses it
}

// maxSets is the most states of a variable with rows that are also kept as sets. A pass through the
// sets of two variables is faster than one through the rows only if they have fewer than 64 joint
// states.
const maxSets = 32

// maxPair is the most joint states of a target and a candidate. Larger pairs are skipped. Their
// counts take 8 MB.
const maxPair = 1 << 20

// Root returns the tree of x that is a single leaf.
func (g *Grower) Root(x int) *Tree {
	t := &Tree{Target: x, scorer: g.scorer[x], asked: make([]bool, len(g.set.Vars))}
	root := Node{Split: none, parent: -1, share: 1}
	for col, i := g.set.Column(x), 0; i < g.set.Len(); i++ {
		if col.At(i) != data.Missing {
			root.rows = append(root.rows, int32(i))
		}
	}
	root.Counts = g.counts(x, root.rows)
	t.Nodes = []Node{root}
	return t
}

// counts returns the counts of x in some rows. All of them must have a value of x.
func (g *Grower) counts(x int, rows []int32) []float64 {
	n := make([]float64, g.scorer[x].card)
	for col, i := g.set.Column(x), 0; i < len(rows); i++ {
		n[col.At(int(rows[i]))] += g.set.Weight(int(rows[i]))
	}
	return n
}

// Grow splits leaves as long as one split gains more than least for each parameter. It tests only
// variables for which may returns true. It stops early if ctx ends.
func (f *Finder) Grow(ctx context.Context, t *Tree, least float64, may func(v int) bool) {
	open := []int32{0}
	for step := 0; len(open) > 0 && ctx.Err() == nil; {
		at := open[len(open)-1]
		open = open[:len(open)-1]
		s := f.Best(t, at, may)
		if !s.Found() || s.Each <= least {
			t.Nodes[at].rows = nil
			continue
		}
		yes, no := f.Split(t, at, s, step)
		step++
		open = append(open, no, yes)
	}
}

// Split turns an open leaf into a node with two leaves.
func (f *Finder) Split(t *Tree, at int32, s Split, step int) (yes, no int32) {
	n := &t.Nodes[at]
	var rows [2][]int32
	for col, i := f.g.set.Column(s.Var), 0; i < len(n.rows); i++ {
		switch col.At(int(n.rows[i])) {
		case data.Missing:
		case s.State:
			rows[0] = append(rows[0], n.rows[i])
		default:
			rows[1] = append(rows[1], n.rows[i])
		}
	}
	here := 1 / float64(f.g.left(t, at, s.Var))
	yes, no = int32(len(t.Nodes)), int32(len(t.Nodes)+1)
	t.asked[s.Var] = true
	n.Split, n.Step, n.Yes, n.No, n.rows = s, step, yes, no, nil
	share := n.share
	for k, part := range []float64{here, 1 - here} {
		t.Nodes = append(t.Nodes, Node{Split: none, Counts: f.g.counts(t.Target, rows[k]), parent: at, share: share * part, rows: rows[k]})
	}
	return yes, no
}

// Asks reports whether a node tests v.
func (t *Tree) Asks(v int) bool { return t.asked[v] }

// Close marks a leaf as one that will not be split.
func (t *Tree) Close(at int32) { t.Nodes[at].rows = nil }

// left returns how many states of v are possible at a node.
func (g *Grower) left(t *Tree, at int32, v int) int {
	n := len(g.set.Vars[v].States)
	for up := t.Nodes[at].parent; up >= 0; at, up = up, t.Nodes[up].parent {
		if t.Nodes[up].Split.Var == v {
			if t.Nodes[up].Yes == at {
				return 1
			}
			n--
		}
	}
	return n
}

// Finder finds splits. It has its own scratch memory.
type Finder struct {
	g *Grower

	// The current leaf: its rows, with their states of the target, as a list and as sets. Only
	// nonempty words of the sets are kept.
	rows   []int32
	states []int32
	words  []int32    // the indices of the words
	masks  [][]uint64 // by state of the target
	counts []float64

	pair     []float64 // by state of the candidate and the target
	seen     []int     // states of the candidate that the rows may have, ascending
	mark     []bool    // by state of the candidate: it is among the seen
	yes, no  []float64
	restrict []float64 // the counts of the rows that have the candidate
}

// Finder makes a finder.
func (g *Grower) Finder() *Finder { return &Finder{g: g} }

// Best returns the split of a leaf with the highest gain per parameter. Ties go to the first
// variable and state. It tests only variables for which may returns true.
func (f *Finder) Best(t *Tree, at int32, may func(v int) bool) Split {
	best := none
	n := &t.Nodes[at]
	if t.scorer.card < 2 || len(n.rows) == 0 {
		return best
	}
	f.open(t, n)
	for v := range f.g.set.Vars {
		card := len(f.g.set.Vars[v].States)
		if v == t.Target || card < 2 || card > maxPair/t.scorer.card || !may(v) {
			continue
		}
		f.count(t, v, card)
		f.try(t, at, v, card, &best)
		for _, s := range f.seen {
			clear(f.pair[s*t.scorer.card : (s+1)*t.scorer.card])
		}
	}
	return best
}

// open makes a leaf the current one.
func (f *Finder) open(t *Tree, n *Node) {
	card := t.scorer.card
	f.rows, f.counts = n.rows, n.Counts
	f.states, f.words = f.states[:0], f.words[:0]
	f.yes, f.no, f.restrict = fit(f.yes, card), fit(f.no, card), fit(f.restrict, card)
	col := f.g.set.Column(t.Target)
	sets := f.g.sets[t.Target] != nil
	for len(f.masks) < card && sets {
		f.masks = append(f.masks, nil)
	}
	for k := range f.masks {
		f.masks[k] = f.masks[k][:0]
	}
	for _, row := range n.rows {
		x := col.At(int(row))
		f.states = append(f.states, int32(x))
		if !sets {
			continue
		}
		if w := row / 64; len(f.words) == 0 || f.words[len(f.words)-1] != w {
			f.words = append(f.words, w)
			for k := range card {
				f.masks[k] = append(f.masks[k], 0)
			}
		}
		f.masks[x][len(f.words)-1] |= 1 << (row % 64)
	}
}

// fit returns a slice of n numbers, in the memory of s if that is large enough.
func fit(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n)
	}
	return s[:n]
}

// count counts the states of a candidate and the target at the leaf.
func (f *Finder) count(t *Tree, v, card int) {
	k := t.scorer.card
	for len(f.pair) < card*k {
		f.pair = append(f.pair, 0)
	}
	f.seen = f.seen[:0]
	sets := f.g.sets[v]
	asked := card
	if f.g.whole[v] {
		asked-- // the last state's count is the remainder
	}
	if sets != nil && f.g.sets[t.Target] != nil && asked*k*len(f.words) <= 2*len(f.rows) {
		f.countSets(sets[:asked], card, k)
	} else {
		f.countRows(v, card, k)
	}
}

// countSets counts rows by intersecting sets. The remainder of the leaf's counts belongs to the
// state that has no set.
func (f *Finder) countSets(sets [][]uint64, card, k int) {
	rest := f.pair[(card-1)*k : card*k]
	if len(sets) < card {
		copy(rest, f.counts)
	}
	for s, set := range sets {
		for x, mask := range f.masks[:k] {
			n := float64(common(f.words, mask, set))
			f.pair[s*k+x] = n
			if len(sets) < card {
				rest[x] -= n
			}
		}
	}
	for s := range card {
		f.seen = append(f.seen, s)
	}
}

// countRows sums the weights of rows.
func (f *Finder) countRows(v, card, k int) {
	col := f.g.set.Column(v)
	weights := f.g.set.Weights()
	for len(f.mark) < card {
		f.mark = append(f.mark, false)
	}
	for i, row := range f.rows {
		s := col.At(int(row))
		if s == data.Missing {
			continue
		}
		w := 1.0
		if weights != nil {
			w = weights[row]
		}
		f.pair[s*k+int(f.states[i])] += w
		if !f.mark[s] {
			f.mark[s] = true
			f.seen = append(f.seen, s)
		}
	}
	slices.Sort(f.seen)
	for _, s := range f.seen {
		f.mark[s] = false
	}
}

// try scores the splits on one variable.
func (f *Finder) try(t *Tree, at int32, v, card int, best *Split) {
	k := t.scorer.card
	all := f.counts
	n := &t.Nodes[at]
	if !f.g.whole[v] {
		clear(f.restrict)
		for _, s := range f.seen {
			for x, c := range f.pair[s*k : (s+1)*k] {
				f.restrict[x] += c
			}
		}
		all = f.restrict
	}
	total := sum(all)
	before := 0.0
	rated := false
	share := [2]float64{n.share, n.share}
	for _, s := range f.seen {
		yes := f.pair[s*k : (s+1)*k]
		weight := sum(yes)
		if weight < f.g.minCount || total-weight < f.g.minCount || card == 2 && s == 1 {
			continue
		}
		for x := range yes {
			f.no[x] = max(0, all[x]-yes[x])
		}
		if !rated {
			rated = true
			before = t.scorer.leaf(all, n.share)
			if t.scorer.kind == BDeu {
				part := 1 / float64(f.g.left(t, at, v))
				share = [2]float64{n.share * part, n.share * (1 - part)}
			}
		}
		gain := t.scorer.leaf(yes, share[0]) + t.scorer.leaf(f.no, share[1]) - before
		if each := gain / t.scorer.params; !best.Found() || each > best.Each+score.Tie(before)/t.scorer.params {
			*best = Split{Var: v, State: s, Gain: gain, Each: each}
		}
	}
}

func sum(n []float64) float64 {
	total := 0.0
	for _, x := range n {
		total += x
	}
	return total
}
