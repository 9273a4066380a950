package treebn

import (
	"container/heap"
	"context"

	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/internal/treecpd"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// candidate is a leaf with its best split.
type candidate struct {
	split treecpd.Split
	x     int // the variable of its tree
	leaf  int32
}

// queue is a heap of candidates by gain per parameter. Ties go to the first variable and leaf.
type queue []candidate

// Len returns the number of candidates.
func (q queue) Len() int { return len(q) }

// Less reports whether candidate i comes before candidate j.
func (q queue) Less(i, j int) bool {
	a, b := &q[i], &q[j]
	switch {
	case a.split.Each != b.split.Each:
		return a.split.Each > b.split.Each
	case a.x != b.x:
		return a.x < b.x
	}
	return a.leaf < b.leaf
}

// Swap exchanges two candidates.
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

// Push appends a candidate.
func (q *queue) Push(c any) { *q = append(*q, c.(candidate)) }

// Pop removes the last candidate and returns it.
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// growth is the state of a unified search.
type growth struct {
	finder     *treecpd.Finder
	trees      []*treecpd.Tree
	above      *graph.Closure
	queue      queue
	rules      *network.Rules
	parents    []int // by variable: its number of parents
	maxParents int
	prune      bool
	step       int
}

// unified grows the trees of w for all kappas, the smallest first, until ctx ends. With pruning it
// grows them as far as it can first: a split that does not pay may have some below it that do
// (Koller and Friedman, section 18.6.1.2).
func (l *Options) unified(ctx context.Context, job *learner.Job, g *treecpd.Grower, w *treecpd.Network, kappas []float64, rules *network.Rules) {
	n := len(job.Train.Vars)
	s := &growth{finder: g.Finder(), trees: make([]*treecpd.Tree, n), above: graph.NewClosure(n), rules: rules, parents: make([]int, n), maxParents: l.bound(n), prune: l.Prune}
	first := make([]candidate, n)
	learner.Each(job.Cores, n, func(x int) {
		s.trees[x] = g.Root(x)
		first[x] = candidate{x: x, split: g.Finder().Best(s.trees[x], 0, func(v int) bool { return ctx.Err() == nil && s.may(x, v) })}
	})
	for _, c := range first {
		if c.split.Found() {
			s.queue = append(s.queue, c)
		}
	}
	heap.Init(&s.queue)
	progress := job.Throttle()
	for ctx.Err() == nil && len(s.queue) > 0 {
		c := heap.Pop(&s.queue).(candidate)
		if !s.may(c.x, c.split.Var) { // a later split may forbid it
			s.offer(c.x, c.leaf)
			continue
		}
		for !l.Prune && len(w.Path) < len(kappas) && c.split.Each <= treecpd.Least(kappas[len(w.Path)]) {
			w.Path = append(w.Path, treecpd.Point{Kappa: kappas[len(w.Path)], Trees: s.trees, Keep: treecpd.Before(s.step)})
		}
		if len(w.Path) == len(kappas) {
			break
		}
		s.split(c)
		progress.Report(learner.Event{Done: s.step})
	}
	for len(w.Path) < len(kappas) {
		kappa, keep := kappas[len(w.Path)], treecpd.All
		if l.Prune {
			keep = treecpd.Pruned(s.trees, treecpd.Least(kappa))
		}
		w.Path = append(w.Path, treecpd.Point{Kappa: kappa, Trees: s.trees, Keep: keep})
	}
	w.Steps = s.step
}

// may reports whether the tree of x may test v: it does already, or v is not a descendant of x, no
// rule forbids it, and x may have one more parent.
func (s *growth) may(x, v int) bool {
	return s.trees[x].Asks(v) || s.parents[x] < s.maxParents && !s.above.Has(v, x) && !s.rules.Forbidden[[2]int{v, x}]
}

// split splits a leaf and offers the new leaves.
func (s *growth) split(c candidate) {
	if !s.trees[c.x].Asks(c.split.Var) {
		s.parents[c.x]++
		s.above.Add(c.split.Var, c.x)
	}
	yes, no := s.finder.Split(s.trees[c.x], c.leaf, c.split, s.step)
	s.step++
	s.offer(c.x, yes)
	s.offer(c.x, no)
}

// offer adds a leaf to the queue, unless it has no split that closes no cycle.
func (s *growth) offer(x int, leaf int32) {
	split := s.finder.Best(s.trees[x], leaf, func(v int) bool { return s.may(x, v) })
	if split.Found() && !(s.prune && split.Each <= 0 && s.trees[x].Pure(leaf)) {
		heap.Push(&s.queue, candidate{split, x, leaf})
		return
	}
	s.trees[x].Close(leaf)
}
