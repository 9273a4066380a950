package treecpd

import (
	"context"
	"slices"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/score"
)

// Grower grows trees on one data set. Several goroutines may use it at once, each with a finder of its own.
type Grower struct {
	set      *data.Set
	minCount float64
	rater    []*rater     // by variable
	sets     [][][]uint64 // by variable and state, the rows that have it; nil where it doesn't pay
	whole    []bool       // by variable: no row misses it
}

// maxSets is the most states of a variable whose rows are kept as sets as well. A pass through the sets of two variables takes less than
// one through the rows only where they have fewer than 64 joint states.
const maxSets = 32

// maxPair is the most joint states of a target and a candidate; pairs that have more are passed over. Their counts take 8 MB.
const maxPair = 1 << 20

// Root is the tree of x that is a leaf.
func (g *Grower) Root(x int) *Tree {
	t := &Tree{Target: x, rater: g.rater[x], asked: make([]bool, len(g.set.Vars))}
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

// counts are those of x in some rows, which all have it.
func (g *Grower) counts(x int, rows []int32) []float64 {
	n := make([]float64, g.rater[x].card)
	for col, i := g.set.Column(x), 0; i < len(rows); i++ {
		n[col.At(int(rows[i]))] += g.set.Weight(int(rows[i]))
	}
	return n
}

// Grow splits leaves as long as one brings more than least for each parameter, asking only about variables that may says may be asked
// about. It stops early where ctx ends.
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

// Split makes a leaf that was not closed a node with two leaves.
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

// Asks reports whether a node asks about v.
func (t *Tree) Asks(v int) bool { return t.asked[v] }

// Close makes a leaf one that will not be split.
func (t *Tree) Close(at int32) { t.Nodes[at].rows = nil }

// left is how many states of v are possible at a node.
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

// Finder finds splits. It has scratch memory of its own.
type Finder struct {
	g *Grower

	// Of the leaf that is looked at: its rows, with their states of the target, and as sets, of which only words that are not
	// empty are kept.
	rows   []int32
	states []int32
	words  []int32    // where the words stand
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

// Best is the split of a leaf that brings the most for each parameter, of equal ones the first by variable and state. It asks only about
// variables that may says may be asked about.
func (f *Finder) Best(t *Tree, at int32, may func(v int) bool) Split {
	best := none
	n := &t.Nodes[at]
	if t.rater.card < 2 || len(n.rows) == 0 {
		return best
	}
	f.open(t, n)
	for v := range f.g.set.Vars {
		card := len(f.g.set.Vars[v].States)
		if v == t.Target || card < 2 || card > maxPair/t.rater.card || !may(v) {
			continue
		}
		f.count(t, v, card)
		f.try(t, at, v, card, &best)
		for _, s := range f.seen {
			clear(f.pair[s*t.rater.card : (s+1)*t.rater.card])
		}
	}
	return best
}

// open makes a leaf the one that is looked at.
func (f *Finder) open(t *Tree, n *Node) {
	card := t.rater.card
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

// fit is a slice of n numbers in the memory of s, where that is enough.
func fit(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n)
	}
	return s[:n]
}

// count counts the states of a candidate and the target at the leaf.
func (f *Finder) count(t *Tree, v, card int) {
	k := t.rater.card
	for len(f.pair) < card*k {
		f.pair = append(f.pair, 0)
	}
	f.seen = f.seen[:0]
	sets := f.g.sets[v]
	asked := card
	if f.g.whole[v] {
		asked-- // the last is what is left
	}
	if sets != nil && f.g.sets[t.Target] != nil && asked*k*len(f.words) <= 2*len(f.rows) {
		f.countSets(sets[:asked], card, k)
	} else {
		f.countRows(v, card, k)
	}
}

// countSets counts rows that sets have in common. What is left of the counts of the leaf is that of the last state, where sets lack it.
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

// countRows adds up the weights of rows.
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

// try rates the splits that ask about one variable.
func (f *Finder) try(t *Tree, at int32, v, card int, best *Split) {
	k := t.rater.card
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
			before = t.rater.leaf(all, n.share)
			if t.rater.kind == BDeu {
				part := 1 / float64(f.g.left(t, at, v))
				share = [2]float64{n.share * part, n.share * (1 - part)}
			}
		}
		gain := t.rater.leaf(yes, share[0]) + t.rater.leaf(f.no, share[1]) - before
		if each := gain / t.rater.params; !best.Found() || each > best.Each+score.Tie {
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
