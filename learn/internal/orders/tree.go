package orders

import (
	"context"
	"encoding/binary"
	"math/bits"
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
	most     int     // most parents
	required []int   // ascending
	tie      float64 // the difference up to which scores count as equal
	base     *node   // the required parents; nil if not yet visited
	nodes    map[string]*node
	bytes    *atomic.Int64 // of the nodes of all trees
}

// node is a set of parents that has the required ones.
type node struct {
	parents  []int // ascending
	score    float64
	known    graph.Set // the candidates with known scores, the parents and the variable itself
	good     graph.Set // the candidates that improve the score
	branches []branch  // the same, best first
	less     []*node   // by parent: the set without it; nil if not yet visited
	leader   *node     // see open; nil if not yet visited
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
	n := t.root(before)
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
func (t *tree) root(before graph.Set) *node {
	if t.base == nil {
		t.base = t.find(before, slices.Clone(t.required))
	}
	return t.base
}

// find returns the node of a set, which it scores if it is new.
func (t *tree) find(before graph.Set, parents []int) *node {
	slices.Sort(parents)
	key := make([]byte, 0, 32)
	for _, u := range parents {
		key = binary.AppendUvarint(key, uint64(u))
	}
	if n := t.nodes[string(key)]; n != nil {
		return n
	}
	n := &node{parents: parents, score: t.s.Family(t.x, parents...), less: make([]*node, len(parents)), good: make(graph.Set, len(before)), known: make(graph.Set, len(before))}
	n.known.Add(t.x)
	for _, u := range parents {
		n.known.Add(u)
	}
	t.nodes[string(key)] = n
	t.bytes.Add(int64(256 + 16*len(before) + 40*len(parents))) // 256: the node, its slices and its place in the map
	return n
}

// grow returns the set with one parent more that improves the score most, or nil if none does.
func (t *tree) grow(ctx context.Context, n *node, before graph.Set, cores int) *node {
	if b := t.best(ctx, n, before, -1, cores); b != nil {
		return t.follow(n, b, before)
	}
	return nil
}

// follow returns the set to which a branch leads.
func (t *tree) follow(n *node, b *branch, before graph.Set) *node {
	if b.next == nil {
		b.next = t.find(before, append(slices.Clone(n.parents), b.v))
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
			n.less[i] = t.find(before, slices.Delete(slices.Clone(n.parents), i, i+1))
		}
		less := n.less[i]
		turns.Add(less, less.score)
		if len(n.parents) == len(t.required)+1 { // the best single parent is known
			continue
		}
		if b := t.best(ctx, less, before, u, cores); b != nil && b.score > turns.Most() {
			turns.Add(t.follow(less, b, before), b.score)
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

// extend scores the candidates among the predecessors that have no score yet.
func (t *tree) extend(ctx context.Context, n *node, before graph.Set, cores int) {
	var due []int
	for i, w := range t.open(ctx, n, before, cores) {
		for ; w&^n.known[i] != 0; n.known.Add(due[len(due)-1]) {
			due = append(due, 64*i+bits.TrailingZeros64(w&^n.known[i]))
		}
	}
	if due == nil || ctx.Err() != nil {
		return
	}
	with := append(slices.Clone(n.parents), 0)
	due = slices.DeleteFunc(due, func(v int) bool {
		with[len(n.parents)] = v
		return !t.s.Fits(t.x, with...)
	})
	scores := make([]float64, len(due))
	parts := (len(due) + batch - 1) / batch
	learner.Each(cores, parts, func(i int) {
		if from, to := i*batch, min(len(due), (i+1)*batch); ctx.Err() == nil {
			t.s.Adding(t.x, n.parents, due[from:to], scores[from:to])
		}
	})
	if ctx.Err() != nil {
		return
	}
	for i, v := range due {
		if scores[i] > n.score+t.tie {
			n.good.Add(v)
			at, _ := slices.BinarySearchFunc(n.branches, scores[i], func(b branch, f float64) int {
				if b.score > f {
					return -1
				}
				return 1
			})
			n.branches = slices.Insert(n.branches, at, branch{v: v, score: scores[i]})
			t.bytes.Add(24)
		}
	}
}

// open returns the predecessors that the search tries as further parents: all, or for a set of two
// or more, besides required ones, those that improve the score of the root or of the set's leader,
// which is the parent that improves the score of the root most.
func (t *tree) open(ctx context.Context, n *node, before graph.Set, cores int) graph.Set {
	if len(n.parents) < len(t.required)+2 {
		return before
	}
	root := t.root(before)
	if n.leader == nil {
		for _, u := range n.parents {
			if slices.Contains(t.required, u) {
				continue
			}
			if one := t.find(before, append(slices.Clone(t.required), u)); n.leader == nil || one.score > n.leader.score+t.tie {
				n.leader = one
			}
		}
	}
	t.extend(ctx, root, before, cores)
	t.extend(ctx, n.leader, before, cores)
	out := make(graph.Set, len(before))
	for i, w := range before {
		out[i] = w & (root.good[i] | n.leader.good[i])
	}
	return out
}
