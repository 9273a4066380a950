package boss

import (
	"errors"
	"slices"

	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// load continues from the checkpoint of the job, if there is one.
func (h *search) load() error {
	if ok, err := h.saver.Load(&h.state); !ok {
		return err
	}
	n := len(h.job.Train.Vars)
	switch {
	case h.Start < 0 || h.Start > h.l.searches(n) || h.Next < 0 || h.Next >= n || h.Still < 0 || h.Steps < 0:
		return learner.Damaged(errors.New("a number is out of range"))
	case !h.ordered():
		return learner.Damaged(errors.New("the order repeats a variable, or has none with its required parents before"))
	case h.Best == nil && h.Start == 0:
		return nil
	case !h.sound():
		return learner.Damaged(errors.New("the best structure is none of this search"))
	}
	h.total = h.s.Network(h.Best)
	return nil
}

// ordered reports whether the order has variables at most once and after their required parents.
func (h *search) ordered() bool {
	seen := make([]bool, len(h.job.Train.Vars))
	for _, x := range h.Order {
		if x < 0 || x >= len(seen) || seen[x] || slices.ContainsFunc(h.rules.ParentsOf(x), func(u int) bool { return !seen[u] }) {
			return false
		}
		seen[x] = true
	}
	return true
}

// sound reports whether the best structure has no cycle and keeps the bounds and the rules.
func (h *search) sound() bool {
	n := len(h.job.Train.Vars)
	if len(h.Best) != n {
		return false
	}
	above := graph.NewClosure(n)
	for x, p := range h.Best {
		if len(p) > h.l.MaxParents {
			return false
		}
		for i, u := range p {
			if u < 0 || u >= n || u == x || slices.Contains(p[:i], u) || above.Has(u, x) {
				return false
			}
			above.Add(u, x)
		}
		if !h.s.Fits(x, p...) {
			return false
		}
	}
	return !h.rules.Broken(h.Best)
}
