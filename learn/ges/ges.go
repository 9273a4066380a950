package ges

import (
	"cmp"
	"context"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// Learner is greedy equivalence search.
var Learner = learner.Learner{
	Name:  "ges",
	Doc:   "greedy search over classes of equivalent structures (Chickering)",
	New:   func() learner.Instance { return NewOptions() },
	Takes: model.Reals | model.Gaussians | model.Counts,
}

// Options holds the options of ges. A pointer to Options is the learner.
type Options struct {
	Score string `opt:"score" help:"score of structures: loglik, aic or bic, bge for real variables, k2, bdeu or loocv for discrete ones; the default is bdeu, and bic for data with real variables"`
	learner.Scoring
	MaxParents int `opt:"max-parents" default:"5" help:"most parents of a variable"`
	Candidates int `opt:"candidates" help:"number of candidate parents of a variable: those that alone improve its score most, and those that it is a candidate of; 0 for all"`
	learner.Constraints
}

// NewOptions returns the default options.
func NewOptions() *Options { return options.New[Options]() }

func (l *Options) common() *network.Common { return network.Of(l, "bdeu") }

// Learn implements learner.Instance.
func (l *Options) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	return l.common().Canonical(ctx, job, l.learn)
}

// learn learns from data in canonical order.
func (l *Options) learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	common := l.common()
	common.Undirected = true
	s, rules, err := common.RuledParents(job)
	if err != nil {
		return nil, err
	}
	if err := s.Equivalent(); err != nil {
		return nil, err
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	near, err := rules.Near(s, l.Candidates, job)
	if err != nil {
		return nil, err
	}
	s = s.Barring(near)
	class, steps := Search(timed, job, score.NewCache(s), rules, l.MaxParents)
	r, forced, err := l.common().ClassResult("ges", s, class)
	if err != nil {
		return nil, err
	}
	if forced > 0 {
		panic("ges: the class has no structure")
	}
	r.Report.Steps, r.Report.Stopped = steps, timed.Err() != nil
	return r, ctx.Err()
}

// search is a walk from class to class.
type search struct {
	*space
	job   *learner.Job
	class *graph.Partial
	steps int
	total float64 // score of the class
}

// phase applies the best operator of a kind until none improves the score, and reports whether ctx
// ended it. List lists the operators of y with each of xs.
func (h *search) phase(ctx context.Context, list func(p *graph.Partial, y int, xs []int) []operator, apply func(*graph.Partial, *operator) *graph.Partial) (stopped bool) {
	n := h.class.Len()
	known := make([][]operator, n) // by y, in the order of x
	due := stale(nil, h.class)
	for {
		h.job.Each(n, func(y int) {
			if len(due[y]) > 0 && ctx.Err() == nil {
				known[y] = merge(known[y], list(h.class, y, due[y]), due[y])
			}
		})
		if ctx.Err() != nil {
			return true
		}
		best := h.best(known, apply)
		if best == nil {
			return false
		}
		next := apply(h.class, best)
		due = stale(h.class, next)
		h.class = next
		h.steps++
		h.total += best.gain
		h.job.ReportProgress(learner.Event{Done: h.steps, Score: h.total})
	}
}

// merge replaces the operators of some x, ascending, by others, in the order of x.
func merge(list, by []operator, xs []int) []operator {
	list = slices.DeleteFunc(list, func(o operator) bool { _, ok := slices.BinarySearch(xs, o.x); return ok })
	list = append(list, by...)
	slices.SortStableFunc(list, func(a, b operator) int { return cmp.Compare(a.x, b.x) })
	return list
}

// best returns the operator that improves the score most and leads to a class with a structure that
// keeps the rules. Ties go to the first by y, x and set.
func (h *search) best(known [][]operator, apply func(*graph.Partial, *operator) *graph.Partial) *operator {
	step := h.steps + 1
	tops := make([]*operator, len(known)) // by y: its best operator that has not failed
	for y := range tops {
		tops[y] = top(known[y], step)
	}
	for {
		best := h.first(known, tops)
		if best == nil {
			return nil
		}
		back := h.back(best)
		if !back.Has(best.x) && h.keepsRules(apply, best) {
			return best
		}
		best.failed = step
		for i := range known[best.y] {
			if o := &known[best.y][i]; back.Has(o.x) && slices.Equal(o.clear, best.clear) {
				o.failed = step
			}
		}
		tops[best.y] = top(known[best.y], step)
	}
}

// first returns the first operator by y, x and set that ties with the best one. tops holds the best
// one of each y.
func (h *search) first(known [][]operator, tops []*operator) *operator {
	all := score.Best[*operator]{Over: h.over, Tie: h.over}
	for y, o := range tops {
		if o == nil || o.gain <= all.Most() {
			continue
		}
		for i := range known[y] {
			if o := &known[y][i]; o.failed <= h.steps {
				all.Add(o, o.gain)
			}
		}
	}
	best, _, _ := all.First()
	return best
}

// top returns the operator of a list that has not failed at a step and has the largest gain.
func top(list []operator, step int) (best *operator) {
	for i := range list {
		if o := &list[i]; o.failed < step && (best == nil || o.gain > best.gain) {
			best = o
		}
	}
	return best
}

// keepsRules reports whether an operator leads to a class with a structure that keeps the rules.
func (h *search) keepsRules(apply func(*graph.Partial, *operator) *graph.Partial, o *operator) bool {
	if h.rules.None() {
		return true
	}
	_, ok := h.rules.Direct(apply(h.class, o))
	return ok
}

// back returns the variables x from which an insertion of an edge to y would close a cycle: there
// is a path from y to x that avoids the operator's clear set. It is empty for a deletion.
func (h *search) back(o *operator) graph.Set {
	n := h.class.Len()
	if h.class.Adjacent(o.x, o.y) {
		return graph.NewSet(n)
	}
	return h.class.Semidirected(o.y, graph.SetOf(n, o.clear...))
}

// stale lists, for each y, the variables x with operators that a step may have changed: all if the
// parents or the neighbours of y have changed, or edges between neighbours; and otherwise those
// with a changed edge to y or to one of its neighbours. Before the first step, old is nil.
func stale(old, now *graph.Partial) (due [][]int) {
	n := now.Len()
	due = make([][]int, n)
	all := make([]int, n)
	for v := range all {
		all[v] = v
	}
	if old == nil {
		for y := range due {
			due[y] = all
		}
		return due
	}
	changed := make([]graph.Set, n) // by variable: the others of which it is newly adjacent, or no longer
	for v := range changed {
		if !old.SameAround(now, v) {
			changed[v] = old.Changed(now, v)
		}
	}
	for y := range due {
		near := now.Neighbours(y)
		if changed[y] != nil && (!slices.Equal(near, old.Neighbours(y)) || !slices.Equal(now.Parents(y), old.Parents(y))) {
			due[y] = all
			continue
		}
		set := graph.NewSet(n)
		for _, v := range append(near, y) {
			if changed[v] != nil {
				set.Join(changed[v])
			}
		}
		if due[y] = set.Members(); slices.ContainsFunc(near, set.Has) {
			due[y] = all
		}
	}
	return due
}
