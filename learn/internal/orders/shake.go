package orders

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/pgmc-go/pgmc/learn/internal/graph"
)

// Shake moves some variables to random positions, then these to their best positions, and then each
// variable around a change, until none moves or ctx ends. A variable is around a change if it has
// other parents, or was or is a parent of such a variable.
func (h *Search) Shake(ctx context.Context, rng *rand.Rand, variables int) {
	n := len(h.order)
	due := graph.NewSet(n)
	order, old := slices.Clone(h.order), h.sets
	for range variables {
		from, to := rng.IntN(n), rng.IntN(n)
		x := order[from]
		due.Add(x)
		order = slices.Insert(slices.Delete(order, from, from+1), to, x)
	}
	h.Set(ctx, h.rules.Sort(order))
	h.around(old, due)
	for list := due.Members(); len(list) > 0 && ctx.Err() == nil; list = due.Members() {
		for _, x := range list {
			if due.Drop(x); ctx.Err() != nil {
				return
			}
			if old = slices.Clone(h.sets); h.Move(ctx, x) {
				h.around(old, due)
				due.Drop(x)
			}
		}
	}
}

// around adds the variables around the changes since the old sets of parents.
func (h *Search) around(old []*node, due graph.Set) {
	for x, n := range h.sets {
		if n == old[x] {
			continue
		}
		due.Add(x)
		for _, u := range slices.Concat(n.parents, old[x].parents) {
			due.Add(u)
		}
	}
}
