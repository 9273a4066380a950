package bound

import (
	"context"

	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/ir/model"
)

// firstNumbers is the most numbers of all buckets that First computes: some tenths of a second.
const firstNumbers = 1 << 20

// First finds the first of the most probable states of the variables that max marks, in the order
// of the file, all others summed out. It returns nil if the buckets have too many numbers or the
// context ends: other methods find states that are as probable with less work.
func First(ctx context.Context, m *model.Model, max []bool, opt Options) (*Incumbent, error) {
	a := newQuery(ctx, opt)
	p, err := FromModel(m, max, a.MaxTable)
	if err != nil {
		return nil, err
	}
	t := plan(p, p.order(m, order.Options{Seed: a.Seed, Quick: true, Stop: a.deadlineAt(1)}), firstNumbers, a.deadlineAt(1))
	if t.splits() {
		return nil, nil
	}
	t.fill()
	s := newPseudo(t)
	if s == nil {
		return nil, nil
	}
	e := newElimination(t, upper)
	e.forward()
	f := newSearch(ctx, s, e, Limits{Nodes: defaultNodes, Entries: a.memoLimit()}).run(nil)
	if !f.Proven {
		return nil, nil
	}
	f.evaluate(t.Problem)
	return &f, f.resolveTies(ctx, m, max, opt)
}
