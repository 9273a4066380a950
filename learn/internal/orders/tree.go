package orders

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"
	"sync/atomic"

	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// tree finds the parents of one variable among its predecessors in an order. One goroutine at a
// time may use it.
type tree struct {
	s        *score.Cache
	x        int
	most     int       // most parents
	required []int     // ascending
	all      graph.Set // all variables
	tie      float64   // the difference up to which scores count as equal
	base     *node     // the required parents; nil if not yet visited
	nodes    map[string]*node
	bytes    *atomic.Int64 // of the nodes of all trees
}

// node is a set of parents that has the required ones.
type node struct {
	parents  []int // ascending
	score    float64
	tried    graph.Set // variables that are parents or scored as further ones; nil before any
	branches []branch  // those of them that improve the score, best first
	less     []*node   // by parent: the set without it; nil if not yet visited
}

// branch leads to a set with one parent more.
type branch struct {
	v     int
	score float64
	next  *node // nil if not yet visited
}

// leaf returns the set of parents that greedy search finds among the predecessors of the variable.
// If ctx ends, the set may be a worse one, and the tree is no longer of use.
func (t *tree) leaf(ctx context.Context, before graph.Set, cores int) *node {
	n := t.root()
	for {
		next := t.grow(ctx, n, before, cores)
		if next == nil {
			next = t.turn(ctx, n, before, cores)
		}
		if next == nil {
			return n
		}
		n = next
	}
}

// root returns the set of required parents.
func (t *tree) root() *node {
	if t.base == nil {
		t.base = t.find(slices.Clone(t.required))
	}
	return t.base
}

// find returns the node of a set, which it scores if it is new.
func (t *tree) find(parents []int) *node {
	slices.Sort(parents)
	key := make([]byte, 0, 32)
	for _, u := range parents {
		key = binary.AppendUvarint(key, uint64(u))
	}
	if n := t.nodes[string(key)]; n != nil {
		return n
	}
	n := &node{parents: parents, score: t.s.Family(t.x, parents...), less: make([]*node, len(parents))}
	t.nodes[string(key)] = n
	t.bytes.Add(int64(256 + 40*len(parents))) // 256: the node, its slices and its place in the map
	return n
}

// grow returns the set with one parent more that improves the score most, or nil if none does.
func (t *tree) grow(ctx context.Context, n *node, before graph.Set, cores int) *node {
	if b := t.best(ctx, n, before, -1, cores); b != nil {
		return t.follow(n, b)
	}
	return nil
}

// follow returns the set to which a branch leads.
func (t *tree) follow(n *node, b *branch) *node {
	if b.next == nil {
		b.next = t.find(append(slices.Clone(n.parents), b.v))
	}
	return b.next
}

// turn returns the set without one of the parents, or with another one in its place, that improves
// the score most, or nil if none does.
func (t *tree) turn(ctx context.Context, n *node, before graph.Set, cores int) *node {
	turns := score.Best[*node]{Over: n.score + t.tie, Tie: t.tie}
	for i, u := range n.parents {
		if slices.Contains(t.required, u) {
			continue
		}
		if n.less[i] == nil {
			n.less[i] = t.find(slices.Delete(slices.Clone(n.parents), i, i+1))
		}
		less := n.less[i]
		turns.Add(less, less.score)
		if len(n.parents) == len(t.required)+1 { // the best single parent is known
			continue
		}
		if b := t.best(ctx, less, before, u, cores); b != nil && b.score > turns.Most() {
			turns.Add(t.follow(less, b), b.score)
		}
	}
	best, _, _ := turns.First()
	return best
}

// best returns the branch to a predecessor other than one that improves the score most, the first
// variable of ties, or nil if none improves it.
func (t *tree) best(ctx context.Context, n *node, before graph.Set, except, cores int) (best *branch) {
	if len(n.parents) >= t.most {
		return nil
	}
	t.extend(ctx, n, before, cores)
	least := 0.0
	for i := range n.branches {
		b := &n.branches[i]
		if best != nil && b.score < least {
			break
		}
		if b.v == except || !before.Has(b.v) {
			continue
		}
		if best == nil {
			least = b.score - t.tie
		}
		if best == nil || b.v < best.v {
			best = b
		}
	}
	return best
}

// batch is the number of candidates that one goroutine scores together.
const batch = 64

// extend finds the branches of a set to predecessors of the variable, and to all others as soon as
// there are further predecessors: many sets are of use for one list of predecessors only.
func (t *tree) extend(ctx context.Context, n *node, before graph.Set, cores int) {
	if n.tried != nil && before.Within(n.tried) || ctx.Err() != nil {
		return
	}
	tried, known := n.tried, len(n.branches)
	if tried == nil {
		tried = graph.SetOf(64*len(before), append(slices.Clone(n.parents), t.x)...)
	} else {
		before = t.all
	}
	with := append(slices.Clone(n.parents), 0)
	list := slices.DeleteFunc(t.candidates(ctx, n, before, cores), func(v int) bool {
		with[len(n.parents)] = v
		return tried.Has(v) || !t.s.Fits(t.x, with...)
	})
	scores := make([]float64, len(list))
	learner.Each(cores, (len(list)+batch-1)/batch, func(i int) {
		if from, to := i*batch, min(len(list), (i+1)*batch); ctx.Err() == nil {
			t.s.Adding(t.x, n.parents, list[from:to], scores[from:to])
		}
	})
	if ctx.Err() != nil {
		return
	}
	for i, v := range list {
		if scores[i] > n.score+t.tie {
			n.branches = append(n.branches, branch{v: v, score: scores[i]})
		}
	}
	slices.SortFunc(n.branches, func(a, b branch) int { return cmp.Or(cmp.Compare(b.score, a.score), a.v-b.v) })
	tried.Join(before)
	n.tried = tried
	t.bytes.Add(int64(24 * (len(n.branches) - known)))
}

// candidates returns the predecessors that the search tries as further parents: all, or for a set
// of two or more besides required ones, those that improve the score of the root or of the set's
// leader, which is the parent that improves the score of the root most.
func (t *tree) candidates(ctx context.Context, n *node, before graph.Set, cores int) (list []int) {
	if len(n.parents) < len(t.required)+2 {
		return before.Members()
	}
	leaders := score.Best[*node]{Over: math.Inf(-1), Tie: t.tie}
	for _, u := range n.parents {
		if !slices.Contains(t.required, u) {
			one := t.find(append(slices.Clone(t.required), u))
			leaders.Add(one, one.score)
		}
	}
	leader, _, _ := leaders.First()
	for _, m := range []*node{t.root(), leader} {
		t.extend(ctx, m, before, cores)
		for _, b := range m.branches {
			if before.Has(b.v) {
				list = append(list, b.v)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
